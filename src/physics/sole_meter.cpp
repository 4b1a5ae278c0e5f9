// SPDX-License-Identifier: MIT
#include "physics/sole_meter.h"

#include <algorithm>
#include <cmath>

#include "physics/ground_contact.h"

namespace zoe::physics {
namespace {

constexpr double kStanding_m = 0.01;  // Soles below this height above the ground stand.

}  // namespace

SoleMeter::SoleMeter(const BodyPlan& plan, double frame_s, GroundPtr ground)
    : plan_(&plan), frame_s_(frame_s), ground_(std::move(ground)) {
  before_.resize(plan.bones.size()), turn_before_.resize(plan.bones.size()), origin_before_.resize(plan.bones.size());
  low_before_m_.resize(plan.bones.size());
}

template <typename Origin, typename Rotation>
void SoleMeter::add(const Origin& origin, const Rotation& rotation) {
  double deepest = 0;
  for (std::size_t b = 0; b < plan_->bones.size(); ++b) {
    if (!is_sole(plan_->bones[b])) continue;
    const BoneShape& shape = plan_->bones[b].shape;
    const Vec3d at = origin(static_cast<int>(b));
    const Quatd turn = rotation(static_cast<int>(b));
    const double low = clearance_m(shape, turn, at, ground_.get());
    const Vec3d centre = at + rotate(turn, shape.centre_of_volume());
    deepest = std::max(deepest, -low);
    if (continues_ && low < kStanding_m && low_before_m_[b] < kStanding_m) {
      slide_sum_m_s_ += std::hypot(centre.x - before_[b].x, centre.z - before_[b].z) / frame_s_;
      const Vec3d point = lowest_point(shape, turn, at, ground_.get());
      const Vec3d moved = at + rotate(turn, point) - origin_before_[b] - rotate(turn_before_[b], point);
      slip_sum_m_s_ += std::hypot(moved.x, moved.z) / frame_s_;
      ++num_slides_;
    }
    before_[b] = centre, low_before_m_[b] = low;
    turn_before_[b] = turn, origin_before_[b] = at;
  }
  depth_sum_m_ += deepest;
  ++num_frames_;
  continues_ = true;
}

void SoleMeter::add_body(const BodyState& state) {
  add([&](int b) { return state.bone_origin_m(b); }, [&](int b) { return state.bone_rotation(b); });
}

void SoleMeter::add_target(const BodyState& state) {
  add([&](int b) { return state.target_origin_m(b); }, [&](int b) { return state.target_rotation(b); });
}

}  // namespace zoe::physics
