// SPDX-License-Identifier: MIT
#include "controller/play_options.h"

#include <cstdlib>

#include "character_option.h"

namespace zoe::cli {

std::optional<int> parse_play(const Arguments& arguments, PlayOptions& options) {
  Options app;
  std::string size;
  app.add_option("run", options.run,
                 "Run folder of `zoe train controller`, or any rig (.glb .fbx …), which gets a gait of its own")
      ->required();
  app.add_option("--path", options.path,
                 "straight, circle, slalom, square, stop_and_go, sticks, or a file: CSV of x,z, or a curve in a GLB")
      ->reads();
  app.add_option("--script", options.script, "File of timed commands instead of a path")->type_name("FILE")->reads();
  app.add_option("--ground,--terrain", options.ground,
                 "stairs:SEED (slope, rough, gaps, beams, platforms), ramp:DEGREES, steps:METRES, or a file: meshes, "
                 "heights (.npy, .png:WIDTH:HEIGHT)")
      ->reads();
  app.add_option("--character", options.character, kCharacterHelp)->type_name("FILE")->reads();
  app.add_option("--speed", options.speed_mps, "Speed along the path, m/s; default the data's median speed")
      ->between(0.0, 12.0, "m/s");
  app.add_option("--seconds", options.seconds, "Length in seconds; default 10 for a file, unlimited in a window")
      ->between(0.1, 36000.0, "s");
  app.add_option("--fps", options.fps, "Ticks per second, without a window")
      ->between(1.0, 1000.0, "ticks per second")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the sticks")->at_least_zero()->capture_default_str();
  std::vector<std::string> styles;
  app.add_option("--style", styles,
                 "Of a film or picture: studio, skeleton, sheet; any other text is as --in-style. May be repeated")
      ->one_value_each();
  app.add_option("--action", options.action,
                 "One of the model's actions, held for the whole run; without a path the character stands");
  app.add_option(
      "--goal", options.goal,
      "Of the type nsm, without a window: sit, carry, open or walk with props drawn by --seed, or \"sit chair.glb\"");
  app.add_option("--seat-scale", options.seat_scale, "Factor on the mesh of --goal \"sit FILE\", for metres")
      ->between(0.001, 1000.0)
      ->capture_default_str();
  app.add_option("--in-style", options.in_style,
                 "Styles of the model, held for the whole run, e.g. \"0.6*injured+0.4*stealth\"");
  app.add_option(
      "--mood", options.mood,
      "A style over the controller, e.g. \"0.6*proud+0.4*tired\"; `zoe stylize --list` prints them. A window has a "
      "slider for each");
  app.add_option("--style-model", options.style_model, "Run of `zoe train style` for --mood; default models/style");
  app.add_option("--lock-feet", options.lock_feet,
                 "Without a window: a learned foot lock over the controller, e.g. models/feet/model.safetensors")
      ->reads();
  auto* physics =
      app.add_flag("--physics", options.physics,
                   "A simulated body follows the controller: it is pushed, falls and gets up; key P pushes");
  app.add_option("--push", options.pushes, "Of --physics: FORCE@TIME or X,Y,Z@TIME, N and s, for 0.2 s; repeatable")
      ->one_value_each()
      ->needs(physics);
  app.add_option("--keep", options.keep,
                 "Of --physics: bones that hold their poses against pushes, e.g. head,hands; or joint names")
      ->type_name("LIST")
      ->needs(physics);
  app.add_option("--policy", options.policy, "Of --physics: learned offsets of `zoe physics learn`, and their body")
      ->type_name("RUN")
      ->needs(physics);
  app.add_option("--assist", options.assist_share, "Of --physics: largest force on the root, of the weight; 0: none")
      ->between(0, 100)
      ->capture_default_str()
      ->needs(physics);
  app.add_flag("--show-body", options.show_body, "Of --physics: draw the simulated body's capsules and boxes")
      ->needs(physics);
  app.add_option("-o,--out", options.output,
                 "Motion (.glb .bvh .npz), film (.mp4 .gif .webp) or picture (.png), instead of a window")
      ->writes();
  int crowd = 0;  // Has its own options: see play_crowd.h.
  app.add_option("--crowd", crowd, "N characters at once; more by `zoe play RUN --crowd 100 --help`")
      ->type_name("N")
      ->between(0, 100000);
  app.add_option("--port", options.port, "Let programs steer over TCP: commands in, poses out; 0 takes a free port")
      ->between(0, 65535);
  app.add_option("--listen", options.listen,
                 "Address of --port; 0.0.0.0 accepts other machines, which then need --token")
      ->capture_default_str();
  app.add_option("--token", options.token,
                 "Clients of --port must send `token TEXT` first; default the variable ZOE_TOKEN")
      ->type_name("TEXT");
  app.add_option("--command-timeout", options.command_timeout_s,
                 "Commands of a client of --port expire after this time without a line from it; 0: never")
      ->type_name("SECONDS")
      ->between(0, 3600);
  app.add_option("--save", options.save, "Of a rig: keep its controller as a run folder")->type_name("RUN");
  app.add_option("--overrides", options.overrides, "Of a rig: TOML file with corrections of its analysis")
      ->type_name("FILE")
      ->reads();
  app.add_flag("--measure", options.measure, "Of a rig: walk a figure of eight and print measures as JSON");
  app.add_flag("--headless", options.headless, "No window, even where there is a display");
  app.add_option("--replay", options.replay, "Replay the input of a file of --record, then exit")->reads();
  add_window_flags(app, options, size);
  if (const auto exit = parse(app, arguments)) return exit;
  for (const std::string& style : styles) {
    const bool of_film = style == "studio" || style == "skeleton" || style == "sheet";
    (of_film ? options.style : options.in_style) = style;
  }
  if (const char* token = std::getenv("ZOE_TOKEN"); token != nullptr && options.token.empty()) options.token = token;
  const auto wrong = [](const char* message) {
    return std::optional(print_error(Error{ErrorCode::kUsage, message, {}}));
  };
  if (const auto read = read_window_flags(options, size); !read) return print_error(read.error());
  if (!options.path.empty() && !options.script.empty()) return wrong("either --path or --script");
  if (!options.replay.empty() && !options.output.empty())
    return wrong("--replay writes no file; --film records the window");
  if (options.physics && options.port >= 0) return wrong("either --physics or --port");
  if (options.port >= 0) {
    if (!options.output.empty()) return wrong("--port runs in real time and writes no file; --film records the window");
    if (!options.path.empty() || !options.script.empty()) return wrong("either --port, or --path or --script");
    if (!options.record.empty() || !options.replay.empty()) return wrong("recordings contain no commands of a --port");
  }
  return std::nullopt;
}

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != 0) return true;
  }
  return false;
}

}  // namespace zoe::cli
