// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Films and pictures of clips in memory, and motions of controllers as files.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/core/result.h"
#include "zoe/ground/ground.h"
#include "zoe/motion/motion.h"

namespace zoe::scene {
struct DisplayedBody;
struct FilmRequest;
}  // namespace zoe::scene

namespace zoe::cli {

// Draws with progress and Ctrl-C, and prints the result. Returns an exit code.
int draw_film(scene::FilmRequest& request);

// A film, picture or sheet of one motion in metres, as bones or on a body.
struct MotionFilm {
  std::string output, style = "studio";  // studio, skeleton, sheet.
  int width = 1280, height = 720;
  double fps = 30, start_s = 0, seconds = 0;  // 0: all of it.
  bool low_quality = false, trajectory = false, labels = true;
  const scene::DisplayedBody* body = nullptr;  // Null: bones.
  GroundPtr ground = {};                       // Drawn below the motion; null: flat.
};
// Exists also in builds without the renderer, where it prints an error. `quietly`: as with --quiet. Returns an exit
// code.
int write_film(const Motion& motion, const MotionFilm& film, bool quietly = false);

// What `-o FILE` draws of a motion: a picture (.png) is a sheet of its poses, because one pose is no motion.
std::string film_style(const std::filesystem::path& path);

// .mp4, .gif, .webp or .png.
bool is_film(const std::filesystem::path& path);

// body: null, or the character that the motion is moved onto.
Result<void> write_motion(const Motion& motion, const std::filesystem::path& path,
                          const scene::DisplayedBody* body = nullptr);

}  // namespace zoe::cli
