// SPDX-License-Identifier: MIT
// zoe-view: `zoe view` and `zoe play` with a window system.
#include <exception>

#include <fmt/format.h>

#include "zoe/scene/recording.h"
#include "zoe/scene/run.h"

#include "app.h"
#include "controller/play_options.h"
#include "play/play_main.h"
#include "view_options.h"

namespace zoe::viewer {
namespace {

Result<void> prepare(Stage& stage, const cli::ViewOptions& options) {
  if (options.hash) stage.hash_every_step();
  if (!options.record.empty()) stage.scene().start_recording();
  if (options.play.empty()) return {};
  ZOE_TRY_ASSIGN(scene::InputRecording recording, scene::read_recording(options.play));
  return stage.scene().play(std::move(recording));
}

Result<void> finish(Stage& stage, const cli::ViewOptions& options, std::uint64_t steps) {
  if (!options.record.empty()) ZOE_TRY(scene::write_recording(options.record, stage.scene().stop_recording()));
  if (options.hash) fmt::print("poses {} after {} steps\n", stage.hash().hex(), steps);
  return {};
}

Result<void> run_without_window(const cli::ViewOptions& options) {
  Stage stage;
  add_drag_system(stage.scene());
  std::filesystem::path folder;
  ZOE_TRY(open_files(stage, options, folder));
  cli::print_warnings(stage.warnings());
  ZOE_TRY(prepare(stage, options));
  const scene::RunReport report = scene::run_headless(stage.scene(), {});
  return finish(stage, options, report.steps);
}

Result<void> run_in_window(const cli::ViewOptions& options) {
  ZOE_TRY_ASSIGN(const std::unique_ptr<App> app, App::open(options));
  Stage& stage = app->stage();
  cli::print_warnings(stage.warnings());
  ZOE_TRY(prepare(stage, options));
  scene::InterruptibleHost host(*app);
  const scene::RunReport report = scene::run_standalone(stage.scene(), host);
  ZOE_TRY(app->finish());
  return finish(stage, options, report.steps);
}

int run(const std::vector<std::string>& words) {
  if (!words.empty() && words[0] == cli::kPlayWord) return run_play({words.begin() + 1, words.end()});
  cli::ViewOptions options;
  if (const auto exit = cli::parse_view({cli::kViewVerb, words}, options)) return *exit;
  const Result<void> done = options.headless ? run_without_window(options) : run_in_window(options);
  return cli::finish(done ? cli::kDone : cli::print_error(done.error()));
}

}  // namespace
}  // namespace zoe::viewer

int main(int argc, char** argv) {
  try {
    return zoe::viewer::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    zoe::cli::print_error(error.what());
    return zoe::cli::kFailed;
  }
}
