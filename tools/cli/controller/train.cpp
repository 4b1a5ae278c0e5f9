// SPDX-License-Identifier: MIT
// `zoe train controller`: from a folder of motion files to a controller, in one command.
#include "become.h"
#include "controller/controller_verbs.h"
#include "controller/train_words.h"

namespace zoe::cli {

int run_train_controller(const Arguments& arguments) {
  author::TrainController job;
  if (const auto exit = parse_train_controller(arguments, job)) return *exit;
  // With the trainer linked, zoe-train does everything in one process.
  author::ProcessTrainer trainer(author::trainer_beside_us());
  if (job.type->model != nullptr && trainer.check()) {
    Arguments all{arguments.verb, arguments.words};
    all.words.insert(all.words.begin(), "controller");
    return become(author::trainer_beside_us(), all);
  }
  return train_controller(job, trainer);
}

int run_train_controller_here(const Arguments& arguments) {
  author::TrainController job;
  if (const auto exit = parse_train_controller(arguments, job)) return *exit;
  author::ProcessTrainer trainer(author::trainer_beside_us());
  return train_controller(job, trainer);
}

}  // namespace zoe::cli
