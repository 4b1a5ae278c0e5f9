// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. A film of the picture at a constant rate, independent of the window's.
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/render/film_writer.h"
#include "zoe/render/renderer.h"

namespace zoe::viewer {

class ViewFilm {
 public:
  // The film is playable whenever this is destroyed.
  static Result<std::unique_ptr<ViewFilm>> open(const std::filesystem::path& path, int width, int height, double now_s);

  // Adds the picture that the renderer drew last, as often as the time requires. Fails where it cannot be written.
  Result<void> add(render::Renderer& renderer, double now_s);
  Result<void> finish();
  const std::filesystem::path& path() const { return path_; }
  int num_pictures() const { return num_pictures_; }

 private:
  ViewFilm() = default;
  std::filesystem::path path_;
  int width_ = 0, height_ = 0;
  double start_s_ = 0;
  int num_pictures_ = 0;
  render::Picture picture_, page_;
  std::unique_ptr<render::FilmWriter> writer_;
};

// zoe_1.png, zoe_2.png …: the first unused name here.
std::string free_name(const std::string& stem, const std::string& extension);

}  // namespace zoe::viewer
