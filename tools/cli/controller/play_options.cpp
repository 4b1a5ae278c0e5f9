// SPDX-License-Identifier: MIT
#include "controller/play_options.h"

#include <cstdlib>

#include "zoe/core/file.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/path_file.h"

namespace zoe::cli {

std::optional<int> parse_play(const Arguments& arguments, PlayOptions& options) {
  Options app;
  std::string size;
  app.add_option("run", options.run, "Run folder of `zoe train controller`")->required();
  app.add_option("--path", options.path,
                 "straight, circle, slalom, square, stop_and_go, sticks, or a file: CSV of x,z, or a curve in a GLB");
  app.add_option("--script", options.script, "File of timed commands instead of a path")->type_name("FILE");
  app.add_option("--ground", options.ground,
                 "Without a window: ramp:DEGREES, steps:METRES, or a file with meshes to stand on");
  app.add_option("--speed", options.speed_mps, "Along the path, m/s; else as fast as the data mostly goes")
      ->between(0.0, 12.0);
  app.add_option("--seconds", options.seconds, "How long; default: 10 to write, until it is closed in a window")
      ->between(0.1, 36000.0);
  app.add_option("--fps", options.fps, "Ticks a second, without a window")->between(1.0, 1000.0)->capture_default_str();
  app.add_option("--seed", options.seed, "Of the sticks")->capture_default_str();
  app.add_option("--style", options.style, "Of a film or picture: studio, skeleton, sheet")->capture_default_str();
  app.add_option("--action", options.action,
                 "What it does meanwhile, of the model's actions; without a path it stands");
  app.add_option("--in-style", options.in_style, "How it moves, of the model's styles");
  app.add_option("-o,--out", options.output,
                 "Motion (.glb .bvh .npz), film (.mp4 .gif .webp) or picture (.png), instead of a window");
  int crowd = 0;  // Has options of its own: see play_crowd.h.
  app.add_option("--crowd", crowd, "So many characters at once; more by `zoe play RUN --crowd 100 --help`")
      ->type_name("N");
  app.add_option("--port", options.port,
                 "Let programs steer over TCP: commands in, poses out (docs/control.md); 0 takes a free one")
      ->between(0, 65535);
  app.add_option("--listen", options.listen, "Address of --port; 0.0.0.0 lets other machines in")
      ->capture_default_str();
  app.add_flag("--headless", options.headless, "No window, even where there is a display");
  app.add_option("--replay", options.replay, "Steer by the input of such a file (--record), then end");
  add_window_flags(app, options, size);
  if (const auto exit = parse(app, arguments)) return exit;
  const auto wrong = [](const char* message) {
    return std::optional(print_error(Error{ErrorCode::kUsage, message, {}}));
  };
  if (const auto read = read_window_flags(options, size); !read) return print_error(read.error());
  if (!options.path.empty() && !options.script.empty()) return wrong("either --path or --script");
  if (!options.replay.empty() && !options.output.empty())
    return wrong("--replay writes no file; --film records the window");
  if (options.port >= 0) {
    if (!options.output.empty()) return wrong("--port runs in real time and writes no file; --film records the window");
    if (!options.path.empty() || !options.script.empty()) return wrong("either --port, or --path or --script");
    if (!options.record.empty() || !options.replay.empty()) return wrong("recordings hold no commands of a --port");
  }
  return std::nullopt;
}

namespace {

using SourcePtr = std::unique_ptr<control::IntentSource>;

Result<SourcePtr> source_of(const PlayOptions& options, const control::Controller& controller) {
  if (!options.script.empty()) {
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(options.script));
    return control::parse_script(file.text(), options.script, {controller.styles(), controller.actions()});
  }
  if (options.path.empty()) {
    if (options.action.empty()) return SourcePtr();
    return control::parse_script("0 stand");
  }
  const float speed_mps =
      options.speed_mps > 0 ? static_cast<float>(options.speed_mps) : controller.motion_range().pace_mps;
  if (!eval::is_path_file(options.path)) return eval::make_course(options.path, speed_mps, options.seed);
  ZOE_TRY_ASSIGN(control::Path line, eval::read_path(options.path));
  return control::follow(std::move(line), {.speed_mps = speed_mps});
}

}  // namespace

Result<SourcePtr> make_source(const PlayOptions& options, const control::Controller& controller) {
  ZOE_TRY_ASSIGN(SourcePtr source, source_of(options, controller));
  const auto place = [](std::span<const std::string> labels, const std::string& name, const char* what) -> Result<int> {
    if (name.empty()) return -1;
    return control::find_label(labels, name, what);
  };
  ZOE_TRY_ASSIGN(const int style, place(controller.styles(), options.in_style, "style"));
  ZOE_TRY_ASSIGN(const int action, place(controller.actions(), options.action, "action"));
  if (style < 0 && action < 0) return source;
  if (source == nullptr) return source;  // Keys steer; the window has its own choice of style.
  return control::with_labels(std::move(source), style, action);
}

PlanarRoot start_of(const control::IntentSource& source) {
  return source.path() != nullptr ? control::start_of(*source.path()) : PlanarRoot{};
}

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != 0) return true;
  }
  return false;
}

}  // namespace zoe::cli
