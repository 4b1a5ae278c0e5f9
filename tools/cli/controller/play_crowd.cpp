// SPDX-License-Identifier: MIT
#include "controller/play_crowd.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/crowd_run.h"

#include "become.h"
#include "controller/crowd_output.h"
#include "controller/crowd_request.h"
#include "controller/play_options.h"
#include "controller/playable.h"
#include "film.h"

namespace zoe::cli {
namespace {

constexpr double kFilmFps = 30, kDefaultSeconds = 20;
constexpr int kDefaultWidth = 1280, kDefaultHeight = 720;

void print_summary(const CrowdRequest& request, const control::Crowd& crowd, const eval::CrowdDirector& director,
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
Result<CrowdOutput> open_output(const CrowdRequest& request, const eval::CrowdScene& scene,
                                const std::shared_ptr<control::Crowd>& crowd, const scene::DisplayedBody& body) {
  if (request.output.empty()) return CrowdOutput{};
  CrowdShot shot{.scene = &scene,
                 .output = request.output,
                 .sheet = request.style == "sheet",
                 .width = request.width > 0 ? request.width : kDefaultWidth,
                 .height = request.height > 0 ? request.height : kDefaultHeight,
                 .seconds = request.seconds,
                 .fps = std::min(kFilmFps, request.fps)};
  if (shot.sheet && shot.output.extension() != ".png") {
    return Error{ErrorCode::kUsage, "a sheet is one picture: -o FILE.png", {.file = request.output}};
  }
  if (!is_film(request.output)) return record_crowd(shot, *crowd);
  shot.body = body;
  return film_crowd(shot, crowd);
}

Result<void> run(const CrowdRequest& request) {
  ZOE_TRY_ASSIGN(
      const Playable playable,
      load_playable({.run = request.run, .character = request.character, .with_body = is_film(request.output)}));
  ZOE_TRY_ASSIGN(const eval::DirectedCrowd made, eval::make_crowd(playable.controller, request.crowd));
  const std::shared_ptr<control::Crowd>& crowd = made.crowd;
  eval::CrowdDirector& director = *made.director;
  ZOE_TRY_ASSIGN(CrowdOutput output, open_output(request, director.scene(), crowd, playable.body));
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
  if (report.num_recoveries < request.seconds * crowd->size()) return {};
  return Error{
      ErrorCode::kIo, "the model never gets going: its output is invalid; train it again", {.file = request.run}};
}

}  // namespace

int play_crowd(const Arguments& arguments) {
  CrowdRequest request;
  if (const auto exit = parse_crowd(arguments, request)) return *exit;
  constexpr const char* kFormats[] = {".mp4", ".gif", ".webp", ".png", ".npz", ".glb", ".gltf"};
  if (!request.output.empty()) {
    if (const Result<void> fits = check_output_file(request.output, kFormats); !fits) return print_error(fits.error());
  }
  if (request.wants_window() && has_display()) return open_play_window(arguments);
  if (request.seconds == 0) request.seconds = kDefaultSeconds;
  const Result<void> done = run(request);
  return done ? kDone : print_error(done.error());
}

}  // namespace zoe::cli
