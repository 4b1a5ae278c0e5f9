// SPDX-License-Identifier: MIT
#include "zoe/author/in_process_trainer.h"

#include <fmt/format.h>

#include "zoe/train/dataset_source.h"
#include "zoe/train/run.h"

namespace zoe::author {

Result<Training> InProcessTrainer::train(const TrainingRequest& request) {
  train::RunRequest run;
  run.model = request.model;
  run.data = request.data.string();
  run.folder = request.out;
  run.overrides = request.settings;
  run.device = request.device;
  run.quiet = request.quiet;
  std::error_code error;
  run.resume = request.resume && std::filesystem::exists(request.out / "config.toml", error);
  run.allow_changes = request.allow_changes;
  run.open_source = train::open_dataset_source;
  ZOE_TRY_ASSIGN(const train::RunSummary done, train::run(run));
  if (done.stopped && !request.keep_stopped) {
    return Error{
        ErrorCode::kInvalid, fmt::format("training was stopped at step {}", done.step), {.file = request.out.string()}};
  }
  std::string summary = fmt::format("{}: {} at step {}, training loss {:.4g}", request.out.string(), done.reason,
                                    done.step, done.training_loss);
  if (done.best_validation_loss) {
    summary += fmt::format(", best validation loss {:.4g} at step {}", *done.best_validation_loss, done.best_step);
  }
  return Training{request.out / "model.safetensors", std::move(summary), done.warnings};
}

}  // namespace zoe::author
