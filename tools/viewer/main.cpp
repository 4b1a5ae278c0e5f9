// SPDX-License-Identifier: MIT
// zoe-view: `zoe view` with a window system in it.
#include <csignal>

#include <fmt/format.h>

#include <exception>

#include "app.h"
#include "view_options.h"
#include "zoe/scene/recording.h"
#include "zoe/scene/run.h"

namespace zoe::viewer {
namespace {

// Ends the run as closing the window does: films are finished, layouts kept.
volatile std::sig_atomic_t g_interrupted = 0;

class SignalHost final : public scene::Host {
 public:
  explicit SignalHost(scene::Host& host) : host_(host) {}
  bool poll(std::vector<scene::InputEvent>& events) override { return g_interrupted == 0 && host_.poll(events); }
  void draw(scene::Scene& scene) override { host_.draw(scene); }
  double now_s() override { return host_.now_s(); }

 private:
  scene::Host& host_;
};

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
  Stage stage(nullptr);
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
  Stage& stage = app->session().stage;
  cli::print_warnings(stage.warnings());
  ZOE_TRY(prepare(stage, options));
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { g_interrupted = 1; });
  SignalHost host(*app);
  const scene::RunReport report = scene::run_standalone(stage.scene(), host);
  ZOE_TRY(app->finish());
  if (const std::size_t errors = app->context().num_errors(); errors > 0) {
    return Error{ErrorCode::kInvalid, fmt::format("OpenGL reported {} errors; they are above", errors), {}};
  }
  return finish(stage, options, report.steps);
}

int run(const std::vector<std::string>& words) {
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
