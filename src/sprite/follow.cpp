// SPDX-License-Identifier: MIT
#include "sprite/follow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/portable_quat.h"
#include "zoe/motion/joint_tracks.h"
#include "zoe/motion/sample.h"

namespace zoe::sprite {
namespace {

constexpr double kSpringRate_hz = 240;  // Of the simulation.
constexpr float kFrequency_hz = 2;      // Of the first joint of a chain.
constexpr float kLooser = 0.12F;        // Each further joint is slower by this part, at most by 40 %.
constexpr float kDamping = 0.32F;       // Of critical damping: swings out once or twice.
constexpr float kLargest_rad = 1.1F, kLargestPendant_rad = 0.8F;
constexpr float kPendantFrequency_hz = 2.6F;
constexpr float kInwards = 0.03F;                            // Lengths that a pendant may come nearer to the body.
constexpr float kStream = 0.75F, kStreamSpeed = 2.4F;        // Largest tangent of streaming; heights per second.
constexpr float kFlutter = 0.25F, kFlutterFrequency_hz = 3;  // Part of the streaming; cycles.
constexpr int kRounds = 4;                                   // Of a loop.

// One end point that follows a target.
class SpringPoint {
 public:
  // origin: what it hangs on. push: displacement in lengths that it would settle at. Returns its new position, as far
  // from the origin as the target is.
  Vec3 step(Vec3 origin, Vec3 target, Vec3 push, float omega, float dt_s) {
    const float reach = length(target - origin);
    if (!started_) {
      position_ = before_ = target;
      started_ = true;
    }
    const Vec3 target_velocity = (target - before_) / dt_s;
    const Vec3 pull =
        (target + push * reach - position_) * (omega * omega) - (velocity_ - target_velocity) * (2 * kDamping * omega);
    velocity_ += pull * dt_s;
    Vec3 moved = position_ + velocity_ * dt_s;
    moved = origin + normalized(moved - origin, normalized(target - origin, {0, -1, 0})) * reach;
    velocity_ = (moved - position_) / dt_s;
    position_ = moved;
    before_ = target;
    return position_;
  }
  void put(Vec3 position) { position_ = position; }

 private:
  Vec3 position_, velocity_, before_;
  bool started_ = false;
};

// The turn from one direction to another, limited.
Vec3 turn_between(Vec3 from, Vec3 to) {
  const Vec3 across = cross(from, to);
  const float sine = length(across);
  if (!(sine > 1e-9F)) return {};
  const float angle = portable_atan2(sine, dot(from, to));
  return across / sine * std::min(angle, kLargest_rad);
}

Vec3 turned(Vec3 rotation_rad, Vec3 v) { return rotate(portable_from_rotation_vector(rotation_rad), v); }

class Simulation {
 public:
  Simulation(std::shared_ptr<const Motion> motion, const LooseParts& parts, const SkeletonAnalysis& body, float height,
             float amount, bool loop)
      : motion_(*motion), parts_(parts), amount_(amount), loop_(loop), pose_(make_pose(*motion->skeleton)) {
    stream_ = body.forward * (-kStream * std::min(1.0F, ground_speed(motion_, body, height) / kStreamSpeed));
    joints_.resize(idx(motion_.num_joints()));
    out_.motion = nullptr;
    result_ = motion_;
    points_.resize(parts.chains.size());
    for (std::size_t c = 0; c < parts.chains.size(); ++c) points_[c].resize(parts.chains[c].joints.size());
    pendant_points_.resize(parts.pendants.size());
    out_.pendants.resize(parts.pendants.size());
  }

  FollowThrough run() {
    const double length_s = motion_.duration_s();
    const auto steps = static_cast<int>(std::lround(length_s * kSpringRate_hz));
    const int num_tracked = static_cast<int>(std::lround(length_s * out_rate())) + 1;
    for (PendantTrack& track : out_.pendants) {
      track.rate_hz = out_rate();
      track.turns_rad.assign(idx(num_tracked), {});
    }
    const int rounds = loop_ ? kRounds : 1;
    int next_frame = 0, next_tracked = 0;
    for (int round = 0; round < rounds; ++round) {
      next_frame = next_tracked = 0;
      for (int i = 0; i <= steps; ++i) {
        const double time_s = steps > 0 ? length_s * i / steps : 0;
        if (!(loop_ && round > 0 && i == 0)) step(time_s, static_cast<float>(1 / kSpringRate_hz));
        if (round + 1 < rounds) continue;
        while (next_frame < motion_.num_frames && next_frame / motion_.fps <= time_s + 0.5 / kSpringRate_hz)
          keep_frame(next_frame++);
        while (next_tracked < num_tracked && next_tracked / out_rate() <= time_s + 0.5 / kSpringRate_hz) {
          for (std::size_t p = 0; p < parts_.pendants.size(); ++p)
            out_.pendants[p].turns_rad[idx(next_tracked)] = pendant_turns_[p];
          ++next_tracked;
        }
      }
    }
    make_continuous(result_);
    out_.motion = std::make_shared<const Motion>(std::move(result_));
    return std::move(out_);
  }

 private:
  static double out_rate() { return 60; }

  void step(double time_s, float dt_s) {
    sample(motion_, motion_.start_time_s + time_s, Wrap::kClamp, pose_);
    compute_model_from_joint(*motion_.skeleton, pose_.view(), joints_);
    // Whole cycles in a loop, so that it repeats.
    const double length_s = motion_.duration_s();
    const double cycles = length_s > 0 ? std::max(1.0, std::round(length_s * kFlutterFrequency_hz)) / length_s : 0;
    const auto wave = static_cast<float>(portable_sin(2 * std::numbers::pi * cycles * time_s));
    const Vec3 push = stream_ * (1 + kFlutter * wave);
    for (std::size_t c = 0; c < parts_.chains.size(); ++c) swing_chain(c, push, dt_s);
    pendant_turns_.assign(parts_.pendants.size(), {});
    for (std::size_t p = 0; p < parts_.pendants.size(); ++p) swing_pendant(p, push, dt_s);
  }

  void swing_chain(std::size_t c, Vec3 push, float dt_s) {
    const LooseChain& chain = parts_.chains[c];
    const Skeleton& skeleton = *motion_.skeleton;
    for (std::size_t k = 0; k < chain.joints.size(); ++k) {
      const int joint = chain.joints[k];
      const Affine& parent = joints_[idx(skeleton.parent(joint))];
      Affine placed = parent * to_affine(pose_.view().joint(joint));
      const Vec3 end = k + 1 < chain.joints.size() ? pose_.translations[idx(chain.joints[k + 1])] : chain.tip;
      const Vec3 target = placed.apply_point(end);
      const float omega = omega_of(k);
      const Vec3 swung = points_[c][k].step(placed.t, target, push * 0.5F, omega, dt_s);
      const Vec3 turn = turn_between(normalized(target - placed.t, {0, 1, 0}), normalized(swung - placed.t, {0, 1, 0}));
      // From model space to the parent's, whose scale is even.
      const float angle = length(turn) * amount_;
      if (angle > 1e-6F) {
        const Vec3 axis = normalized(inverse(parent).apply_vector(turn), {0, 0, 1});
        pose_.rotations[idx(joint)] =
            normalized(portable_from_rotation_vector(axis * angle) * pose_.rotations[idx(joint)]);
        placed = parent * to_affine(pose_.view().joint(joint));
      }
      joints_[idx(joint)] = placed;
    }
  }

  void swing_pendant(std::size_t p, Vec3 push, float dt_s) {
    const Pendant& pendant = parts_.pendants[p];
    const Affine& joint = joints_[idx(pendant.joint)];
    const Vec3 origin = joint.apply_point(pendant.attachment), target = joint.apply_point(pendant.tip);
    Vec3 swung =
        pendant_points_[p].step(origin, target, push, 2 * std::numbers::pi_v<float> * kPendantFrequency_hz, dt_s);
    // Not through the body: from the joint's axis outwards, or sideways.
    Vec3 outwards = joint.apply_vector(pendant.tip);
    outwards = normalized(Vec3{outwards.x, 0, outwards.z}, {0, 0, -1});
    const float inwards = -dot(swung - target, outwards) - kInwards * length(target - origin);
    if (inwards > 0) {
      swung += outwards * inwards;
      swung = origin + normalized(swung - origin, {0, -1, 0}) * length(target - origin);
      pendant_points_[p].put(swung);
    }
    const Vec3 turn = turn_between(normalized(target - origin, {0, -1, 0}), normalized(swung - origin, {0, -1, 0}));
    pendant_turns_[p] = normalized(inverse(joint).apply_vector(turn), {0, 0, 1}) *
                        std::min(length(turn) * amount_, kLargestPendant_rad);
  }

  static float omega_of(std::size_t k) {
    const float slower = std::min(0.4F, kLooser * static_cast<float>(k));
    return 2 * std::numbers::pi_v<float> * kFrequency_hz * (1 - slower);
  }

  void keep_frame(int frame) {
    const std::size_t first = idx(frame) * idx(motion_.num_joints());
    for (const LooseChain& chain : parts_.chains) {
      for (const int joint : chain.joints) result_.rotations[first + idx(joint)] = pose_.rotations[idx(joint)];
    }
  }

  const Motion& motion_;
  const LooseParts& parts_;
  float amount_;
  bool loop_;
  Pose pose_;
  Vec3 stream_;
  std::vector<Affine> joints_;
  std::vector<std::vector<SpringPoint>> points_;
  std::vector<SpringPoint> pendant_points_;
  std::vector<Vec3> pendant_turns_;
  Motion result_;
  FollowThrough out_;
};

}  // namespace

Vec3 PendantTrack::at(double time_s) const {
  if (turns_rad.empty()) return {};
  const double place = std::clamp(time_s * rate_hz, 0.0, static_cast<double>(turns_rad.size() - 1));
  const auto before = static_cast<std::size_t>(place), after = std::min(before + 1, turns_rad.size() - 1);
  return lerp(turns_rad[before], turns_rad[after], static_cast<float>(place - static_cast<double>(before)));
}

FollowThrough follow_through(std::shared_ptr<const Motion> motion, const LooseParts& parts,
                             const SkeletonAnalysis& body, float height, float amount, bool loop) {
  if (parts.empty() || !(amount > 0) || motion->num_frames < 2) return {std::move(motion), {}};
  return Simulation(motion, parts, body, height, amount, loop).run();
}

void bend_pendants(const LooseParts& parts, const std::vector<PendantTrack>& tracks, double time_s,
                   const std::vector<Affine>& model_from_joint, const render::SoftwareModel& model,
                   render::PosedVertices& vertices) {
  for (std::size_t p = 0; p < tracks.size(); ++p) {
    const Pendant& pendant = parts.pendants[p];
    const Vec3 turn = tracks[p].at(time_s);
    const float angle = length(turn);
    if (!(angle > 1e-5F)) continue;
    const Affine& joint = model_from_joint[idx(pendant.joint)];
    const Vec3 origin = joint.apply_point(pendant.attachment);
    const Vec3 axis = normalized(joint.apply_vector(turn), {0, 0, 1});
    const std::size_t first = model.first_vertex(idx(pendant.instance));
    for (std::size_t v = 0; v < pendant.loose.size(); ++v) {
      const Vec3 rotation = axis * (angle * pendant.loose[v]);
      vertices.positions[first + v] = origin + turned(rotation, vertices.positions[first + v] - origin);
      vertices.normals[first + v] = turned(rotation, vertices.normals[first + v]);
    }
  }
}

float ground_speed(const Motion& motion, const SkeletonAnalysis& body, float height) {
  if (motion.num_frames < 3 || !(height > 0) || body.feet.empty()) return 0;
  std::vector<int> joints = body.feet;
  joints.push_back(body.hips != kNoJoint ? body.hips : 0);
  const std::vector<Vec3> tracks = model_positions(motion, joints);
  const std::size_t n = joints.size(), num_frames = idx(motion.num_frames);
  const auto flat = [](Vec3 v) { return portable_hypot(v.x, v.z); };
  const auto duration_s = static_cast<float>(motion.duration_s());
  const float travelled = flat(tracks[num_frames * n - 1] - tracks[n - 1]) / duration_s / height;
  if (travelled > 0.3F) return travelled;
  // Of feet that are down: in the lowest part of their own range.
  std::vector<float> speeds;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    float low = 1e30F, high = -1e30F;
    for (std::size_t f = 0; f < num_frames; ++f) {
      low = std::min(low, tracks[f * n + k].y);
      high = std::max(high, tracks[f * n + k].y);
    }
    for (std::size_t f = 1; f < num_frames; ++f) {
      if (tracks[f * n + k].y > low + 0.15F * (high - low)) continue;
      const Vec3 moved = tracks[f * n + k] - tracks[(f - 1) * n + k];
      speeds.push_back(flat(moved) * static_cast<float>(motion.fps) / height);
    }
  }
  if (speeds.empty()) return 0;
  std::nth_element(speeds.begin(), speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2), speeds.end());
  return speeds[speeds.size() / 2];
}

}  // namespace zoe::sprite
