// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a film is asked for, and what it reports.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "zoe/ground/ground.h"
#include "zoe/render/picture.h"
#include "zoe/render/settings.h"
#include "zoe/scene/camera_rig.h"
#include "zoe/scene/clip_actor.h"

namespace zoe::scene {

struct FilmRequest {
  std::vector<ClipOnBody> clips;  // At least one; several are drawn side by side.
  // A picture (.png), a film (.mp4 .gif .webp), or a folder (no extension) for one PNG per frame.
  std::filesystem::path output;
  // Receives each finished picture instead of a file; `output` stays empty. A sheet and a still (time_s of at least 0)
  // are one picture, anything else a picture for each frame.
  std::function<Result<void>(const render::Picture&)> on_page;
  GroundPtr ground;  // Below all clips; a grid or a mesh (see sampled_ground()). Null: flat below the feet.
  ClipLook look;
  CameraPlacement camera;
  int width = 1280, height = 720;
  double fps = 30;
  double start_s = 0;
  double seconds = 0;  // 0: the whole clip, the longest of several. Shorter clips repeat.
  double time_s = -1;  // Of a single picture; below 0: the middle.
  bool sheet = false;  // Many poses in one picture.
  int num_poses = 12;  // Of a sheet, for each clip.
  int num_ghosts = 0;  // Behind the body in a film, over the whole clip in a picture.
  bool labels = true;  // Titles and times on sheets and comparisons.
  bool transparent = false;
  int supersampling = 1;
  render::Quality quality = render::Quality::kMedium;
  render::DrawStyle style = render::DrawStyle::kPlain;  // Others are drawn by the software rasteriser.
  bool software = false;  // Draws on the CPU alone. Without OpenGL that is the fallback, with a warning.
  std::filesystem::path shader_folder;
  // Called after each pose of a sheet and each frame of a film. False ends it, and the drawn part is kept.
  std::function<bool(int num_done, int num_all)> on_picture;
};

struct FilmReport {
  int num_pictures = 0;
  double seconds = 0;  // Time for drawing and writing.
  bool interrupted = false;
  std::string driver;
  Warnings warnings;
};

}  // namespace zoe::scene
