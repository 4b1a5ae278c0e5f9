// SPDX-License-Identifier: MIT
// Part of Zoetrope. A crowd as a film, a picture or a sheet of moments from above. Only in builds with the renderer.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/render/camera.h"
#include "zoe/scene/displayed_body.h"

namespace zoe::scene {

struct CrowdFilmRequest {
  std::filesystem::path output;  // .mp4 .gif .webp, or .png: the middle.
  bool sheet = false;            // 4 × 3 moments from above in one picture, with the paths of the seconds before.
  int width = 1280, height = 720;
  double seconds = 10;
  double fps = 30;                // Rate of the calls of look().
  std::vector<int> groups;        // [characters] Group of equal colour, from 0.
  std::vector<Vec3> positions_m;  // Starts and goals of characters: the camera of a sheet contains all of them.
  DisplayedBody body;             // Default: the controller's bones.
};

// Displays a crowd that other code ticks.
class CrowdFilm {
 public:
  static Result<std::unique_ptr<CrowdFilm>> open(const CrowdFilmRequest& request,
                                                 std::shared_ptr<control::Crowd> crowd);
  virtual ~CrowdFilm() = default;

  virtual Vec3 eye_m() const = 0;  // Of the camera.
  // The present crowd, once every 1 / fps. The first at time 0.
  virtual Result<void> look(double time_s) = 0;
  virtual Result<void> finish() = 0;
};

// Cameras that contain all points, in a picture of this aspect.
struct FramedView {
  render::Camera camera;
  float distance_m = 1;  // From the camera to the middle of the points.
};
FramedView frame_from_front(std::span<const Vec3> points_m, float aspect);
FramedView frame_from_above(std::span<const Vec3> points_m, float aspect);

}  // namespace zoe::scene
