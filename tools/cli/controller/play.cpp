// SPDX-License-Identifier: MIT
// `zoe play`: becomes zoe-view in a window; without one a controller follows a path and is written as a file or film.
#include <fmt/format.h>

#include "zoe/control/load.h"
#include "zoe/eval/grounds.h"
#include "zoe/eval/record.h"

#include "become.h"
#include "character_option.h"
#include "controller/crowd_request.h"
#include "controller/mood.h"
#include "controller/play_crowd.h"
#include "controller/play_options.h"
#include "controller/serve.h"
#include "film.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

void print_summary(const eval::Recording& recording, const control::Controller& controller, const std::string& output) {
  fmt::print("{}: {} for {:.1f} s, {:.1f} m, {:.0f} µs per tick (median), state {:016x}\n", output, controller.type(),
             recording.motion.duration_s(), recording.distance_m(), static_cast<double>(recording.median_tick_us()),
             recording.hash);
  if (recording.num_recoveries > 0)
    fmt::print("  restarted {} times: the model's output was invalid\n", recording.num_recoveries);
  if (recording.stuck_s > 0.5) fmt::print("  stuck for {:.1f} s\n", recording.stuck_s);
}

// Neither a window nor a file nor a path: nothing steers the character.
int no_display() {
  print_error(
      "play: there is no display here (DISPLAY is not set), so keys cannot steer: `-o circle.mp4` writes a film of a "
      "walk along a circle, `--path slalom` walks a slalom and prints measures; or run it on a desktop, through `ssh "
      "-X`, or under `xvfb-run`");
  return kFailed;
}

}  // namespace

int open_play_window(const Arguments& arguments) {
  const std::filesystem::path program = beside_zoe("zoe-view");
  if (!std::filesystem::exists(program)) {
    print_error(
        "play: this build has no window, because GLFW or Dear ImGui was not there when it was built. From a checkout, "
        "`./zoe play` installs them (Debian: libglfw3-dev libimgui-dev) and builds it; `-o circle.mp4` needs none");
    return kFailed;
  }
  Arguments words{arguments.verb, arguments.words};
  words.words.insert(words.words.begin(), kPlayWord);
  return become(program, words);
}

int run_play(const Arguments& arguments) {
  if (wants_crowd(arguments)) return play_crowd(arguments);
  PlayOptions options;
  if (const auto exit = parse_play(arguments, options)) return *exit;
  const bool shows = options.wants_window() && has_display();
  if (shows || !options.replay.empty()) return open_play_window(arguments);

  constexpr const char* kFormats[] = {".mp4", ".gif", ".webp", ".png", ".glb", ".gltf", ".bvh", ".npz"};
  if (!options.output.empty()) {
    if (const Result<void> fits = check_output_file(options.output, kFormats); !fits) return print_error(fits.error());
  }
  const auto controller = control::load_controller(options.run);
  if (!controller) return print_error(controller.error());
  if (options.port >= 0) return serve(**controller, options);
  if (options.path.empty() && options.script.empty() && options.action.empty()) {
    if (options.wants_window()) return no_display();
    options.path = "circle";
  }
  const auto source = eval::make_source(options.source(), **controller);
  if (!source) return print_error(source.error());
  const auto ground = options.ground.empty() ? Result<GroundPtr>(GroundPtr()) : eval::make_ground(options.ground);
  if (!ground) return print_error(ground.error());
  // Before the run, so that a wrong file is named first. Files of motion keep the model's skeleton unless one is named.
  const bool shows_body = is_film(options.output) || !options.character.empty();
  const auto body = load_displayed_body(shows_body ? options.character : kBones, **controller);
  if (!body) return print_error(body.error());
  std::unique_ptr<control::PoseHook> mood;
  if (!options.mood.empty()) {
    auto made = make_mood(**controller, options.style_model, options.mood, options.fps);
    if (!made) return print_error(made.error());
    mood = std::move(*made);
  }
  const eval::Recording recording = eval::record(**controller, **source,
                                                 {.seconds = options.seconds > 0 ? options.seconds : 10,
                                                  .fps = options.fps,
                                                  .place = eval::start_of(**source),
                                                  .ground = *ground,
                                                  .hook = mood.get()});
  if (!recording.gets_going()) {
    print_error(
        fmt::format("{}: the model never gets going: it was restarted {} times in {:.1f} s, because its output "
                    "was invalid; train it again",
                    options.run, recording.num_recoveries, recording.motion.duration_s()));
    return kFailed;
  }
  if (!quiet()) print_summary(recording, **controller, options.output.empty() ? options.run : options.output);
  if (options.output.empty()) return kDone;
  if (is_film(options.output))
    return write_film(recording.motion, {.output = options.output, .style = options.style, .body = &*body});
  const auto written = write_motion(recording.motion, options.output, options.character.empty() ? nullptr : &*body);
  return written ? kDone : print_error(written.error());
}

}  // namespace zoe::cli
