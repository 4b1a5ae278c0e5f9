// SPDX-License-Identifier: MIT
// `zoe train`: checks its words, then becomes zoe-train, the only program that links libtorch.
#include "become.h"
#include "controller/controller_verbs.h"
#include "controller/train_run.h"
#include "train_options.h"
#include "verbs.h"

namespace zoe::cli {

int run_train(const Arguments& arguments) {
  static constexpr Verb kController{"train controller", "Train a controller on a folder of motion files",
                                    "zoe train controller --kind mann --data clips -o run", run_train_controller};
  if (!arguments.words.empty() && arguments.words[0] == "controller") {
    return run_train_controller({kController, {arguments.words.begin() + 1, arguments.words.end()}});
  }
  TrainOptions options;
  if (const auto exit = parse_train(arguments, options)) return *exit;
  const Result<std::filesystem::path> program = find_trainer();
  if (!program) {
    print_error("train: " + program.error().message);
    return kFailed;
  }
  return become(*program, arguments);
}

}  // namespace zoe::cli
