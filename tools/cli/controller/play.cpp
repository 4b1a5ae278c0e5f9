// SPDX-License-Identifier: MIT
// `zoe play`: becomes zoe-view in a window; without one a controller follows a path and is written as a file or film.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/control/learned_feet.h"
#include "zoe/eval/record.h"

#include "become.h"
#include "character_option.h"
#include "controller/crowd_request.h"
#include "controller/measure_rig.h"
#include "controller/mood.h"
#include "controller/physics_layer.h"
#include "controller/play_crowd.h"
#include "controller/play_goal.h"
#include "controller/play_options.h"
#include "controller/playable.h"
#include "controller/serve.h"
#include "film.h"
#include "ground_option.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

// Half width of the figure of eight that a rig walks unless stated, in body lengths.
constexpr float kEightLengths = 2.5F;

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

// Saves and measures are of rigs alone. An exit code where nothing is left to do.
std::optional<int> keep_rig(const PlayOptions& options) {
  if (options.save.empty() && !options.measure) return std::nullopt;
  if (!is_rig_file(options.run)) {
    return print_error(Error{ErrorCode::kUsage,
                             "--save and --measure are for rigs (.glb .fbx …); this is a run already: `zoe eval "
                             "controller RUN` measures it",
                             {.file = options.run}});
  }
  if (options.measure) return measure_rig(options.run, options.overrides);
  const auto rig = load_alive(options.run, options.overrides);
  if (!rig) return print_error(rig.error());
  if (const auto saved = save_alive(*rig, options.save); !saved) return print_error(saved.error());
  if (!quiet()) fmt::print("{}: saved; `zoe play {}` steers it\n", options.save, options.save);
  const bool goes_on = !options.output.empty() || !options.path.empty() || !options.script.empty() ||
                       options.port >= 0 || (options.wants_window() && has_display());
  return goes_on ? std::nullopt : std::optional(kDone);
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
  if (const auto exit = keep_rig(options)) return *exit;
  const bool shows = options.wants_window() && has_display() && options.goal.empty();
  if (shows || !options.replay.empty()) return open_play_window(arguments);

  constexpr const char* kFormats[] = {".mp4", ".gif", ".webp", ".png", ".glb", ".gltf", ".bvh", ".npz"};
  if (!options.output.empty()) {
    if (const Result<void> fits = check_output_file(options.output, kFormats); !fits) return print_error(fits.error());
  }
  // Before the run, so that a wrong file is named first. Files of motion keep the model's skeleton unless one is named.
  const bool is_rig = is_rig_file(options.run);
  const bool shows_body = is_film(options.output) || !options.character.empty() || is_rig;
  const auto playable = load_playable(
      {.run = options.run, .character = options.character, .overrides = options.overrides, .with_body = shows_body});
  if (!playable) return print_error(playable.error());
  const control::ControllerPtr* controller = &playable->controller;
  const scene::DisplayedBody* body = &playable->body;
  if (!quiet() && !playable->summary.empty()) fmt::print("{}\n", playable->summary);
  Warnings warnings;
  for (const std::string& note : playable->notes) warnings.push_back({note, {.file = options.run}});
  print_warnings(warnings);
  if (!options.goal.empty()) return play_goal(options, *playable);
  if (options.port >= 0) return serve(**controller, options);
  if (options.path.empty() && options.script.empty() && options.action.empty()) {
    if (options.wants_window()) return no_display();
    if (!is_rig) options.path = "circle";
  }
  auto source = eval::make_source(options.source(), **controller);
  if (!source) return print_error(source.error());
  if (!*source) {
    // Courses are of a person's size; a rig may be as long as a hand or a house.
    const auto path = author::figure_of_eight(kEightLengths * playable->body_length_m);
    if (!path) return print_error(path.error());
    const float speed_mps =
        options.speed_mps > 0 ? static_cast<float>(options.speed_mps) : (*controller)->motion_range().pace_mps;
    *source = control::follow(*path, {.speed_mps = speed_mps});
    if (options.seconds <= 0)
      options.seconds = std::clamp(static_cast<double>(path->length_m() / speed_mps), 5.0, 30.0);
  }
  const auto ground = options.ground.empty() ? Result<GroundPtr>(GroundPtr()) : read_ground(options.ground);
  if (!ground) return print_error(ground.error());
  std::unique_ptr<control::PoseHook> mood;
  if (!options.mood.empty()) {
    auto made = make_mood(**controller, options.style_model, options.mood, options.fps);
    if (!made) return print_error(made.error());
    mood = std::move(made->layer);
  }
  std::unique_ptr<control::FootLockLayer> feet;
  if (!options.lock_feet.empty()) {
    auto network = nn::load_fixed_network(options.lock_feet);
    if (!network) return print_error(network.error());
    auto learned = control::LearnedFeet::create(std::move(*network));
    if (!learned) return print_error(learned.error());
    feet = std::make_unique<control::FootLockLayer>(std::move(*learned), (*controller)->skeleton(),
                                                    (*controller)->legs(), *ground, 0.0F, mood.get());
  }
  control::PoseHook* const below = feet ? feet.get() : mood.get();
  std::unique_ptr<PhysicsLayer> simulated;
  if (options.physics) {
    auto made = make_physics_layer(**controller, {.pushes = options.pushes,
                                                  .keep = options.keep,
                                                  .policy = options.policy,
                                                  .assist_share = options.assist_share,
                                                  .ground = *ground,
                                                  .character = body->retarget ? nullptr : body->character,
                                                  .below = below,
                                                  .rate_hz = options.fps});
    if (!made) return print_error(made.error());
    simulated = std::move(*made);
  }
  const eval::Recording recording = eval::record(**controller, **source,
                                                 {.seconds = options.seconds > 0 ? options.seconds : 10,
                                                  .fps = options.fps,
                                                  .place = eval::start_of(**source),
                                                  .ground = *ground,
                                                  .hook = simulated ? simulated.get() : below});
  if (!recording.gets_going()) {
    print_error(
        fmt::format("{}: the model never gets going: it was restarted {} times in {:.1f} s, because its output "
                    "was invalid; train it again",
                    options.run, recording.num_recoveries, recording.motion.duration_s()));
    return kFailed;
  }
  if (!quiet()) print_summary(recording, **controller, options.output.empty() ? options.run : options.output);
  if (!quiet() && simulated) fmt::print("{}\n", simulated->summary());
  if (options.output.empty()) return kDone;
  scene::DisplayedBody shapes;
  if (options.show_body) shapes.character = simulated->shapes(), body = &shapes;
  if (is_film(options.output))
    return write_film(recording.motion,
                      {.output = options.output, .style = options.style, .body = body, .ground = *ground});
  const auto written = write_motion(recording.motion, options.output,
                                    options.character.empty() && !is_rig && !options.show_body ? nullptr : body);
  return written ? kDone : print_error(written.error());
}

}  // namespace zoe::cli
