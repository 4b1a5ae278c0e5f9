// SPDX-License-Identifier: MIT
// `zoe eval controller`: controllers on the fixed courses, beside the mocap they learned from.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "verbs.h"
#include "zoe/control/kinds.h"
#include "zoe/core/file.h"
#include "zoe/core/progress.h"
#include "zoe/eval/evaluate.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

Result<eval::Evaluation> evaluate_run(const fs::path& run, const std::string& data, const eval::EvaluateOptions& options) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(run));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(run));
  ZOE_TRY_ASSIGN(const control::Body body, control::load_body(run / config.body));
  // The dataset that `zoe train controller` built, unless another is given.
  const fs::path folder = data.empty() ? run / "dataset" : fs::path(data);
  dataset::DatasetPtr source;
  if (std::error_code ignored; !data.empty() || fs::exists(folder / "dataset.json", ignored)) {
    ZOE_TRY_ASSIGN(source, dataset::Dataset::open(folder));
  }
  ZOE_TRY_ASSIGN(eval::Evaluation evaluation, eval::evaluate(*controller, body, source.get(), options));
  evaluation.subject = run.filename().empty() ? run.parent_path().filename().string() : run.filename().string();
  return evaluation;
}

int eval_controller(const Arguments& arguments) {
  Options app;
  std::vector<std::string> runs;
  std::string paths, data, output;
  eval::EvaluateOptions options;
  bool json = false;
  app.add_option("runs", runs, "Run folders of `zoe train controller`")->required();
  app.add_option("--paths", paths, "Courses by commas: straight, circle, slalom, square, stop_and_go, sticks; all by default")
      ->type_name("LIST");
  app.add_option("--seeds", options.num_seeds, "Runs of each course")->between(1, 1000)->capture_default_str();
  app.add_option("--seconds", options.seconds, "Length of a run")->between(4.0, 3600.0)->capture_default_str();
  app.add_option("--speed", options.speed_mps, "Along paths, m/s; else as fast as the data mostly goes")->between(0.1, 12.0);
  app.add_option("--data", data, "Dataset to compare with; else RUN/dataset")->type_name("DATASET");
  app.add_option("-o,--out", output, "Write the table there as well (.md or .json)");
  app.add_flag("--json", json, "Print JSON instead of a table");
  if (const auto exit = parse(app, arguments)) return *exit;
  for (const std::string& course : split_list(paths)) {
    if (!course.empty()) options.courses.push_back(course);
  }
  const std::size_t num_courses = options.courses.empty() ? control::course_names().size() : options.courses.size();
  std::vector<eval::Evaluation> evaluations;
  {
    std::unique_ptr<Progress> progress;
    if (!quiet() && !json) {
      progress = std::make_unique<Progress>("eval", runs.size() * num_courses * static_cast<std::size_t>(options.num_seeds),
                                            ProgressOptions{.unit = "runs"});
      options.on_run = [&] { progress->advance(); };
    }
    for (const std::string& run : runs) {
      auto evaluation = evaluate_run(run, data, options);
      if (!evaluation) return print_error(evaluation.error());
      evaluations.push_back(std::move(*evaluation));
    }
  }
  fmt::print("{}", json ? eval::to_json(evaluations) : eval::to_markdown(evaluations));
  if (output.empty()) return kDone;
  const auto written = write_file_atomic(
      output, output.ends_with(".json") ? eval::to_json(evaluations) : eval::to_markdown(evaluations));
  return written ? kDone : print_error(written.error());
}

}  // namespace

int run_eval(const Arguments& arguments) {
  static constexpr Verb kController{"eval controller", "Measure controllers on fixed courses, beside their mocap",
                                    "zoe eval controller run --seeds 5 --json", eval_controller};
  std::vector<std::string> words = arguments.words;
  if (!words.empty() && words[0] == "controller") {
    words.erase(words.begin());
    return eval_controller({kController, std::move(words)});
  }
  const bool help = !words.empty() && (words[0] == "-h" || words[0] == "--help");
  fmt::print("Usage: zoe eval controller RUN… [OPTIONS]\n\n  controller   {}\n\nExample:\n  {}\n", kController.summary,
             kController.example);
  return help ? kDone : kWrongUsage;
}

}  // namespace zoe::cli
