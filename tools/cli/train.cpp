// SPDX-License-Identifier: MIT
// `zoe train`: checks its arguments, then runs zoe-train, the only program that links libtorch.
#include "become.h"
#include "controller/controller_verbs.h"
#include "controller/train_words.h"
#include "train_encoder.h"
#include "train_options.h"
#include "train_style.h"
#include "verbs.h"

namespace zoe::cli {

int run_train(const Arguments& arguments) {
  if (!arguments.words.empty() && arguments.words[0] == "controller") {
    return run_train_controller({kTrainControllerVerb, {arguments.words.begin() + 1, arguments.words.end()}});
  }
  if (!arguments.words.empty() && arguments.words[0] == "encoder") {
    return run_train_encoder({kTrainEncoderVerb, {arguments.words.begin() + 1, arguments.words.end()}});
  }
  if (!arguments.words.empty() && arguments.words[0] == "style" && trains_on_motion_files(arguments.words)) {
    return run_train_style({kTrainStyleVerb, {arguments.words.begin() + 1, arguments.words.end()}});
  }
  if (!arguments.words.empty() && arguments.words[0] == "judges") {
    return run_train_judges({kTrainJudgesVerb, {arguments.words.begin() + 1, arguments.words.end()}});
  }
  TrainOptions options;
  if (const auto exit = parse_train(arguments, options)) return *exit;
  const std::filesystem::path program = author::trainer_beside_us();
  if (const Result<void> there = author::ProcessTrainer(program).check(); !there) {
    print_error("train: " + there.error().message);
    return kFailed;
  }
  return become(program, arguments);
}

}  // namespace zoe::cli
