// SPDX-License-Identifier: MIT
#include "view_camera.h"

#include <algorithm>
#include <cmath>

namespace zoe::viewer {
namespace {

constexpr float kFovY = 0.6F;
constexpr float kMaxPitch = 1.55F;  // As in scene::Camera.
constexpr float kStickTurn_rad_s = 2.2F;
constexpr int kRightStickX = 2, kRightStickY = 3;  // GLFW's order.

}  // namespace

const char* to_string(ViewCamera::Mode mode) {
  switch (mode) {
    case ViewCamera::Mode::kOrbit:
      return "orbit";
    case ViewCamera::Mode::kFree:
      return "free";
    case ViewCamera::Mode::kFollow:
      return "follow";
    case ViewCamera::Mode::kFixed:
      return "fixed";
  }
  return "?";
}

void ViewCamera::set_mode(Mode mode) {
  if (mode == camera_.mode) return;
  const Affine& seen = camera_.world_from_camera;
  // Yaw of a following camera counts from the body's back, that of the others from +Z.
  camera_.yaw_rad = mode == Mode::kFollow ? 0.35F : std::atan2(seen.z.x, seen.z.z);
  camera_.pitch_rad = mode == Mode::kFollow ? 0.25F : std::asin(std::clamp(seen.z.y, -1.0F, 1.0F));
  camera_.position = seen.t;
  fixed_ = seen;
  camera_.mode = mode;
}

void ViewCamera::frame(float width_m, float height_m, float depth_m, float ground_m, float aspect) {
  size_m_ = std::max({height_m, width_m * 0.8F, 1e-3F});
  camera_.pivot = {0, ground_m + 0.5F * height_m, 0};
  camera_.fov_y_rad = kFovY;
  // The box of the largest body must be in the picture. Seen from above, its depth adds to its height, and its near
  // side is half its depth nearer than the pivot.
  const float pitch = std::abs(camera_.pitch_rad);
  const float seen_height_m = height_m * std::cos(pitch) + depth_m * std::sin(pitch);
  const float half = 0.5F * std::max(seen_height_m, width_m / std::max(aspect, 0.1F)) * 1.1F;
  camera_.distance_m = std::max(half / std::tan(kFovY / 2) + 0.5F * depth_m, 1e-3F);
  camera_.near_m = 0.005F * size_m_;
  camera_.speed_m_s = 1.5F * size_m_;
}

void ViewCamera::turn_to(float yaw_rad, float pitch_rad) {
  camera_.yaw_rad = yaw_rad;
  camera_.pitch_rad = pitch_rad;
}

void ViewCamera::turn(float right_px, float down_px) {
  if (camera_.mode == Mode::kFixed) return;
  camera_.yaw_rad -= right_px * camera_.turn_rad_px;
  camera_.pitch_rad = std::clamp(camera_.pitch_rad + down_px * camera_.turn_rad_px, -kMaxPitch, kMaxPitch);
}

void ViewCamera::pan(float right_px, float down_px) {
  if (camera_.mode == Mode::kFixed) return;
  const Affine& seen = camera_.world_from_camera;
  const Vec3 way = (seen.y * down_px - seen.x * right_px) * (camera_.distance_m * 0.0012F);
  (camera_.mode == Mode::kFree ? camera_.position : camera_.pivot) += way;
}

void ViewCamera::update(const scene::Input& input, double frame_s, const Affine& target) {
  const float stick_px = kStickTurn_rad_s * static_cast<float>(frame_s) / camera_.turn_rad_px;
  turn(input.axis(kRightStickX) * stick_px, input.axis(kRightStickY) * stick_px);
  scene::update_camera(camera_, input, frame_s, &fixed_, &target);
  looked_at_ = camera_.pivot + target.t;
  if (camera_.mode == Mode::kFree) looked_at_ = camera_.position - camera_.world_from_camera.z * size_m_ * 2.0F;
}

render::Camera ViewCamera::seen() const {
  render::Camera camera;
  camera.world_from_camera = camera_.world_from_camera;
  camera.fov_y_rad = camera_.fov_y_rad;
  camera.near_m = camera_.near_m;
  return camera;
}

}  // namespace zoe::viewer
