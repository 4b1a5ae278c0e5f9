// SPDX-License-Identifier: MIT
#include "film.h"

#include <cmath>

#include <fmt/format.h>

namespace zoe::viewer {
namespace {

constexpr double kFps = 30;
constexpr int kMostRepeats =
    30;  // After a pause of the whole program, such as a closed laptop, a film does not stand still for long.

}  // namespace

Result<std::unique_ptr<ViewFilm>> ViewFilm::open(const std::filesystem::path& path, int width, int height,
                                                 double now_s) {
  std::unique_ptr<ViewFilm> film(new ViewFilm);
  film->path_ = path;
  film->width_ = width & ~1;  // Video needs even sizes.
  film->height_ = height & ~1;
  film->start_s_ = now_s;
  ZOE_TRY_ASSIGN(film->writer_,
                 render::FilmWriter::open(path, {.width = film->width_, .height = film->height_, .fps = kFps}));
  film->page_ = render::make_picture(film->width_, film->height_, 0, 0, 0, 255);
  return film;
}

Result<void> ViewFilm::add(render::Renderer& renderer, double now_s) {
  const int due = static_cast<int>(std::floor((now_s - start_s_) * kFps)) + 1 - num_pictures_;
  if (due <= 0) return {};
  renderer.read_color(picture_);
  render::paste(picture_, 0, 0, page_);  // The window may have another size by now.
  for (int i = 0; i < due && i < kMostRepeats; ++i) ZOE_TRY(writer_->add(page_));
  num_pictures_ += due;
  return {};
}

Result<void> ViewFilm::finish() { return writer_->finish(); }

std::string free_name(const std::string& stem, const std::string& extension) {
  for (int i = 1;; ++i) {
    std::string name = fmt::format("{}_{}{}", stem, i, extension);
    if (!std::filesystem::exists(name)) return name;
  }
}

}  // namespace zoe::viewer
