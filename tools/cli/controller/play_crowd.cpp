// SPDX-License-Identifier: MIT
#include "controller/play_crowd.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "zoe/control/load.h"
#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/crowd_run.h"

#include "controller/crowd_output.h"
#include "film.h"
#include "size_option.h"

namespace zoe::cli {
namespace {

constexpr double kFilmFps = 30;

struct Request {
  std::string run, scene = "streams", output, style = "studio", size = "1280x720";
  int num_characters = 0;
  double seconds = 20, fps = 60, speed_mps = 1.3, spacing_m = 1.5, radius_m = 0.25;
  std::uint64_t seed = 1;
  bool no_avoid = false;
  std::string sizes, legs, lod;  // Two numbers each.
  int max_full = 0;
};

std::optional<int> parse(Request& request, const Arguments& arguments) {
  Options app;
  app.add_option("run", request.run, "Run folder of `zoe train controller`")->required();
  app.add_option("--crowd", request.num_characters, "N characters")->between(0, 100000)->required();
  app.add_option("--scene", request.scene,
                 "streams: two groups cross; swap: all to the other side of a circle; facing: two groups through "
                 "each other; goals: random places")
      ->capture_default_str();
  app.add_option("--spacing", request.spacing_m, "Distance between characters at the start, m")
      ->between(0.3, 100.0, "m")
      ->capture_default_str();
  app.add_option("--speed", request.speed_mps, "Speed of all characters, within a tenth, m/s")
      ->between(0.0, 12.0, "m/s")
      ->capture_default_str();
  app.add_option("--radius", request.radius_m, "Radius of a body on the ground, m")
      ->between(0.01, 10.0, "m")
      ->capture_default_str();
  app.add_flag("--no-avoid", request.no_avoid, "No avoidance");
  app.add_option("--sizes", request.sizes, "Sizes of bodies as a ratio to the model's, drawn for each")
      ->type_name("MIN,MAX");
  app.add_option("--legs", request.legs, "Size of pelvis and legs as a ratio to that of the rest")
      ->type_name("MIN,MAX");
  app.add_option(
         "--lod", request.lod,
         "Distances to the camera, m, from which the model runs every second and every third step, and feet are "
         "not locked")
      ->type_name("HALF,THIRD");
  app.add_option("--budget", request.max_full, "At most N characters, the nearest, run every step of the model")
      ->between(1, 100000);
  app.add_option("--seconds", request.seconds, "How long")->between(0.1, 36000.0, "s")->capture_default_str();
  app.add_option("--fps", request.fps, "Ticks a second")
      ->between(1.0, 1000.0, "ticks per second")
      ->capture_default_str();
  app.add_option("--seed", request.seed, "Seed of speeds, sizes and random positions")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--style", request.style, "Style of a picture: studio, or sheet: many moments from above")
      ->one_of({"studio", "sheet"});
  app.add_option("--size", request.size, "Size of a film or picture, WIDTHxHEIGHT")->capture_default_str();
  app.add_option("-o,--out", request.output, "Film (.mp4 .gif .webp), picture (.png) or motions (.npz .glb)")->writes();
  return parse(app, arguments);
}

using eval::Range;

// "0.8,1.2", the first not above the second, both within low … high.
Result<Range> parse_range(const char* option, const std::string& text, Range within) {
  Range range;
  int used = 0;
  if (std::sscanf(text.c_str(), "%f,%f%n", &range.first, &range.second, &used) == 2 &&
      static_cast<std::size_t>(used) == text.size() && range.first >= within.first && range.second <= within.second &&
      range.first <= range.second) {
    return range;
  }
  return Error{ErrorCode::kUsage,
               fmt::format("{} '{}': two numbers from {} to {}, the smaller one first, as {},{}", option, text,
                           within.first, within.second, within.first, within.second),
               {}};
}

void print_summary(const Request& request, const control::Crowd& crowd, const eval::CrowdDirector& director,
                   const eval::CrowdRunReport& report) {
  const auto num_ticks = static_cast<double>(report.num_ticks);
  const double simulated_s = num_ticks / request.fps;
  const double each_us = 1e6 * report.ticks_s / (num_ticks * std::max(crowd.size(), 1));
  fmt::print(
      "{}: {} characters ({}), {:.1f} s, {:.0f} ticks/s, {:.1f} µs per character and tick on {} threads, {:.0f} % of "
      "real time, state {:016x}\n",
      request.output.empty() ? request.run : request.output, crowd.size(), crowd.controller().type(), simulated_s,
      num_ticks / std::max(report.ticks_s, 1e-9), each_us, ThreadPool::shared().num_threads(),
      100 * report.ticks_s / simulated_s, crowd.hash());
  const bool stay = !director.scene().comes_back && !director.scene().wanders;
  fmt::print("  {} {}; pairs closer than their radii: {} at most, {:.1f} s in total, {:.0f} cm the deepest\n",
             director.num_arrivals(), stay ? fmt::format("of {} arrived", crowd.size()) : "arrivals",
             report.most_overlaps, report.overlap_s, 100 * static_cast<double>(report.deepest_m));
  if (report.stuck_s > 0.5) fmt::print("  stuck for {:.1f} s, all characters together\n", report.stuck_s);
  if (report.num_recoveries > 0)
    fmt::print("  restarted {} times: the model's output was invalid\n", report.num_recoveries);
}

// Outputs of the crowd. All null where nothing is written.
Result<CrowdOutput> open_output(const Request& request, const eval::CrowdScene& scene,
                                const std::shared_ptr<control::Crowd>& crowd) {
  if (request.output.empty()) return CrowdOutput{};
  ZOE_TRY_ASSIGN(const auto pixels, parse_size(request.size));
  const CrowdShot shot{&scene,        request.output,  request.style == "sheet",       pixels.first,
                       pixels.second, request.seconds, std::min(kFilmFps, request.fps)};
  if (shot.sheet && shot.output.extension() != ".png") {
    return Error{ErrorCode::kUsage, "a sheet is one picture: -o FILE.png", {.file = request.output}};
  }
  return is_film(request.output) ? film_crowd(shot, crowd) : record_crowd(shot, *crowd);
}

Result<control::CrowdOptions> crowd_options(const Request& request, const eval::CrowdScene& scene) {
  std::vector<control::Proportions> proportions;
  if (!request.sizes.empty() || !request.legs.empty()) {
    ZOE_TRY_ASSIGN(const Range sizes,
                   parse_range("--sizes", request.sizes.empty() ? "1,1" : request.sizes, {0.1F, 10}));
    ZOE_TRY_ASSIGN(const Range legs, parse_range("--legs", request.legs.empty() ? "1,1" : request.legs, {0.5F, 2}));
    proportions = eval::draw_proportions(request.num_characters, sizes, legs, request.seed);
  }
  control::CrowdOptions options{.proportions = std::move(proportions),
                                .radius_m = static_cast<float>(request.radius_m),
                                .avoidance = {},
                                .detail = {}};
  if (!request.no_avoid) options.avoidance.emplace();
  if (request.lod.empty() && request.max_full == 0) return options;
  options.detail.emplace();
  options.detail->eye = {0, 10, 2 * scene.half_size_m};  // Without a film: before the scene.
  options.detail->half_from_m = options.detail->third_from_m = std::numeric_limits<float>::max();
  if (!request.lod.empty()) {
    ZOE_TRY_ASSIGN(const Range from_m, parse_range("--lod", request.lod, {0, 1e6F}));
    std::tie(options.detail->half_from_m, options.detail->third_from_m) = from_m;
  }
  if (request.max_full > 0) options.detail->max_full = request.max_full;
  return options;
}

Result<void> run(const Request& request) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(request.run));
  ZOE_TRY_ASSIGN(eval::CrowdScene scene, eval::make_scene(request.scene, request.num_characters, request.seed,
                                                          static_cast<float>(request.spacing_m)));
  ZOE_TRY_ASSIGN(control::CrowdOptions options, crowd_options(request, scene));
  const auto crowd = std::make_shared<control::Crowd>(controller, scene.places, std::move(options));
  eval::CrowdDirector director(std::move(scene), static_cast<float>(request.speed_mps), request.seed);
  ZOE_TRY_ASSIGN(CrowdOutput output, open_output(request, director.scene(), crowd));
  if (output.eye_m) crowd->set_eye(*output.eye_m);

  const eval::CrowdRunOptions run{.seconds = request.seconds, .fps = request.fps, .looks_fps = kFilmFps};
  Progress progress("crowd", static_cast<std::uint64_t>(std::max(1L, std::lround(request.seconds * request.fps))),
                    {.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "ticks"});
  ZOE_TRY_ASSIGN(
      const eval::CrowdRunReport report,
      eval::run_crowd(*crowd, [&](const control::Crowd& c, std::span<control::Intent> i) { director.direct(c, i); },
                      run, {.look = output.look, .ticked = [&] { progress.advance(); }}));
  progress.finish();
  if (output.finish) ZOE_TRY(output.finish());
  if (!quiet()) print_summary(request, *crowd, director, report);
  return {};
}

}  // namespace

bool wants_crowd(const Arguments& arguments) {
  return std::any_of(arguments.words.begin(), arguments.words.end(),
                     [](const std::string& word) { return word == "--crowd" || word.starts_with("--crowd="); });
}

int play_crowd(const Arguments& arguments) {
  Request request;
  if (const auto exit = parse(request, arguments)) return *exit;
  constexpr const char* kFormats[] = {".mp4", ".gif", ".webp", ".png", ".npz", ".glb", ".gltf"};
  if (!request.output.empty()) {
    if (const Result<void> fits = check_output_file(request.output, kFormats); !fits) return print_error(fits.error());
  }
  const Result<void> done = run(request);
  return done ? kDone : print_error(done.error());
}

}  // namespace zoe::cli
