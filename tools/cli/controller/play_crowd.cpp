// SPDX-License-Identifier: MIT
#include "controller/play_crowd.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "zoe/control/load.h"
#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"

#include "controller/crowd_watcher.h"
#include "controller/film.h"
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
  app.add_option("--crowd", request.num_characters, "So many characters")->between(0, 100000)->required();
  app.add_option("--scene", request.scene,
                 "streams: two groups cross; swap: everybody to the other side of a circle; facing: two groups through "
                 "each other; goals: random places")
      ->capture_default_str();
  app.add_option("--spacing", request.spacing_m, "From one to the next at the start, m")
      ->between(0.3, 100.0)
      ->capture_default_str();
  app.add_option("--speed", request.speed_mps, "Everybody's within a tenth, m/s")
      ->between(0.0, 12.0)
      ->capture_default_str();
  app.add_option("--radius", request.radius_m, "Of a body over the ground, m")
      ->between(0.01, 10.0)
      ->capture_default_str();
  app.add_flag("--no-avoid", request.no_avoid, "Nobody gives way");
  app.add_option("--sizes", request.sizes, "Bodies of so many times the model's size, drawn for each")
      ->type_name("MIN,MAX");
  app.add_option("--legs", request.legs, "Pelvis and legs of so many times the size of the rest")->type_name("MIN,MAX");
  app.add_option("--lod", request.lod,
                 "From so many metres to the camera the model is asked at every second, every third step, and feet are "
                 "not locked")
      ->type_name("HALF,THIRD");
  app.add_option("--budget", request.max_full, "At most so many characters, the nearest, with every step of the model")
      ->between(1, 100000);
  app.add_option("--seconds", request.seconds, "How long")->between(0.1, 36000.0)->capture_default_str();
  app.add_option("--fps", request.fps, "Ticks a second")->between(1.0, 1000.0)->capture_default_str();
  app.add_option("--seed", request.seed, "Of speeds, sizes and random places")->capture_default_str();
  app.add_option("--style", request.style, "Of a picture: studio, or sheet: many moments from above")
      ->one_of({"studio", "sheet"});
  app.add_option("--size", request.size, "Of a film or picture, WIDTHxHEIGHT")->capture_default_str();
  app.add_option("-o,--out", request.output, "Film (.mp4 .gif .webp), picture (.png) or motions (.npz .glb)");
  return parse(app, arguments);
}

using Range = std::pair<float, float>;

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

Result<std::vector<control::Proportions>> draw_proportions(const Request& request) {
  if (request.sizes.empty() && request.legs.empty()) return std::vector<control::Proportions>{};
  ZOE_TRY_ASSIGN(const Range sizes, parse_range("--sizes", request.sizes.empty() ? "1,1" : request.sizes, {0.1F, 10}));
  ZOE_TRY_ASSIGN(const Range legs, parse_range("--legs", request.legs.empty() ? "1,1" : request.legs, {0.5F, 2}));
  Random random = Random(request.seed).split(2);
  const auto drawn = [&](const Range& range) { return random.uniform(range.first, range.second); };
  std::vector<control::Proportions> out;
  for (int i = 0; i < request.num_characters; ++i) {
    const float size = drawn(sizes);
    out.push_back({size * drawn(legs), size});
  }
  return out;
}

// What went on between the characters.
class Tally {
 public:
  explicit Tally(int num_characters)
      : discs_(static_cast<std::size_t>(num_characters)), grid_(discs_.size()), places_(discs_.size()) {}

  void count(const control::Crowd& crowd, double dt_s) {
    for (std::size_t i = 0; i < discs_.size(); ++i) {
      const int character = static_cast<int>(i);
      discs_[i] = {crowd.state(character).root().position, {}, crowd.radius_m(character)};
      if (crowd.state(character).progress() == control::Progress::kStuck) stuck_s += dt_s;
    }
    const control::Overlaps now = control::find_overlaps(discs_, grid_, places_);
    overlap_s += now.pairs * dt_s;
    most_pairs = std::max(most_pairs, now.pairs);
    deepest_m = std::max(deepest_m, now.deepest_m);
  }

  double overlap_s = 0, stuck_s = 0;  // Of all pairs, of all characters.
  int most_pairs = 0;                 // At a time.
  float deepest_m = 0;

 private:
  std::vector<control::MovingDisc> discs_;
  control::NeighbourGrid grid_;
  std::vector<Vec3> places_;
};

void print_summary(const Request& request, const control::Crowd& crowd, const eval::CrowdDirector& director,
                   const Tally& tally, double ticks_s, long num_ticks) {
  const double simulated_s = static_cast<double>(num_ticks) / request.fps;
  const double each_us = 1e6 * ticks_s / (static_cast<double>(num_ticks) * std::max(crowd.size(), 1));
  fmt::print(
      "{}: {} characters ({}), {:.1f} s, {:.0f} ticks/s, {:.1f} µs a character and tick on {} threads, {:.0f} % of "
      "real time, state {:016x}\n",
      request.output.empty() ? request.run : request.output, crowd.size(), crowd.controller().type(), simulated_s,
      static_cast<double>(num_ticks) / std::max(ticks_s, 1e-9), each_us, ThreadPool::shared().num_threads(),
      100 * ticks_s / simulated_s, crowd.hash());
  int recoveries = 0;
  for (int i = 0; i < crowd.size(); ++i) recoveries += crowd.state(i).num_recoveries();
  const bool stay = !director.scene().comes_back && !director.scene().wanders;
  fmt::print("  {} {}; pairs closer than their radii: {} at most, {:.1f} s in all, {:.0f} cm the deepest\n",
             director.num_arrivals(), stay ? fmt::format("of {} arrived", crowd.size()) : "arrivals", tally.most_pairs,
             tally.overlap_s, 100 * static_cast<double>(tally.deepest_m));
  if (tally.stuck_s > 0.5) fmt::print("  stuck for {:.1f} s, all characters together\n", tally.stuck_s);
  if (recoveries > 0) fmt::print("  started again {} times: the model lost its way\n", recoveries);
}

Result<std::unique_ptr<CrowdWatcher>> make_watcher(const Request& request, const eval::CrowdScene& scene,
                                                   const control::Crowd& crowd) {
  if (request.output.empty()) return std::unique_ptr<CrowdWatcher>{};
  ZOE_TRY_ASSIGN(const auto pixels, parse_size(request.size));
  const CrowdShot shot{&scene,        request.output,  request.style == "sheet",       pixels.first,
                       pixels.second, request.seconds, std::min(kFilmFps, request.fps)};
  if (shot.sheet && shot.output.extension() != ".png") {
    return Error{ErrorCode::kUsage, "a sheet is one picture: -o FILE.png", {.file = request.output}};
  }
  if (is_film(request.output)) return film_crowd(shot, crowd);
  return record_crowd(shot, crowd);
}

Result<void> run(const Request& request) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(request.run));
  ZOE_TRY_ASSIGN(eval::CrowdScene scene, eval::make_scene(request.scene, request.num_characters, request.seed,
                                                          static_cast<float>(request.spacing_m)));
  ZOE_TRY_ASSIGN(std::vector<control::Proportions> proportions, draw_proportions(request));
  control::CrowdOptions options{.proportions = std::move(proportions),
                                .radius_m = static_cast<float>(request.radius_m),
                                .avoidance = {},
                                .detail = {}};
  if (!request.no_avoid) options.avoidance.emplace();
  if (!request.lod.empty() || request.max_full > 0) {
    options.detail.emplace();
    options.detail->eye = {0, 10, 2 * scene.half_size_m};  // Where nobody films: before the scene.
    options.detail->half_from_m = options.detail->third_from_m = std::numeric_limits<float>::max();
    if (!request.lod.empty()) {
      ZOE_TRY_ASSIGN(const Range from_m, parse_range("--lod", request.lod, {0, 1e6F}));
      std::tie(options.detail->half_from_m, options.detail->third_from_m) = from_m;
    }
    if (request.max_full > 0) options.detail->max_full = request.max_full;
  }
  control::Crowd crowd(controller, scene.places, std::move(options));
  eval::CrowdDirector director(std::move(scene), static_cast<float>(request.speed_mps), request.seed);
  ZOE_TRY_ASSIGN(const std::unique_ptr<CrowdWatcher> watcher, make_watcher(request, director.scene(), crowd));
  if (watcher && watcher->eye()) crowd.set_eye(*watcher->eye());

  const long num_ticks = std::max(1L, std::lround(request.seconds * request.fps));
  const double dt_s = 1 / request.fps, look_every_s = 1 / std::min(kFilmFps, request.fps);
  std::vector<control::Intent> intents(static_cast<std::size_t>(crowd.size()));
  Tally tally(crowd.size());
  double ticks_s = 0, next_look_s = 0;
  {
    Progress progress("crowd", static_cast<std::uint64_t>(num_ticks),
                      {.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "ticks"});
    for (long tick = 0; tick < num_ticks; ++tick) {
      const double time_s = static_cast<double>(tick) * dt_s;
      if (watcher && time_s >= next_look_s - 1e-9) {
        ZOE_TRY(watcher->look(crowd, time_s));
        next_look_s += look_every_s;
      }
      const auto start = std::chrono::steady_clock::now();
      director.direct(crowd, intents);
      crowd.tick(intents, dt_s, ThreadPool::shared());
      ticks_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      tally.count(crowd, dt_s);
      progress.advance();
    }
  }
  if (watcher) ZOE_TRY(watcher->finish());
  if (!quiet()) print_summary(request, crowd, director, tally, ticks_s, num_ticks);
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
  const Result<void> done = run(request);
  return done ? kDone : print_error(done.error());
}

}  // namespace zoe::cli
