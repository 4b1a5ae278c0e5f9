// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What becomes of a crowd that walks: a film, a picture, a sheet, a
// file of motions.
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/control/crowd.h"
#include "zoe/eval/crowd_scenes.h"

namespace zoe::cli {

struct CrowdShot {
  const eval::CrowdScene* scene = nullptr;
  std::filesystem::path output;
  bool sheet = false;  // Many moments from above in one picture, with the ways that were walked.
  int width = 1280, height = 720;
  double seconds = 10;
  double fps = 30;  // Moments a second that are looked at.
};

class CrowdWatcher {
 public:
  virtual ~CrowdWatcher() = default;
  virtual std::optional<Vec3> eye() const { return {}; }  // From where it looks.
  // Once every 1 / fps, the first at time 0.
  virtual Result<void> look(const control::Crowd& crowd, double time_s) = 0;
  virtual Result<void> finish() = 0;
};

// .mp4 .gif .webp .png, by the renderer.
Result<std::unique_ptr<CrowdWatcher>> film_crowd(const CrowdShot& shot, const control::Crowd& crowd);
// .npz: arrays over frames and characters; .glb: one file with everybody's joints.
Result<std::unique_ptr<CrowdWatcher>> record_crowd(const CrowdShot& shot, const control::Crowd& crowd);

}  // namespace zoe::cli
