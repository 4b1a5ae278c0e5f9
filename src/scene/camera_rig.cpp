// SPDX-License-Identifier: MIT
#include "zoe/scene/camera_rig.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"

namespace zoe::scene {
namespace {

constexpr float kRadians = std::numbers::pi_v<float> / 180;
constexpr float kFovY = 30 * kRadians;
constexpr double kSmoothing_s = 0.5;  // Standard deviation of the camera's smoothing.

Vec3 center_of(const BodyExtent::Sample& sample) { return (sample.min + sample.max) * 0.5F; }

}  // namespace

CameraRig::CameraRig(const BodyExtent& extent, const CameraPlacement& placement, float aspect)
    : placement_(placement), aspect_(aspect), extent_(extent) {
  ZOE_CHECK(!extent.samples.empty(), "a camera rig needs an extent with samples");
  all_min_ = extent.samples.front().min;
  all_max_ = extent.samples.front().max;
  float largest = 1e-3F;
  for (const auto& sample : extent.samples) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      all_min_[axis] = std::min(all_min_[axis], sample.min[axis]);
      all_max_[axis] = std::max(all_max_[axis], sample.max[axis]);
    }
    largest = std::max(largest, length(sample.max - sample.min));
    centers_.push_back({sample.time_s, center_of(sample)});
  }
  const Vec3 travel = centers_.back().position_m - centers_.front().position_m;
  follows_ = length(all_max_ - all_min_) > 1.7F * largest;
  if (std::hypot(travel.x, travel.z) > 0.6F * extent.size_m) heading_rad_ = std::atan2(travel.x, travel.z);
  if (extent.front_rad) heading_rad_ = *extent.front_rad;
  float low = centers_.front().position_m.y, high = low;
  for (const Center& center : centers_) {
    low = std::min(low, center.position_m.y);
    high = std::max(high, center.position_m.y);
  }
  level_ = high - low < 0.5F * extent.size_m;  // Not in flight, nor on stairs.
  aim_m_ = (all_min_.y + all_max_.y) * 0.5F - extent.lowest_m;
  fit_all();
}

void CameraRig::fit_all() {
  distance_m_ = half_height_m_ = all_distance_m_ = all_half_height_m_ = 0;
  for (const auto& sample : extent_.samples) {
    fit(followed(sample.time_s), sample.outline, distance_m_, half_height_m_);
    fit(middle(), sample.outline, all_distance_m_, all_half_height_m_);
  }
}

Vec3 CameraRig::middle() const {
  Vec3 target = (all_min_ + all_max_) * 0.5F;
  if (level_) target.y = extent_.lowest_m + aim_m_;
  return target;
}

void CameraRig::share(std::span<CameraRig* const> rigs) {
  constexpr float kNearHeading_rad = 60 * kRadians;
  constexpr float kNearSize = 2.5F;  // Ratio. A mouse beside an elephant would be too small to see.
  if (rigs.size() < 2) return;
  float smallest = rigs[0]->extent_.size_m, largest = smallest;
  bool level = true, near = true;
  for (const CameraRig* rig : rigs) {
    smallest = std::min(smallest, rig->extent_.size_m);
    largest = std::max(largest, rig->extent_.size_m);
    level = level && rig->level_;
    near = near && std::abs(std::remainder(rig->heading_rad_ - rigs[0]->heading_rad_, 2 * std::numbers::pi_v<float>)) <
                       kNearHeading_rad;
  }
  for (CameraRig* rig : rigs) {
    if (near) rig->heading_rad_ = rigs[0]->heading_rad_;
    rig->fit_all();
  }
  const bool one_scale = largest < kNearSize * smallest;
  // The aim and the distance depend on each other; two rounds suffice for the eye.
  for (int round = 0; round < 3; ++round) {
    float distance = 0, half_height = 0, aim = 0;
    for (const CameraRig* rig : rigs) {
      distance = std::max(distance, rig->used_distance_m());
      half_height = std::max(half_height, rig->follows_ ? rig->half_height_m_ : rig->all_half_height_m_);
    }
    for (const CameraRig* rig : rigs)
      aim = std::max(aim, rig->aim_m_ / (one_scale ? distance : rig->used_distance_m()));
    for (CameraRig* rig : rigs) {
      if (level) rig->aim_m_ = aim * (one_scale ? distance : rig->used_distance_m());
      rig->fit_all();
      if (!one_scale) continue;
      rig->distance_m_ = std::max(rig->distance_m_, distance);
      rig->all_distance_m_ = std::max(rig->all_distance_m_, distance);
      rig->half_height_m_ = std::max(rig->half_height_m_, half_height);
      rig->all_half_height_m_ = std::max(rig->all_half_height_m_, half_height);
    }
  }
}

Vec3 CameraRig::back() const {
  const float yaw = heading_rad_ + placement_.yaw_deg * kRadians, pitch = placement_.pitch_deg * kRadians;
  return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
}

void CameraRig::fit(Vec3 target, std::span<const Vec3> outline, float& distance_m, float& half_height_m) const {
  constexpr float kMargin = 1.16F;
  const Affine camera_from_world = inverse(render::look_at(back(), {}).world_from_camera);
  const float tan_y = std::tan(kFovY * 0.5F), tan_x = tan_y * aspect_;
  for (const Vec3 point : outline) {
    const Vec3 seen = camera_from_world.apply_vector(point - target);
    // At distance d the point is d - z away, and there the picture reaches (d - z) * tan to each side.
    distance_m = std::max(
        {distance_m, seen.z + std::abs(seen.x) * kMargin / tan_x, seen.z + std::abs(seen.y) * kMargin / tan_y});
    half_height_m = std::max({half_height_m, std::abs(seen.y) * kMargin, std::abs(seen.x) * kMargin / aspect_});
  }
}

CameraRig::View CameraRig::look(Vec3 target, float distance_m, float half_height_m) const {
  if (placement_.distance_m > 0) distance_m = placement_.distance_m;
  View view{render::look_at(target + back() * distance_m, target), target};
  view.camera.fov_y_rad = kFovY;
  view.camera.near_m = std::max(0.01F * distance_m, 1e-3F);
  if (placement_.orthographic) {
    view.camera.ortho_height_m = 2 * half_height_m;
    view.camera.ortho_depth_m = distance_m * 4;
  }
  return view;
}

// A line through the past and future positions of the body, weighted by nearness in time. All positions are known
// beforehand, so the camera neither lags nor jerks. Unlike a mean, the line is not drawn inwards at the clip's ends.
Vec3 CameraRig::followed(double time_s) const {
  const double spacing = centers_.size() > 1 ? centers_[1].time_s - centers_[0].time_s : 1;
  double w = 0, wt = 0, wtt = 0;
  Vec3d wp{}, wtp{};
  for (const Center& center : centers_) {
    const double t = center.time_s - time_s, d = t / std::max(kSmoothing_s, spacing), weight = std::exp(-0.5 * d * d);
    const Vec3d p = to_double(center.position_m);
    w += weight;
    wt += weight * t;
    wtt += weight * t * t;
    wp += p * weight;
    wtp += p * (weight * t);
  }
  const double det = w * wtt - wt * wt;
  // The line's value at t = 0. A single sample has no slope.
  Vec3 target = to_float(det > 1e-12 * w * w ? (wp * wtt - wtp * wt) / det : wp / w);
  if (level_) target.y = extent_.lowest_m + aim_m_;
  return target;
}

CameraRig::View CameraRig::at(double time_s) const {
  if (!follows_) return overview();
  const double duration_s = centers_.back().time_s;
  const double wrapped = duration_s > 0 ? std::fmod(time_s, duration_s + 1e-9) : 0;
  return look(followed(wrapped), distance_m_, half_height_m_);
}

CameraRig::View CameraRig::overview() const { return look(middle(), all_distance_m_, all_half_height_m_); }

}  // namespace zoe::scene
