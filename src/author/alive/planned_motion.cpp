// SPDX-License-Identifier: MIT
#include "zoe/author/planned_motion.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/eval/record.h"

namespace zoe::author {
namespace {

using control::GaitPart;
using control::GaitPlan;
using control::GaitSettings;
using control::Locomotion;

constexpr double kTicks_hz = 60;

// Another individual of the same body: what stays within reach of the legs.
GaitPlan varied(GaitPlan plan, Random& random) {
  GaitSettings& s = plan.settings;
  const auto vary = [&](float& value, float by) { value *= 1 + random.uniform(-by, by); };
  vary(s.stride_hz, 0.06F);
  for (float* swing : {&s.arm_swing_rad, &s.tail_rad, &s.yaw_rad, &s.roll_rad, &s.sway_m, &s.bob_m}) vary(*swing, 0.2F);
  for (float* amplitude : {&s.wave_rad, &s.beat_rad, &s.hover_m}) vary(*amplitude, 0.12F);
  vary(s.beat_hz, 0.1F);
  const bool rigid =
      std::any_of(plan.legs.begin(), plan.legs.end(), [](const control::GaitLeg& leg) { return leg.knee == kNoJoint; });
  if (!rigid) vary(s.walk_step_m, 0.15F), vary(s.run_step_m, 0.15F);
  return plan;
}

// The path as an open one, straight on at both ends. Without one: straight ahead.
Result<control::Path> lengthened(const PlannedMotionOptions& options, float speed_mps, float before_m, float after_m) {
  std::vector<Vec3> places{{0, 0, 0}, {0, 0, speed_mps * static_cast<float>(options.seconds)}};
  if (options.path) {
    places.assign(options.path->places().begin(), options.path->places().end());
    if (options.path->closed() && length(places.back() - places.front()) > 1e-4F) places.push_back(places.front());
  }
  const Vec3 begin = normalized(places[1] - places[0], Vec3{0, 0, 1});
  const Vec3 end = normalized(places.back() - places[places.size() - 2], Vec3{0, 0, 1});
  places.insert(places.begin(), places.front() - begin * before_m);
  places.push_back(places.back() + end * after_m);
  return control::Path::create(std::move(places));
}

}  // namespace

std::vector<int> carrying_joints(const GaitPlan& plan) {
  std::vector<int> joints;
  for (const GaitPart& part : plan.parts) {
    const bool wave = part.role == GaitPart::Role::kWave &&
                      (plan.locomotion == Locomotion::kCrawl || plan.locomotion == Locomotion::kSwim);
    if (wave || (part.role == GaitPart::Role::kWing && plan.legs.empty())) joints.push_back(part.joint);
  }
  return joints;
}

Result<Motion> planned_motion(const Alive& alive, const PlannedMotionOptions& options) {
  const int frames = std::max(1, static_cast<int>(std::lround(options.seconds * options.fps)));
  Random random = Random(options.seed).split(7);
  const GaitPlan plan = varied(alive.plan, random);
  const GaitSettings& s = plan.settings;
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::make_gait_controller(alive.body, plan));
  float speed_mps = (options.fast ? s.run_mps : s.walk_mps) * (1 + random.uniform(-0.08F, 0.05F));
  if (options.path) {
    speed_mps = std::min(options.path->length_m() / static_cast<float>(frames / options.fps), s.run_mps);
    if (!(speed_mps > 0)) return Error{ErrorCode::kInvalid, "the path has no length", {}};
  }
  // The gait is steady where the motion begins, and at a phase of its own.
  const float before_s = (2 + random.uniform()) / std::max(0.2F, s.stride_hz);
  const float before_m = before_s * speed_mps, after_m = speed_mps + 4 * s.body_length_m;
  ZOE_TRY_ASSIGN(const control::Path path, lengthened(options, speed_mps, before_m, after_m));
  const auto source = control::follow(path, {.speed_mps = speed_mps});
  const eval::Recording made = eval::record(*controller, *source,
                                            {.seconds = 1.5 * double{before_s} + options.seconds + 1,
                                             .fps = kTicks_hz,
                                             .place = control::start_of(path),
                                             .ground = {}});
  const Motion& all = made.motion;
  int first = 0;
  while (first + 1 < all.num_frames && path.nearest(made.roots[idx(first)].position, 0, 2 * before_m) < before_m)
    ++first;
  const Vec3 shift = options.path ? Vec3{} : -made.roots[idx(first)].position;
  Motion out = make_motion(alive.body.skeleton, "planned", options.fps, frames, !all.scales.empty());
  const std::size_t joints = idx(all.num_joints());
  for (int f = 0; f < frames; ++f) {
    const int tick = std::min(all.num_frames - 1, first + static_cast<int>(std::lround(f * kTicks_hz / options.fps)));
    const PoseView from = all.frame(tick);
    for (std::size_t j = 0; j < joints; ++j) {
      const bool is_root = alive.body.skeleton->parent(static_cast<int>(j)) == kNoJoint;
      out.translations[idx(f) * joints + j] = from.translations[j] + (is_root ? Vec3{shift.x, 0, shift.z} : Vec3{});
      out.rotations[idx(f) * joints + j] = from.rotations[j];
      if (!all.scales.empty()) out.scales[idx(f) * joints + j] = all.scales[idx(tick) * joints + j];
    }
  }
  make_continuous(out);
  return out;
}

int take_neck_and_tail(const Alive& alive, const Motion& from, Motion& planned) {
  if (from.num_frames != planned.num_frames || from.num_joints() != planned.num_joints()) return 0;
  int count = 0;
  for (const GaitPart& part : alive.plan.parts) {
    if (part.role != GaitPart::Role::kNeck && part.role != GaitPart::Role::kTail) continue;
    for (int f = 0; f < planned.num_frames; ++f) {
      const std::size_t at = idx(f) * idx(planned.num_joints()) + idx(part.joint);
      planned.rotations[at] = alive.plan.limits.empty()
                                  ? from.rotations[at]
                                  : clamp_to_limit(alive.plan.limits[idx(part.joint)], from.rotations[at]);
    }
    ++count;
  }
  make_continuous(planned);
  return count;
}

}  // namespace zoe::author
