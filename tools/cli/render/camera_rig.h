// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A camera that finds its own place and follows what moves.
#pragma once

#include <span>
#include <string>

#include "zoe/render/camera.h"

#include "render/actor.h"

namespace zoe::cli {

// `auto`, `front`, `back`, `left`, `right`, `top`, `iso`, or `YAW,PITCH[,DISTANCE]`: degrees around the body from its front
// and above the horizon, metres.
struct CameraWish {
  bool automatic = true;
  float yaw_deg = 32, pitch_deg = 12;
  float distance_m = 0;  // 0: so that the body fills the picture.
  bool orthographic = false;
};
Result<CameraWish> parse_camera(const std::string& text);

class CameraRig {
 public:
  // Looks at everything that the body does when that is little more than its own size, else goes along with it.
  CameraRig(const ActorExtent& extent, const CameraWish& wish, float aspect);

  struct View {
    render::Camera camera;
    Vec3 target_m;
  };
  View at(double time_s) const;
  // Of the whole clip at once: for pictures that show many poses.
  View overview() const;

 private:
  View look(Vec3 target, float distance_m, float half_height_m) const;
  Vec3 back() const;  // Unit, from what is looked at to the camera.
  Vec3 followed(double time_s) const;
  // Grows the fields below until the outline, seen against the target, is inside the picture.
  void fit(Vec3 target, std::span<const Vec3> outline, float& distance_m, float& half_height_m) const;

  const ActorExtent& extent_;
  CameraWish wish_;
  float aspect_ = 1;
  bool follows_ = false;
  float travel_yaw_rad_ = 0;  // Where the body goes, from +Z towards +X.
  Vec3 all_min_, all_max_;
  float distance_m_ = 0, half_height_m_ = 0;          // While following.
  float all_distance_m_ = 0, all_half_height_m_ = 0;  // For the overview.
};

}  // namespace zoe::cli
