// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Outputs of a walking crowd: a film, a picture, a sheet, a file of motions.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "zoe/control/crowd.h"
#include "zoe/eval/crowd_scenes.h"
#include "zoe/scene/displayed_body.h"

namespace zoe::cli {

struct CrowdShot {
  const eval::CrowdScene* scene = nullptr;
  std::filesystem::path output;
  bool sheet = false;  // Many moments from above in one picture.
  int width = 1280, height = 720;
  double seconds = 10;
  double fps = 30;  // Moments a second that are looked at.
  scene::DisplayedBody body;
};

struct CrowdOutput {
  std::optional<Vec3> eye_m;  // Position of the viewer.
  std::function<Result<void>(const control::Crowd& crowd, double time_s)> look;
  std::function<Result<void>()> finish;
};

// .mp4 .gif .webp .png, by the renderer.
Result<CrowdOutput> film_crowd(const CrowdShot& shot, const std::shared_ptr<control::Crowd>& crowd);
// .npz: arrays over frames and characters; .glb: one file with the joints of all characters.
Result<CrowdOutput> record_crowd(const CrowdShot& shot, const control::Crowd& crowd);

}  // namespace zoe::cli
