// SPDX-License-Identifier: MIT
#include "draw_tour.h"

#include "film.h"
#include "verb.h"

namespace zoe::cli {

bool draw_tour(const Motion& tour, const std::filesystem::path& folder) {
  const MotionFilm sheet{
      .output = (folder / "sheet.png").string(), .style = "sheet", .start_s = 4, .seconds = 1.4, .labels = false};
  const MotionFilm film{
      .output = (folder / "film.mp4").string(), .width = 640, .height = 360, .fps = 25, .low_quality = true};
  return write_film(tour, sheet, true) == kDone && write_film(tour, film, true) == kDone;
}

}  // namespace zoe::cli
