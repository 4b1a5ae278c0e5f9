// SPDX-License-Identifier: MIT
#include "film.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/interrupt.h"
#include "zoe/core/progress.h"
#include "zoe/ground/terrain.h"
#include "zoe/math/box.h"
#include "zoe/scene/displayed_body.h"
#include "zoe/scene/film.h"

#include "verb.h"

namespace zoe::cli {
namespace {

// Formulas are drawn as a grid around the walk.
GroundPtr drawable(const GroundPtr& ground, const Motion& motion) {
  if (ground->shape() != Ground::Shape::kFunction) return ground;
  Box3 walked;
  for (int f = 0; f < motion.num_frames; ++f) walked.add(motion.frame(f).translations[0]);
  constexpr float kMargin_m = 6;
  const Result<GroundPtr> grid = sampled_ground(*ground, walked.min.x - kMargin_m, walked.min.z - kMargin_m,
                                                walked.max.x + kMargin_m, walked.max.z + kMargin_m, 0.04F);
  return grid ? *grid : nullptr;
}

}  // namespace

int draw_film(scene::FilmRequest& request) {
  std::optional<InterruptGuard> guard;  // Ctrl-C ends a film after the current picture.
  if (!request.sheet && request.output.extension() != ".png") guard.emplace();
  std::optional<Progress> progress;
  request.on_picture = [&](int, int num_all) {
    if (!progress) {
      progress.emplace("render", static_cast<std::uint64_t>(num_all),
                       ProgressOptions{.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto,
                                       .unit = request.sheet ? "poses" : "frames"});
    }
    progress->advance();
    return !guard || !guard->interrupted();
  };
  const Result<scene::FilmReport> report = scene::make_film(request);
  progress.reset();
  if (!report) return print_error(report.error());
  print_warnings(report->warnings);
  if (!quiet()) {
    fmt::print("{}: {} picture{}, {:.1f} s, {:.1f} a second{}\n", request.output.string(), report->num_pictures,
               report->num_pictures == 1 ? "" : "s", report->seconds,
               report->num_pictures / std::max(report->seconds, 1e-3),
               report->interrupted ? "; interrupted, the finished part is kept" : "");
  }
  return report->interrupted ? kFailed : kDone;
}

int write_film(const Motion& motion, const MotionFilm& film, bool quietly) {
  scene::FilmRequest request{.output = film.output, .width = film.width, .height = film.height, .fps = film.fps};
  const std::string title = request.output.filename().string();
  if (film.body != nullptr && film.body->has_mesh() && film.style != "skeleton") {
    request.clips = {
        scene::ClipOnBody{.title = title,
                          .character = film.body->character,
                          .motion = std::make_shared<const Motion>(scene::displayed_motion(motion, *film.body)),
                          .metres_per_unit = film.body->metres_per_unit,
                          .image_folder = film.body->image_folder}};
  } else {
    request.clips = {scene::make_bare_clip(motion, title)};
  }
  if (film.ground != nullptr) request.ground = drawable(film.ground, motion);
  request.look.bones = film.style == "skeleton";
  request.look.signs.trajectory = film.trajectory;
  request.sheet = film.style == "sheet";
  request.start_s = film.start_s;
  request.seconds = film.seconds;
  request.labels = film.labels;
  request.quality = film.low_quality ? render::Quality::kLow : render::Quality::kMedium;
  return run_quietly(quietly, [&] { return draw_film(request); });
}

}  // namespace zoe::cli
