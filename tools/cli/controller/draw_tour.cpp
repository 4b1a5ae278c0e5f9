// SPDX-License-Identifier: MIT
#include "controller/draw_tour.h"

#include "controller/film.h"
#include "verb.h"

namespace zoe::cli {

bool draw_tour(const Motion& tour, const std::filesystem::path& folder) {
  return write_film(tour, (folder / "sheet.png").string(),
                    {"--style", "sheet", "--start", "4", "--seconds", "1.4", "--no-labels", "--quiet"}) == kDone &&
         write_film(tour, (folder / "film.mp4").string(),
                    {"--size", "640x360", "--fps", "25", "--quality", "low", "--quiet"}) == kDone;
}

}  // namespace zoe::cli
