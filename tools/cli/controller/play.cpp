// SPDX-License-Identifier: MIT
// `zoe play`: a controller along a path, without a display; the motion is written as a file or a film.
#include <fmt/format.h>

#include <algorithm>

#include "controller/film.h"
#include "controller/path_file.h"
#include "verbs.h"
#include "zoe/control/kinds.h"
#include "zoe/core/file.h"
#include "zoe/eval/record.h"

namespace zoe::cli {
namespace {

void print_summary(const eval::Recording& recording, const control::Controller& controller, const std::string& output) {
  std::vector<float> us = recording.tick_us;
  std::sort(us.begin(), us.end());
  double way_m = 0;
  for (std::size_t f = 1; f < recording.roots.size(); ++f) {
    way_m += distance(recording.roots[f].position, recording.roots[f - 1].position);
  }
  fmt::print("{}: {} for {:.1f} s, {:.1f} m, {:.0f} µs a tick (median), state {:016x}\n", output, controller.kind(),
             recording.motion.duration_s(), way_m, static_cast<double>(us[us.size() / 2]), recording.hash);
  if (recording.num_recoveries > 0) fmt::print("  started again {} times: the model lost its way\n", recording.num_recoveries);
  if (recording.stuck_s > 0.5) fmt::print("  stuck for {:.1f} s\n", recording.stuck_s);
}

// How fast the data mostly went.
Result<double> pace_of(const std::filesystem::path& run) {
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(run));
  ZOE_TRY_ASSIGN(const control::Body body, control::load_body(run / config.body));
  return body.pace_mps;
}

}  // namespace

int run_play(const Arguments& arguments) {
  Options app;
  std::string run, path = "circle", script, output, style = "studio";
  double seconds = 10, speed = 0, fps = 60;
  std::uint64_t seed = 1;
  app.add_option("run", run, "Run folder of `zoe train controller`")->required();
  app.add_option("--path", path, "straight, circle, slalom, square, stop_and_go, sticks, or a CSV file of x,z")->capture_default_str();
  app.add_option("--script", script, "File of timed commands instead of a path")->type_name("FILE");
  app.add_option("--speed", speed, "Along the path, m/s; else as fast as the data mostly goes")
      ->between(0.0, 12.0);
  app.add_option("--seconds", seconds, "How long")->between(0.1, 36000.0)->capture_default_str();
  app.add_option("--fps", fps, "Ticks a second")->between(1.0, 1000.0)->capture_default_str();
  app.add_option("--seed", seed, "Of the sticks")->capture_default_str();
  app.add_option("--style", style, "Of a film or picture: studio, skeleton, sheet")->capture_default_str();
  app.add_option("-o,--out", output, "Motion (.glb .bvh .npz), film (.mp4 .gif .webp) or picture (.png)");
  if (const auto exit = parse(app, arguments)) return *exit;

  const auto controller = control::load_controller(run);
  if (!controller) return print_error(controller.error());
  if (speed == 0) {
    const auto pace = pace_of(run);
    if (!pace) return print_error(pace.error());
    speed = *pace;
  }
  auto source = [&]() -> Result<std::unique_ptr<control::IntentSource>> {
    if (!script.empty()) {
      ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(script));
      return control::parse_script(file.text(), script);
    }
    if (!path.ends_with(".csv")) return control::make_course(path, static_cast<float>(speed), seed);
    ZOE_TRY_ASSIGN(control::Path line, read_path_csv(path));
    return control::follow(std::move(line), {.speed_mps = static_cast<float>(speed)});
  }();
  if (!source) return print_error(source.error());

  const eval::Recording recording = eval::record(**controller, **source, {.seconds = seconds, .fps = fps});
  if (!quiet()) print_summary(recording, **controller, output.empty() ? run : output);
  if (output.empty()) return kDone;
  if (is_film(output)) {
    std::vector<std::string> words{"--style", style};
    if (quiet()) words.emplace_back("--quiet");
    return write_film(recording.motion, output, words);
  }
  const auto written = write_motion(recording.motion, output);
  return written ? kDone : print_error(written.error());
}

}  // namespace zoe::cli
