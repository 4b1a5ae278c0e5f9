// SPDX-License-Identifier: MIT
#include "zoe/eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "zoe/control/trajectory.h"
#include "zoe/core/index.h"
#include "zoe/math/filter.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::eval {
namespace {

std::vector<int> all_joints(const Motion& motion) {
  std::vector<int> joints(idx(motion.num_joints()));
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

struct FootPart {
  int joint;
  float standing_m;
};
std::vector<FootPart> parts_of(std::span<const control::BodyLeg> legs) {
  std::vector<FootPart> parts;
  for (const control::BodyLeg& leg : legs) {
    parts.push_back({leg.leg.ankle, leg.leg.ankle_height_m});
    if (leg.leg.ball != kNoJoint) parts.push_back({leg.leg.ball, leg.leg.ball_height_m});
  }
  return parts;
}

void measure_feet(std::span<const Vec3> places, std::size_t joints, double fps, std::span<const PlanarRoot> roots,
                  std::span<const control::BodyLeg> legs, MotionMetrics& out) {
  constexpr double kContact_m = 0.01, kMannHeight_m = 0.025, kBin_mps = 0.1;
  double slide = 0, mann = 0, deep = 0;
  std::size_t in_contact = 0, count = 0;
  const std::size_t frames = places.size() / joints;
  for (const FootPart& part : parts_of(legs)) {
    for (std::size_t f = 1; f < frames; ++f) {
      const Vec3 now = places[f * joints + idx(part.joint)], before = places[(f - 1) * joints + idx(part.joint)];
      const double speed = std::hypot(now.x - before.x, now.z - before.z) * fps;
      const double height = std::max(now.y, before.y) - part.standing_m;
      mann += speed * std::clamp(2 - std::exp2(std::max(height, 0.0) / kMannHeight_m), 0.0, 1.0);
      deep += std::max(0.0, static_cast<double>(part.standing_m - now.y));
      ++count;
      if (height > kContact_m) continue;
      slide += speed;
      ++in_contact;
      const double root_mps = distance(roots[f].position, roots[f - 1].position) * fps;
      const auto bin = static_cast<std::size_t>(std::clamp(root_mps / kBin_mps, 0.0, SkateBySpeed::kBins - 1.0));
      out.skate_by_speed.sum_mps[bin] += speed;
      ++out.skate_by_speed.count[bin];
    }
  }
  if (in_contact > 0) out.foot_skate_cm_s = 100 * slide / static_cast<double>(in_contact);
  if (count > 0) {
    out.foot_skate_mann_cm_s = 100 * mann / static_cast<double>(count);
    out.penetration_cm = 100 * deep / static_cast<double>(count);
  }
}

}  // namespace

void SkateBySpeed::add(const SkateBySpeed& other) {
  for (std::size_t b = 0; b < kBins; ++b) {
    sum_mps[b] += other.sum_mps[b];
    count[b] += other.count[b];
  }
}

double SkateBySpeed::mean_cm_s() const {
  const auto contacts = std::accumulate(count.begin(), count.end(), std::int64_t{0});
  const double sum = std::accumulate(sum_mps.begin(), sum_mps.end(), 0.0);
  return contacts > 0 ? 100 * sum / static_cast<double>(contacts) : 0;
}

double skate_at_speeds_cm_s(const SkateBySpeed& real, const SkateBySpeed& made) {
  constexpr std::int64_t kEnough = 30;
  double sum = 0;
  std::int64_t count = 0;
  for (int b = 0; b < static_cast<int>(SkateBySpeed::kBins); ++b) {
    if (made.count[idx(b)] == 0) continue;
    int nearest = -1;
    for (int r = 0; r < static_cast<int>(SkateBySpeed::kBins); ++r) {
      if (real.count[idx(r)] >= kEnough && (nearest < 0 || std::abs(r - b) < std::abs(nearest - b))) nearest = r;
    }
    if (nearest < 0) return 0;
    const auto contacts = static_cast<double>(made.count[idx(b)]);
    sum += contacts * real.sum_mps[idx(nearest)] / static_cast<double>(real.count[idx(nearest)]);
    count += made.count[idx(b)];
  }
  return count > 0 ? 100 * sum / static_cast<double>(count) : 0;
}

MotionMetrics measure_motion(const Motion& motion, std::span<const PlanarRoot> roots,
                             std::span<const control::BodyLeg> legs) {
  ZOE_CHECK(motion.num_frames >= 8 && roots.size() == idx(motion.num_frames),
            "measure_motion: at least 8 frames, a root each");
  MotionMetrics out;
  const std::size_t joints = idx(motion.num_joints()), frames = roots.size();
  const std::vector<Vec3> places = model_positions(motion, all_joints(motion));
  measure_feet(places, joints, motion.fps, roots, legs, out);

  double jerk = 0, rough = 0, variety = 0;
  const double cube = motion.fps * motion.fps * motion.fps;
  std::vector<float> track(frames * 3);
  std::vector<Vec3> local(frames);
  for (std::size_t j = 0; j < joints; ++j) {
    const auto at = [&](std::size_t f) { return places[f * joints + j]; };
    for (std::size_t f = 3; f < frames; ++f) {
      jerk += length(at(f) - at(f - 1) * 3 + at(f - 2) * 3 - at(f - 3)) * cube;
    }
    Vec3d mean{};
    for (std::size_t f = 0; f < frames; ++f) {
      const Vec3 place = at(f);
      for (std::size_t k = 0; k < 3; ++k) track[3 * f + k] = place[k];
      local[f] = rotate(conjugate(rotation_of(roots[f])), place - roots[f].position);
      mean = mean + to_double(local[f]) / static_cast<double>(frames);
    }
    for (std::size_t k = 0; k < 3; ++k) low_pass_zero_phase(std::span(track).subspan(k), 6, motion.fps, 3);
    for (std::size_t f = 0; f < frames; ++f) {
      const Vec3d left = to_double(at(f)) - Vec3d{track[3 * f], track[3 * f + 1], track[3 * f + 2]};
      rough += dot(left, left);
      const Vec3d off = to_double(local[f]) - mean;
      variety += dot(off, off);
    }
  }
  const double count = static_cast<double>(frames * joints);
  out.jerk_m_s3 = jerk / static_cast<double>((frames - 3) * joints);
  out.jitter_mm = 1000 * std::sqrt(rough / count);
  out.variety_cm = 100 * std::sqrt(variety / count);
  return out;
}

ObedienceMetrics measure_obedience(const Recording& recording, const control::Path* path, double skip_s) {
  ObedienceMetrics out;
  const double fps = recording.motion.fps;
  const std::size_t frames = recording.roots.size(),
                    first = std::min(frames - 1, static_cast<std::size_t>(skip_s * fps));
  const auto second = static_cast<std::size_t>(fps);
  double off = 0, turned = 0, speed = 0;
  std::size_t turned_count = 0, speed_count = 0;
  float way = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const PlanarRoot& root = recording.roots[f];
    if (path != nullptr) way = path->nearest(root.position, way, way + 1.0F);
    if (f < first) continue;
    if (path != nullptr) {
      const Vec3 there = path->at(way);
      off += std::hypot(there.x - root.position.x, there.z - root.position.z);
    }
    if (recording.wanted_facing_rad[f]) {
      turned += std::abs(control::wrapped(root.facing_rad - *recording.wanted_facing_rad[f]));
      ++turned_count;
    }
    if (f < first + second) continue;
    double desired = 0, did = 0;
    for (std::size_t k = f - second + 1; k <= f; ++k) {
      desired += length(recording.wanted_mps[k]) / static_cast<double>(second);
      did += distance(recording.roots[k].position, recording.roots[k - 1].position);
    }
    speed += std::abs(desired - did);
    ++speed_count;
  }
  if (path != nullptr) out.path_error_cm = 100 * off / static_cast<double>(frames - first);
  if (turned_count > 0) out.facing_error_deg = turned / static_cast<double>(turned_count) * 180 / std::numbers::pi;
  if (speed_count > 0) out.speed_error_cm_s = 100 * speed / static_cast<double>(speed_count);
  return out;
}

std::vector<double> response_times_s(const control::Controller& controller, float speed_mps) {
  const float v = speed_mps;
  // Start, left, right, round, stop; each from a second and a half of the previous one.
  const Vec3 commands[] = {{0, 0, 0}, {0, 0, v}, {v, 0, 0}, {0, 0, v}, {0, 0, -v}, {0, 0, 0}};
  constexpr double kHold_s = 3;
  const double dt_s = controller.step_s();
  const auto state = controller.make_state();
  std::vector<double> times;
  std::vector<Vec3> places;
  const auto velocity = [&](std::size_t over) {  // Mean of the last steps.
    if (places.size() <= over) return Vec3{};
    return (places.back() - places[places.size() - 1 - over]) / static_cast<float>(static_cast<double>(over) * dt_s);
  };
  for (const Vec3& command : commands) {
    const Vec3 before = velocity(10), change = command - before;
    double answer_s = kHold_s;
    for (double time_s = dt_s; time_s <= kHold_s; time_s += dt_s) {
      controller.tick(*state, control::Intent::move(command), dt_s);
      places.push_back(state->root().position);
      const float done = dot(velocity(2) - before, change) / std::max(dot(change, change), 1e-6F);
      if (done >= 0.5F) answer_s = std::min(answer_s, time_s);
    }
    times.push_back(answer_s);
  }
  times.erase(times.begin());  // The first only settles.
  return times;
}

void add_poses(const Motion& motion, std::span<const PlanarRoot> roots, int stride, PoseSet& set) {
  const std::size_t joints = idx(motion.num_joints());
  set.num_joints = motion.num_joints();
  const std::vector<Vec3> places = model_positions(motion, all_joints(motion));
  for (std::size_t f = 0; f < roots.size(); f += idx(stride)) {
    const Quat root_from_model = conjugate(rotation_of(roots[f]));
    for (std::size_t j = 0; j < joints; ++j) {
      const Vec3 p = rotate(root_from_model, places[f * joints + j] - roots[f].position);
      set.places.insert(set.places.end(), {p.x, p.y, p.z});
    }
  }
}

double nearest_pose_cm(const PoseSet& made, const PoseSet& real) {
  if (made.size() == 0 || real.size() == 0 || made.num_joints != real.num_joints) return 0;
  const std::size_t joints = idx(made.num_joints);
  double sum = 0;
  for (int m = 0; m < made.size(); ++m) {
    float best = 1e30F;
    for (int r = 0; r < real.size(); ++r) {
      const float* a = made.places.data() + idx(m) * 3 * joints;
      const float* b = real.places.data() + idx(r) * 3 * joints;
      float far = 0;
      for (std::size_t j = 0; j < joints && far < best; ++j, a += 3, b += 3) {
        far += std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
      }
      best = std::min(best, far);
    }
    sum += best / static_cast<float>(joints);
  }
  return 100 * sum / made.size();
}

}  // namespace zoe::eval
