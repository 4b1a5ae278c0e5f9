// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The camera of the user: scene::Camera's modes, panning, framing, and switching modes
// without a jump.
#pragma once

#include "zoe/render/camera.h"
#include "zoe/scene/camera.h"

namespace zoe::viewer {

class ViewCamera {
 public:
  using Mode = scene::Camera::Mode;

  Mode mode() const { return camera_.mode; }
  // The view does not change; the new mode continues from there.
  void set_mode(Mode mode);
  // Looks at bodies of this size above the ground, in a picture of this aspect.
  void frame(float width_m, float height_m, float depth_m, float ground_m, float aspect);
  void turn_to(float yaw_rad, float pitch_rad);

  // The pointer moved by these pixels while it was held. Separate from update(), because slow frames get a whole drag
  // at once.
  void turn(float right_px, float down_px);
  void pan(float right_px, float down_px);

  // One frame. input: the wheel, keys to fly, sticks of gamepads. target: position and facing of the body.
  void update(const scene::Input& input, double frame_s, const Affine& target);

  render::Camera seen() const;
  Vec3 eye() const { return camera_.world_from_camera.t; }
  Vec3 looked_at() const { return looked_at_; }
  float yaw_rad() const { return camera_.yaw_rad; }
  float pitch_rad() const { return camera_.pitch_rad; }
  float distance_m() const { return camera_.distance_m; }

 private:
  scene::Camera camera_{.pivot = {0, 0.9F, 0}};
  Affine fixed_;  // kFixed: the transform when the mode began.
  Vec3 looked_at_;
  float size_m_ = 1.8F;
};

const char* to_string(ViewCamera::Mode mode);

}  // namespace zoe::viewer
