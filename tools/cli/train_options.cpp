// SPDX-License-Identifier: MIT
#include "train_options.h"

#include <charconv>

namespace zoe::cli {

std::pair<std::string, double> data_and_weight(const std::string& word) {
  const std::size_t sign = word.rfind('=');
  double weight = 1;
  if (sign == std::string::npos) return {word, weight};
  const char* end = word.data() + word.size();
  const auto read = std::from_chars(word.data() + sign + 1, end, weight);
  if (read.ec != std::errc() || read.ptr != end) return {word, 1};
  return {word.substr(0, sign), weight};
}

std::optional<int> parse_train(const Arguments& arguments, TrainOptions& options) {
  Options app;
  app.add_option("model", options.model, "What to train; --list names the models");
  app.add_option("--data", options.data,
                 "Dataset folder, or toy: synthetic samples with a known answer (default). Several, with weights: "
                 "--data A=0.7 --data B=0.3")
      ->type_name("DIR[=WEIGHT]|toy")
      ->one_value_each();
  app.add_option("-o,--out", options.out, "Run folder: config, metrics, checkpoints, report, model")
      ->type_name("RUN")
      ->writes_folder();
  app.add_option("--config", options.config, "Settings as TOML")->type_name("FILE")->reads();
  app.add_option("--set", options.settings, "One setting, e.g. train.rate=3e-4; may be repeated")
      ->type_name("KEY=VALUE")
      ->one_value_each();
  app.add_option("--device", options.device, "auto, cpu or cuda")
      ->one_of({"auto", "cpu", "cuda"})
      ->capture_default_str();
  app.add_flag("--resume", options.resume, "Continue from the newest checkpoint in the run folder");
  app.add_flag("--allow-changes", options.allow_changes,
               "Resume also on other data, or with settings that change the result");
  app.add_option("--local-ranks", options.local_ranks, "Share each batch among N processes on this machine")
      ->between(1, 1024)
      ->capture_default_str();
  app.add_flag("--list", options.list, "Print the models and exit");
  app.add_flag("--show-config", options.show_config, "Print the model's settings with their defaults and exit");
  if (const auto exit = parse(app, arguments)) return exit;
  if (options.list) return std::nullopt;
  if (options.model.empty()) {
    print_error("train: which model? (`zoe train --list` names them)");
    return kWrongUsage;
  }
  for (const std::string& word : options.data) {
    if (options.data.size() > 1 && word == "toy") {
      print_error("train: toy data is used alone");
      return kWrongUsage;
    }
  }
  if (options.out.empty() && !options.show_config) {
    print_error("train: -o RUN is missing (see `zoe train --help`)");
    return kWrongUsage;
  }
  return std::nullopt;
}

}  // namespace zoe::cli
