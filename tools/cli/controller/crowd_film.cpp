// SPDX-License-Identifier: MIT
#include "zoe/scene/crowd_film.h"

#include "controller/crowd_output.h"

namespace zoe::cli {

Result<CrowdOutput> film_crowd(const CrowdShot& shot, const std::shared_ptr<control::Crowd>& crowd) {
  scene::CrowdFilmRequest request{.output = shot.output,
                                  .sheet = shot.sheet,
                                  .width = shot.width,
                                  .height = shot.height,
                                  .seconds = shot.seconds,
                                  .fps = shot.fps,
                                  .groups = shot.scene->groups,
                                  .positions_m = shot.scene->goals,
                                  .body = shot.body};
  for (const PlanarRoot& start : shot.scene->places) request.positions_m.push_back(start.position);
  ZOE_TRY_ASSIGN(std::unique_ptr<scene::CrowdFilm> opened, scene::CrowdFilm::open(request, crowd));
  const std::shared_ptr<scene::CrowdFilm> film = std::move(opened);
  return CrowdOutput{.eye_m = film->eye_m(),
                     .look = [film](const control::Crowd&, double time_s) { return film->look(time_s); },
                     .finish = [film] { return film->finish(); }};
}

}  // namespace zoe::cli
