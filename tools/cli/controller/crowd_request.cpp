// SPDX-License-Identifier: MIT
#include "controller/crowd_request.h"

#include <algorithm>

#include "character_option.h"
#include "range_option.h"

namespace zoe::cli {

bool wants_crowd(const Arguments& arguments) {
  return std::any_of(arguments.words.begin(), arguments.words.end(),
                     [](const std::string& word) { return word == "--crowd" || word.starts_with("--crowd="); });
}

std::optional<int> parse_crowd(const Arguments& arguments, CrowdRequest& request) {
  Options app;
  std::string size, sizes, legs, lod;
  app.add_option("run", request.run, "Run folder of `zoe train controller`")->required();
  app.add_option("--crowd", request.crowd.num_characters, "N characters")->between(0, 100000)->required();
  app.add_option("--scene", request.crowd.scene,
                 "streams: two groups cross; swap: all to the other side of a circle; facing: two groups through "
                 "each other; goals: random places")
      ->capture_default_str();
  app.add_option("--character", request.character, kCharacterHelp)->type_name("FILE")->reads();
  app.add_option("--spacing", request.crowd.spacing_m, "Distance between characters at the start, m")
      ->between(0.3, 100.0, "m")
      ->capture_default_str();
  app.add_option("--speed", request.crowd.speed_mps, "Speed of all characters, within a tenth, m/s")
      ->between(0.0, 12.0, "m/s")
      ->capture_default_str();
  app.add_option("--radius", request.crowd.radius_m, "Radius of a body on the ground, m")
      ->between(0.01, 10.0, "m")
      ->capture_default_str();
  bool no_avoid = false;
  app.add_flag("--no-avoid", no_avoid, "No avoidance");
  app.add_option("--sizes", sizes, "Sizes of bodies as a ratio to the model's, drawn for each")->type_name("MIN,MAX");
  app.add_option("--legs", legs, "Size of pelvis and legs as a ratio to that of the rest")->type_name("MIN,MAX");
  app.add_option(
         "--lod", lod,
         "Distances to the camera, m, from which the model runs every second and every third step, and feet are "
         "not locked")
      ->type_name("HALF,THIRD");
  app.add_option("--budget", request.crowd.max_full, "At most N characters, the nearest, run every step of the model")
      ->between(1, 100000);
  app.add_option("--seconds", request.seconds, "Length in seconds; default 20 without a window, unlimited in one")
      ->between(0.1, 36000.0, "s");
  app.add_option("--fps", request.fps, "Ticks a second")
      ->between(1.0, 1000.0, "ticks per second")
      ->capture_default_str();
  app.add_option("--seed", request.crowd.seed, "Seed of speeds, sizes and random positions")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--style", request.style, "Style of a picture: studio, or sheet: many moments from above")
      ->one_of({"studio", "sheet"});
  app.add_option("-o,--out", request.output,
                 "Film (.mp4 .gif .webp), picture (.png) or motions (.npz .glb), instead of a window")
      ->writes();
  app.add_flag("--headless", request.headless, "No window, even where there is a display");
  add_window_flags(app, request, size);
  if (const auto exit = parse(app, arguments)) return exit;
  if (const auto read = read_window_flags(request, size); !read) return print_error(read.error());
  request.crowd.avoids = !no_avoid;
  if (const auto read = read_ranges({{"--sizes", &sizes, {0.1F, 10}, &request.crowd.sizes},
                                     {"--legs", &legs, {0.5F, 2}, &request.crowd.legs},
                                     {"--lod", &lod, {0, 1e6F}, &request.crowd.detail_from_m}});
      !read)
    return print_error(read.error());
  // A mesh has one size; bones are drawn in every size.
  if (request.crowd.sizes || request.crowd.legs) {
    if (!request.character.empty() && request.character != kBones)
      return print_error(Error{ErrorCode::kUsage, "either --character, or --sizes and --legs, which draw bones", {}});
    request.character = kBones;
  }
  if (!request.record.empty()) return print_error(Error{ErrorCode::kUsage, "a crowd takes no input to --record", {}});
  return std::nullopt;
}

}  // namespace zoe::cli
