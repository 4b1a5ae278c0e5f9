// SPDX-License-Identifier: MIT
// Part of Zoetrope. A camera for films: it chooses its own position and follows the body. Only in builds with the
// renderer.
#pragma once

#include <span>
#include <vector>

#include "zoe/render/camera.h"
#include "zoe/scene/extent.h"

namespace zoe::scene {

// Direction and distance of the camera from a body.
struct CameraPlacement {
  float yaw_deg = 32, pitch_deg = 12;  // Around the body from its front, and above the horizon.
  float distance_m = 0;                // 0: the body fills the picture.
  bool orthographic = false;
};

class CameraRig {
 public:
  // Stays fixed when the motion needs little more space than the body itself, else moves along with the body.
  CameraRig(const BodyExtent& extent, const CameraPlacement& placement, float aspect);

  struct View {
    render::Camera camera;
    Vec3 target_m;
  };
  View at(double time_s) const;
  // Of the whole clip at once: for pictures with many poses.
  View overview() const;
  bool follows() const { return follows_; }
  // The direction that `yaw_deg` counts from: the body's front, from +Z towards +X.
  float heading_rad() const { return heading_rad_; }

  // For pictures beside each other: the same heading where the bodies' fronts are near, the same scale where their
  // sizes are, and their floors at one height of the picture.
  static void share(std::span<CameraRig* const> rigs);

 private:
  struct Center {
    double time_s = 0;
    Vec3 position_m;
  };
  View look(Vec3 target, float distance_m, float half_height_m) const;
  Vec3 back() const;  // Unit, from the target to the camera.
  Vec3 followed(double time_s) const;
  Vec3 middle() const;  // Of the whole clip.
  float used_distance_m() const { return follows_ ? distance_m_ : all_distance_m_; }
  // Distances and heights for the present heading and aim.
  void fit_all();
  // Grows the fields below until the outline, relative to the target, is inside the picture.
  void fit(Vec3 target, std::span<const Vec3> outline, float& distance_m, float& half_height_m) const;

  std::vector<Center> centers_;  // Of the body, by rising time.
  CameraPlacement placement_;
  float aspect_ = 1;
  bool follows_ = false;
  BodyExtent extent_;
  float heading_rad_ = 0;  // The body's front, else its direction of travel, from +Z towards +X.
  bool level_ = false;     // The camera keeps its height, so that the floor stays where it is in the picture.
  float aim_m_ = 0;        // Then: height of the target above the floor.
  Vec3 all_min_, all_max_;
  float distance_m_ = 0, half_height_m_ = 0;          // While following.
  float all_distance_m_ = 0, all_half_height_m_ = 0;  // For the overview.
};

}  // namespace zoe::scene
