// SPDX-License-Identifier: MIT
#include "zoe/scene/camera.h"

#include <algorithm>
#include <cmath>

namespace zoe::scene {
namespace {

constexpr float kMaxPitch = 1.55F;  // Slightly below straight up, where yaw is undefined.

// The camera's frame at a yaw and pitch around its target: its +Z points back at the camera.
Quat frame_of(float yaw_rad, float pitch_rad) {
  return from_axis_angle(Vec3{0, 1, 0}, yaw_rad) * from_axis_angle(Vec3{1, 0, 0}, -pitch_rad);
}

void turn_by_pointer(Camera& camera, const Input& input) {
  if (!input.button(1)) return;
  camera.yaw_rad -= input.pointer_moved().x * camera.turn_rad_px;
  camera.pitch_rad = std::clamp(camera.pitch_rad + input.pointer_moved().y * camera.turn_rad_px, -kMaxPitch, kMaxPitch);
}

void fly(Camera& camera, const Input& input, float frame_s) {
  const auto way = [&](int plus, int minus) {
    return static_cast<float>(input.key(plus)) - static_cast<float>(input.key(minus));
  };
  const Vec3 direction{way('D', 'A'), way('E', 'Q'), way('S', 'W')};
  const float speed = camera.speed_m_s * (input.key(static_cast<int>(Key::kShift)) ? 4.0F : 1.0F);
  camera.position += rotate(frame_of(camera.yaw_rad, camera.pitch_rad), normalized(direction)) * (speed * frame_s);
}

}  // namespace

Affine look_at(Vec3 eye, Vec3 point, Vec3 up) {
  const Vec3 back = normalized(eye - point, {0, 0, 1});
  const Vec3 other = std::abs(back.y) < 0.9F ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 right = normalized(cross(up, back), normalized(cross(other, back)));
  return {right, cross(back, right), back, eye};
}

void update_camera(Camera& camera, const Input& input, double frame_s, const Affine* own, const Affine* target) {
  if (camera.mode == Camera::Mode::kFixed) {
    if (own != nullptr) camera.world_from_camera = *own;
    camera.started = false;
    return;
  }
  const auto dt_s = static_cast<float>(frame_s);
  turn_by_pointer(camera, input);
  if (camera.mode == Camera::Mode::kFree) {
    fly(camera, input, dt_s);
    camera.world_from_camera = to_affine(frame_of(camera.yaw_rad, camera.pitch_rad));
    camera.world_from_camera.t = camera.position;
    camera.started = false;
    return;
  }
  // Each notch of the wheel is a tenth of the distance.
  camera.distance_m = std::clamp(camera.distance_m * std::pow(0.9F, input.scrolled().y), 0.05F, 1000.0F);
  float yaw_rad = camera.yaw_rad;
  if (camera.mode == Camera::Mode::kFollow && target != nullptr) {
    yaw_rad += std::atan2(-target->z.x, -target->z.z);  // Behind: opposite to the target's +Z.
  }
  const Vec3 pivot = camera.pivot + (target != nullptr ? target->t : Vec3{});
  const Quat rotation = frame_of(yaw_rad, camera.pitch_rad);
  if (!camera.started) {
    camera.smooth_pivot = {pivot, {}};
    camera.smooth_rotation = {rotation, {}};
    camera.smooth_distance = {camera.distance_m, 0};
    camera.started = true;
  }
  camera.smooth_pivot = advance(camera.smooth_pivot, pivot, camera.half_life_s, dt_s);
  camera.smooth_rotation = advance(camera.smooth_rotation, rotation, camera.half_life_s, dt_s);
  camera.smooth_distance = advance(camera.smooth_distance, camera.distance_m, camera.half_life_s, dt_s);
  camera.world_from_camera = to_affine(camera.smooth_rotation.value);
  camera.world_from_camera.t = camera.smooth_pivot.value + camera.world_from_camera.z * camera.smooth_distance.value;
}

}  // namespace zoe::scene
