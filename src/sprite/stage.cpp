// SPDX-License-Identifier: MIT
#include "sprite/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/anatomy/find_root.h"
#include "zoe/math/portable.h"
#include "zoe/motion/sample.h"
#include "zoe/motion/still.h"

namespace zoe::sprite {
namespace {

constexpr double kTurned_rad = 1.05;   // Clips that begin 60° away from the rest pose's front have their own front.
constexpr float kNearOrigin = 0.35F;   // Heights: clips that start nearer keep the model's origin as their pivot.
constexpr float kOffCenter = 0.15F;    // Sizes of the body: an origin farther from the middle is no pivot.
constexpr float kTravels = 1.5F;       // Heights: clips that go farther travel.
constexpr float kLoopTravels = 0.08F;  // The same for loops.

Affine turn_y(double angle_rad) {
  const SineCosine turn = sine_cosine(angle_rad);
  const auto s = static_cast<float>(turn.sine), c = static_cast<float>(turn.cosine);
  return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}, {}};
}

// Positions of one joint in a frame.
Vec3 joint_position(const Motion& motion, int frame, int joint) {
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), joints);
  return joints[static_cast<std::size_t>(joint)].t;
}

// The turn of a clip's first pose from the rest pose, where it is more than a leaning trunk. Only bodies whose facing
// their joints give: the trunk of an upright dragon points nowhere.
double turn_of(const Motion& motion, const SkeletonAnalysis& body) {
  if (body.family != BodyFamily::kBiped && body.family != BodyFamily::kQuadruped) return 0;
  const Pose rest = make_pose(*motion.skeleton);
  const RootTrajectory at_rest = find_root(make_still(motion.skeleton, rest.view()), body),
                       moving = find_root(motion, body);
  if (at_rest.frames_without_facing > 0 || moving.frames_without_facing == motion.num_frames) return 0;
  const SineCosine apart =
      sine_cosine(static_cast<double>(moving.roots[0].facing_rad) - static_cast<double>(at_rest.roots[0].facing_rad));
  const double turn = portable_atan2(apart.sine, apart.cosine);
  return std::abs(turn) > kTurned_rad ? turn : 0;
}

}  // namespace

Vec3 find_pivot(const Request& request, const render::SoftwareModel& model) {
  render::PosedVertices vertices;
  render::pose_vertices(model, request.character->skeleton->rest_model(), {}, vertices);
  Vec3 low{1e30F, 1e30F, 1e30F}, high = -low;
  for (const Vec3 p : vertices.positions) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  Vec3 pivot{};
  for (const std::size_t axis : {0U, 2U}) {
    const float middle = (low[axis] + high[axis]) / 2, size = high[axis] - low[axis];
    if (std::abs(middle) > kOffCenter * size) pivot[axis] = middle;
  }
  return is_finite(pivot) ? pivot : Vec3{};
}

CastMember cast_of(const Request& request, const render::SoftwareModel& model) {
  CastMember member;
  const auto any = [&](float Feel::*value) {
    return std::any_of(request.clips.begin(), request.clips.end(),
                       [&](const Clip& clip) { return clip.feel.*value > 0; });
  };
  if (any(&Feel::follow)) member.loose = find_loose_parts(*request.character, request.body);
  if (any(&Feel::smear)) member.welded = weld(model);
  return member;
}

ClipStage::ClipStage(const Request& request, const Clip& clip, Vec3 pivot, const CastMember& member)
    : clip_(&clip), member_(&member) {
  const Motion& motion = *clip.motion;
  const SkeletonAnalysis& body = request.body;
  const float scale = static_cast<float>(body.metres_per_unit);
  const float height = std::max(1e-6F, static_cast<float>(body.height_m) / (scale > 0 ? scale : 1.0F));
  const int root = body.hips != kNoJoint ? body.hips : body.root != kNoJoint ? body.root : 0;
  const Vec3 first = joint_position(motion, 0, root), last = joint_position(motion, motion.num_frames - 1, root);
  travel_ = last - first;
  travel_.y = 0;
  const float limit = request.root == RootMotion::kKeep     ? 1e30F
                      : request.root == RootMotion::kRemove ? 0.0F
                                                            : height * (clip.loop ? kLoopTravels : kTravels);
  if (length(travel_) <= limit) travel_ = {};
  const double own_front = portable_atan2(static_cast<double>(body.forward.x), static_cast<double>(body.forward.z));
  const double turn = turn_of(motion, body);
  // Clips that travel, or begin far from the model's origin, are put over the pivot as in the rest pose.
  Vec3 origin = pivot;
  const Vec3 apart = first - pivot;
  if (length(travel_) > 0 || turn != 0 || length(Vec3{apart.x, 0, apart.z}) > kNearOrigin * height) {
    const Vec3 rest = request.character->skeleton->rest_model()[static_cast<std::size_t>(root)].t - pivot;
    const Vec3 from_pivot = turn_y(turn).apply_vector({rest.x, 0, rest.z});
    origin = {first.x - from_pivot.x, 0, first.z - from_pivot.z};
  }
  const auto ground = static_cast<float>(body.ground_height);
  if (std::abs(ground) > 0.1F * height) origin.y = ground;  // Else the file's own zero is the ground.
  const Affine turned = turn_y(-own_front - turn);
  sprite_from_model_ = turned;
  sprite_from_model_.t = turned.apply_vector(-origin);
  height_ = height;
  FollowThrough followed = follow_through(clip.motion, member.loose, body, height, clip.feel.follow, clip.loop);
  motion_ = std::move(followed.motion);
  pendants_ = std::move(followed.pendants);
  squash_ = SquashTrack(motion, body, sprite_from_model_, sprite_from_model_.apply_vector(travel_), height,
                        clip.feel.squash, clip.loop);
}

void ClipStage::joints(double time_s, std::vector<Affine>& out) const {
  const Motion& motion = *motion_;
  Pose local = make_pose(*motion.skeleton);
  sample(motion, motion.start_time_s + time_s, Wrap::kClamp, local);
  out.resize(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, local.view(), out);
}

// A turn of a joint moves what it carries: axes count as vectors of a third of the height.
bool ClipStage::is_fast(double time_s) const {
  constexpr float kMoves = 0.1F, kCarried = 0.33F;  // Heights.
  std::vector<Affine> now, old;
  joints(time_s, now);
  joints(std::max(0.0, time_s - kSmear_s), old);
  for (std::size_t i = 0; i < now.size(); ++i) {
    float farthest = length(now[i].t - old[i].t);
    for (const Vec3 turned : {now[i].x - old[i].x, now[i].y - old[i].y, now[i].z - old[i].z})
      farthest = std::max(farthest, length(turned) * kCarried * height_);
    if (farthest > kMoves * height_) return true;
  }
  return false;
}

void ClipStage::pose(const render::SoftwareModel& model, double time_s, render::PosedVertices& out) const {
  pose_sharp(model, time_s, out);
  if (!(clip_->feel.smear > 0) || member_->welded.empty()) return;
  // Before the first pose of a loop is its end, without the travel.
  const bool wraps = clip_->loop && time_s < kSmear_s;
  if (!wraps && !is_fast(time_s)) return;
  render::PosedVertices half, old;
  const auto earlier = [&](double before_s, render::PosedVertices& vertices) {
    const double at_s = time_s - before_s, length_s = motion_->duration_s();
    pose_sharp(model, at_s >= 0 ? at_s : wraps ? std::max(0.0, at_s + length_s) : 0.0, vertices);
    for (std::size_t i = 0; at_s < 0 && wraps && i < vertices.positions.size(); ++i) vertices.positions[i] -= travel_;
  };
  earlier(kSmear_s / 2, half);
  earlier(kSmear_s, old);
  smear(model, member_->welded, half, old, height_, clip_->feel.smear, out);
}

void ClipStage::pose_sharp(const render::SoftwareModel& model, double time_s, render::PosedVertices& out) const {
  const Motion& motion = *motion_;
  Pose local = make_pose(*motion.skeleton);
  sample(motion, motion.start_time_s + time_s, Wrap::kClamp, local);
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, local.view(), joints);
  std::vector<float> weights(static_cast<std::size_t>(motion.num_morph_weights));
  if (!weights.empty()) {
    SampleJob{.motion = &motion,
              .time_s = motion.start_time_s + time_s,
              .translations = local.translations,
              .rotations = local.rotations,
              .morph_weights = weights}
        .run();
  }
  render::pose_vertices(model, joints, weights, out);
  bend_pendants(member_->loose, pendants_, time_s, joints, model, out);
}

Affine ClipStage::sprite_from_model(double time_s) const {
  return squash_.empty() ? placement(time_s) : squash_.at(time_s, raised_) * placement(time_s);
}

Affine ClipStage::placement(double time_s) const {
  Affine placed = sprite_from_model_;
  placed.t = placed.t - removed_travel(time_s);
  return placed;
}

Vec3 ClipStage::removed_travel(double time_s) const {
  const double length_s = clip_->motion->duration_s();
  const float part = length_s > 0 ? static_cast<float>(time_s / length_s) : 0.0F;
  return sprite_from_model_.apply_vector(travel_ * part);
}

Affine view_from_sprite(float yaw_deg, float pitch_deg) {
  constexpr double kRad = std::numbers::pi / 180;
  const SineCosine pitch = sine_cosine(static_cast<double>(pitch_deg) * kRad);
  const auto s = static_cast<float>(pitch.sine), c = static_cast<float>(pitch.cosine);
  // The camera looks down by the pitch: what is nearer on the ground is lower in the picture.
  const Affine lowered{{1, 0, 0}, {0, c, s}, {0, -s, c}, {}};
  return lowered * turn_y(static_cast<double>(yaw_deg) * kRad);
}

std::vector<Direction> directions_of(const Request& request) {
  constexpr std::array<const char*, 16> kNames{"s", "sse", "se", "ese", "e", "ene", "ne", "nne",
                                               "n", "nnw", "nw", "wnw", "w", "wsw", "sw", "ssw"};
  const int count = request.num_directions;
  const float turn = request.turn_deg >= 0 ? request.turn_deg : count <= 2 ? 20.0F : 0.0F;
  std::vector<Direction> directions;
  if (count <= 2) {
    directions.push_back({"e", 90 - turn});
    if (count == 2 && !request.mirror) directions.push_back({"w", 270 + turn});
    return directions;
  }
  for (int i = 0; i < count; ++i) {
    const int sixteenth = i * 16 / count;
    if (request.mirror && sixteenth > 8) break;
    directions.push_back({kNames[static_cast<std::size_t>(sixteenth)], static_cast<float>(sixteenth) * 22.5F});
  }
  return directions;
}

std::string mirrored_direction(const std::string& name) {
  if (name.find('e') == std::string::npos) return {};
  std::string mirrored = name;
  std::replace(mirrored.begin(), mirrored.end(), 'e', 'w');
  return mirrored;
}

}  // namespace zoe::sprite
