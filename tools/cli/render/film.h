// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What `zoe render` draws: a picture, a sheet of poses, or a film of one or more clips.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/render/settings.h"

#include "render/actor.h"
#include "render/camera_rig.h"

namespace zoe::cli {

struct FilmRequest {
  std::vector<std::string> files;
  std::filesystem::path output;
  ActorOptions actor;
  CameraWish camera;
  int width = 1280, height = 720;
  double fps = 30;
  double start_s = 0;
  double seconds = 0;  // 0: the whole clip, the longest of several.
  double time_s = -1;  // Of a single picture; below 0: the middle.
  bool sheet = false;
  int num_poses = 12;  // Of a sheet.
  int num_ghosts = 0;
  bool labels = true;  // Titles and times on sheets and comparisons.
  bool transparent = false;
  int supersampling = 1;
  render::Quality quality = render::Quality::kMedium;
  std::filesystem::path shader_folder;
};

struct FilmReport {
  int num_pictures = 0;
  double seconds = 0;  // It took to draw and write.
  bool interrupted = false;
  std::string driver;
  Warnings warnings;
};

Result<FilmReport> make_film(const FilmRequest& request);

}  // namespace zoe::cli
