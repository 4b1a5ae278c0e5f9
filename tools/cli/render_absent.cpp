// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe render`, and films of controllers, of a build without a renderer.
#include "controller/crowd_output.h"
#include "film.h"
#include "ground_option.h"
#include "sprite/evaluate.h"
#include "verbs.h"

namespace zoe::cli {

constexpr const char* kAbsent =
    "this zoe was built without its renderer: apt-get install libepoxy-dev libegl-dev libpng-dev libjpeg-dev, then "
    "build with ZOE_RENDER=ON";

int run_render(const Arguments&) {
  print_error(kAbsent);
  return kFailed;
}

int run_sprite(const Arguments&) {
  print_error(kAbsent);
  return kFailed;
}

int run_eval_sprite(const Arguments&) {
  print_error(kAbsent);
  return kFailed;
}

int write_film(const Motion&, const MotionFilm&, bool) {
  print_error(kAbsent);
  return kFailed;
}

Result<CrowdOutput> film_crowd(const CrowdShot&, const std::shared_ptr<control::Crowd>&) {
  return Error{ErrorCode::kUnsupported, kAbsent, {}};
}

Result<GroundPtr> ground_from_picture(const std::string& words, Warnings&) {
  return Error{ErrorCode::kUsage, "this build reads no pictures; give the heights as .npy", {.file = words}};
}

}  // namespace zoe::cli
