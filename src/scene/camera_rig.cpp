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
    : placement_(placement), aspect_(aspect) {
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
  if (std::hypot(travel.x, travel.z) > 0.6F * extent.size_m) travel_yaw_rad_ = std::atan2(travel.x, travel.z);
  for (const auto& sample : extent.samples) {
    fit(followed(sample.time_s), sample.outline, distance_m_, half_height_m_);
    fit((all_min_ + all_max_) * 0.5F, sample.outline, all_distance_m_, all_half_height_m_);
  }
}

Vec3 CameraRig::back() const {
  const float yaw = travel_yaw_rad_ + placement_.yaw_deg * kRadians, pitch = placement_.pitch_deg * kRadians;
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
  return to_float(det > 1e-12 * w * w ? (wp * wtt - wtp * wt) / det : wp / w);
}

CameraRig::View CameraRig::at(double time_s) const {
  if (!follows_) return overview();
  const double duration_s = centers_.back().time_s;
  const double wrapped = duration_s > 0 ? std::fmod(time_s, duration_s + 1e-9) : 0;
  return look(followed(wrapped), distance_m_, half_height_m_);
}

CameraRig::View CameraRig::overview() const {
  return look((all_min_ + all_max_) * 0.5F, all_distance_m_, all_half_height_m_);
}

}  // namespace zoe::scene
