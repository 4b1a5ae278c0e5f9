// SPDX-License-Identifier: MIT
// `zoe demo walk`: synthetic motions, a controller trained on them, and its results. Every part is a verb; the demo
// prints its command.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/control/load.h"
#include "zoe/core/file.h"
#include "zoe/eval/record.h"

#include "become.h"
#include "controller/controller_verbs.h"
#include "controller/play_options.h"
#include "controller/train_words.h"
#include "demo/parts.h"
#include "film.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

void say(const std::string& text) {
  if (quiet()) return;
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

std::string command_line(const std::string& verb, const std::vector<std::string>& words) {
  std::string line = "   $ zoe " + verb;
  for (const std::string& word : words) line += " " + word;
  return line;
}

// Path of the included walker: beside an installed zoe, or in its checkout.
Result<fs::path> find_walker() {
  std::error_code ignored;
  for (const fs::path& folder : {beside_zoe("../share/zoe/models/walker"), fs::path(ZOE_MODELS_DIR) / "walker"}) {
    if (fs::exists(folder / "controller.toml", ignored)) return folder.lexically_normal();
  }
  return Error{ErrorCode::kIo,
               "the walker that ships is not here; without --fast the demo trains one",
               {.file = ZOE_MODELS_DIR}};
}

// Synthetic motions, then a small phase-functioned network, which learns fastest of all types.
int train_walker(const WalkDemo& demo, const fs::path& run) {
  const std::string clips = (demo.folder / "clips").string();
  const std::vector<std::string> synth{"-o",         clips,     "--family",  "biped",  "--gait",  "walk",
                                       "--style",    "neutral", "--course",  "wander", "--names", "plain",
                                       "--count",    "40",      "--seconds", "20",     "--seed",  "6",
                                       "--one-body", "--mesh",  "off"};
  say("1. Synthetic motions, free of any licence: a person who walks, turns and stops.\n" +
      command_line("synth", synth));
  if (const int exit = run_part("synth", run_synth, synth, true); exit != kDone) return exit;

  const std::vector<std::string> train{"--type",
                                       "pfnn",
                                       "--data",
                                       clips,
                                       "--own-bodies",
                                       "--licence",
                                       "CC0-1.0",
                                       "-o",
                                       run.string(),
                                       "--set",
                                       "model.hidden=128",
                                       "--set",
                                       "model.dropout=0.1",
                                       "--set",
                                       "train.rate=0.002",
                                       "--set",
                                       "train.ema=0.999",
                                       "--set",
                                       fmt::format("train.steps={}", demo.steps)};
  say("\n2. A small network learns from them. On two cores it takes about a minute.\n" +
      command_line("train controller", train));
  return run_part("train controller", run_train_controller_here, train);
}

// A figure of eight as a path file, which the user may change.
Result<control::Path> write_eight(const fs::path& file) {
  constexpr int kPlaces = 64;
  constexpr float kRadius_m = 3;
  std::vector<Vec3> places;
  std::string text =
      "# A figure of eight: x,z in metres. Change it, then: zoe play RUN --path eight.csv -o eight.mp4\nx,z\n";
  for (int i = 0; i <= kPlaces; ++i) {
    const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(i % kPlaces) / kPlaces;
    // Gerono's, so that it begins at the origin along +z.
    const Vec3 place{0.8F * kRadius_m * std::sin(turn) * std::cos(turn), 0, kRadius_m * std::sin(turn)};
    if (i < kPlaces) places.push_back(place);
    text += fmt::format("{:.3f},{:.3f}\n", place.x, place.z);
  }
  ZOE_TRY(write_file_atomic(file, text));
  return control::Path::create(std::move(places), true);
}

// The walk as a motion file, a film and a sheet of poses.
Result<bool> draw_walk(const WalkDemo& demo, const fs::path& run) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(run));
  ZOE_TRY_ASSIGN(control::Path eight, write_eight(demo.folder / "eight.csv"));
  const auto intents = control::follow(std::move(eight), {.speed_mps = 1.25F});
  const eval::Recording walk = eval::record(*controller, *intents, {.seconds = demo.seconds, .fps = 60});
  ZOE_TRY(write_motion(walk.motion, demo.folder / "demo.glb"));
  const MotionFilm film{.output = (demo.folder / "demo.mp4").string(),
                        .width = 854,
                        .height = 480,
                        .fps = 25,
                        .low_quality = true,
                        .trajectory = true};
  if (write_film(walk.motion, film) != kDone) return false;
  const MotionFilm sheet{.output = (demo.folder / "sheet.png").string(),
                         .style = "sheet",
                         .start_s = std::max(0.0, 0.5 * demo.seconds - 0.7),
                         .seconds = std::min(1.4, demo.seconds),
                         .labels = false};
  return write_film(walk.motion, sheet, true) == kDone;
}

Result<int> walk(const WalkDemo& demo) {
  std::error_code error;
  fs::create_directories(demo.folder, error);
  if (error)
    return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = demo.folder.string()}};
  say(fmt::format("From nothing to a character that you steer; all files go to {}.\n", demo.folder.string()));
  fs::path run = demo.folder / "walker";
  bool fast = demo.fast;
  if (const auto trainer = author::ProcessTrainer(author::trainer_beside_us()).check(); !fast && !trainer) {
    say("There is no trainer here (it needs libtorch; `./zoe demo` in a checkout installs it): continuing as with "
        "--fast.");
    fast = true;
  }
  if (fast) {
    ZOE_TRY_ASSIGN(run, find_walker());
    say(fmt::format(
        "1. and 2. The walker that ships, trained on motions of the CMU database, which are free for any use.\n"
        "   {}",
        (run / "README.md").string()));
  } else {
    // A run is never overwritten: the next demo writes beside it.
    for (int i = 2; fs::exists(run, error); ++i) run = demo.folder / fmt::format("walker-{}", i);
    if (const int exit = train_walker(demo, run); exit != kDone) return exit;
  }
  say("\n3. It walks a figure of eight.");
  ZOE_TRY_ASSIGN(const bool drawn, draw_walk(demo, run));
  if (!drawn) print_warnings({{"no film: `zoe doctor` prints what drawing needs; demo.glb has the motion", {}}});

  const std::vector<std::string> measure{"controller", run.string(), "--seeds",
                                         "2",          "-o",         (demo.folder / "metrics.md").string()};
  say("\n4. Measures, beside those of the training motions where they are available (see docs/eval.md).\n" +
      command_line("eval", measure));
  if (const int exit = run_part("eval", run_eval, measure); exit != kDone) return exit;

  say(fmt::format(
      "\nIn {0}: demo.mp4 (film), sheet.png (poses), demo.glb (motion), metrics.md (this table), eight.csv "
      "(the path){1}.\n"
      "\nTry next:\n"
      "  zoe play {2} --path {0}/eight.csv -o eight.mp4       another path: change the file\n"
      "  zoe play {2} --path sticks --seconds 20 -o sticks.mp4\n"
      "  zoe train controller --data YOUR_BVH_FOLDER -o runs/mine\n"
      "  zoe demo formats                                     a clip through every file format",
      demo.folder.string(), fast ? "" : fmt::format(", {}/report.html (report of the run)", run.filename().string()),
      run.string()));
  // The window belongs to zoe-view. Without zoe-view there is no window.
  if (!demo.window || !has_display() || !fs::exists(beside_zoe("zoe-view"), error)) return kDone;
  say("\nThe keyboard steers now.");
  return run_part("play", run_play, {run.string()});
}

}  // namespace

int demo_walk(const WalkDemo& demo) {
  const Result<int> exit = walk(demo);
  return exit ? *exit : print_error(exit.error());
}

}  // namespace zoe::cli
