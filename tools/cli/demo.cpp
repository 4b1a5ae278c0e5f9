// SPDX-License-Identifier: MIT
// `zoe demo`: demonstrates Zoetrope on a machine without data and without a display.
#include "demo/parts.h"
#include "verbs.h"

namespace zoe::cli {

int run_demo(const Arguments& arguments) {
  std::string part = "walk", out;
  WalkDemo walk;
  bool no_window = false;
  Options app;
  app.add_option("part", part, "walk: train a character and steer it; formats: a clip through every format and back")
      ->one_of({"walk", "formats"})
      ->capture_default_str();
  app.add_option("-o,--out", out, "Folder for the files; default zoe-demo, for formats a temporary one")
      ->type_name("FOLDER")
      ->writes_folder();
  app.add_flag("--fast", walk.fast, "Use the walker that ships (models/walker) instead of training one");
  app.add_option("--steps", walk.steps, "Of training")->between(1, 10000000)->capture_default_str();
  app.add_option("--seconds", walk.seconds, "Length of the film")->between(0.5, 600.0, "s")->capture_default_str();
  app.add_flag("--no-window", no_window, "Open no window at the end, even where there is a display");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (part == "formats") return demo_formats(out);
  walk.folder = out.empty() ? "zoe-demo" : out;
  walk.window = !no_window;
  return demo_walk(walk);
}

}  // namespace zoe::cli
