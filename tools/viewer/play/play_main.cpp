// SPDX-License-Identifier: MIT
#include "play/play_main.h"

#include <fmt/format.h>

#include "zoe/scene/recording.h"
#include "zoe/scene/run.h"

#include "controller/crowd_request.h"
#include "play/crowd_app.h"
#include "play/play_app.h"

namespace zoe::viewer {
namespace {

Result<void> prepare(scene::Scene& scene, const cli::PlayOptions& options) {
  if (!options.record.empty()) scene.start_recording();
  if (options.replay.empty()) return {};
  ZOE_TRY_ASSIGN(scene::InputRecording recording, scene::read_recording(options.replay));
  return scene.play(std::move(recording));
}

Result<void> finish(PlayStage& stage, const cli::PlayOptions& options, std::uint64_t steps) {
  if (!options.record.empty()) ZOE_TRY(scene::write_recording(options.record, stage.scene().stop_recording()));
  if (options.hash) fmt::print("state {:016x} after {} steps\n", stage.state().hash(), steps);
  return {};
}

Result<void> play_without_window(const cli::PlayOptions& options) {
  ZOE_TRY_ASSIGN(const std::unique_ptr<PlayStage> stage, PlayStage::open(options));
  ZOE_TRY(prepare(stage->scene(), options));
  const scene::RunReport report = scene::run_headless(stage->scene(), {});
  return finish(*stage, options, report.steps);
}

Result<void> play_in_window(const cli::PlayOptions& options) {
  ZOE_TRY_ASSIGN(const std::unique_ptr<PlayApp> app, PlayApp::open(options));
  ZOE_TRY(prepare(app->stage().scene(), options));
  if (const stream::IntentPort* port = app->stage().driver().port()) {
    fmt::print("listening on {}:{}\n", options.listen, port->port());
    std::fflush(stdout);
  }
  scene::InterruptibleHost host(*app);
  const scene::RunReport report = scene::run_standalone(app->stage().scene(), host);
  ZOE_TRY(app->finish());
  return finish(app->stage(), options, report.steps);
}

Result<void> watch_crowd(const cli::CrowdRequest& request) {
  ZOE_TRY_ASSIGN(const std::unique_ptr<CrowdApp> app, CrowdApp::open(request));
  scene::InterruptibleHost host(*app);
  (void)scene::run_standalone(app->scene(), host);
  ZOE_TRY(app->finish());
  if (request.hash) fmt::print("state {:016x} after {} steps\n", app->crowd().hash(), app->scene().time().step);
  return {};
}

}  // namespace

int run_play(const std::vector<std::string>& words) {
  if (cli::wants_crowd({cli::kPlayVerb, words})) {
    cli::CrowdRequest request;
    if (const auto exit = cli::parse_crowd({cli::kPlayVerb, words}, request)) return *exit;
    const Result<void> done = watch_crowd(request);
    return cli::finish(done ? cli::kDone : cli::print_error(done.error()));
  }
  cli::PlayOptions options;
  if (const auto exit = cli::parse_play({cli::kPlayVerb, words}, options)) return *exit;
  const Result<void> done = options.wants_window() ? play_in_window(options) : play_without_window(options);
  return cli::finish(done ? cli::kDone : cli::print_error(done.error()));
}

}  // namespace zoe::viewer
