// SPDX-License-Identifier: MIT
// `zoe eval controller`: controllers on the fixed courses, beside the mocap they learned from.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "zoe/author/held_out.h"
#include "zoe/control/config.h"
#include "zoe/control/load.h"
#include "zoe/control/parts.h"
#include "zoe/core/file.h"
#include "zoe/core/progress.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/held_out.h"
#include "zoe/report/page.h"

#include "controller/print_listener.h"
#include "temporary_folder.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string data, held_out;
  double sticks_minutes = 0;
  bool no_held_out = false;
  eval::EvaluateOptions options;
};

// Clips that it has not learned from: those given, or the split of its own data that training left alone.
Result<eval::HeldOut> held_out(const Request& request, const control::Controller& controller, const control::Body& body,
                               const dataset::Dataset* source) {
  eval::HeldOutOptions options;
  if (!request.held_out.empty()) {
    ZOE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::make());
    ZOE_TRY_ASSIGN(const dataset::DatasetPtr data,
                   author::build_held_out(request.held_out, body, folder.path(), print_listener()));
    options.all_clips = true;
    ZOE_TRY_ASSIGN(eval::HeldOut found, eval::evaluate_held_out(controller, body, *data, options));
    if (found.num_clips > 0) return found;
    return Error{ErrorCode::kInvalid, "no clip there lasts three seconds", {.file = request.held_out}};
  }
  if (source == nullptr || request.no_held_out || author::knows_all_clips(controller.type())) return eval::HeldOut{};
  return eval::evaluate_held_out(controller, body, *source, options);
}

Result<eval::Evaluation> evaluate_run(const fs::path& run, const Request& request) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(run));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(run));
  ZOE_TRY_ASSIGN(const control::ControllerParts parts, control::ControllerParts::open(run));
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(const control::Body body, control::load_body(body_file));
  // The dataset that `zoe train controller` built, unless another is given.
  const fs::path folder = request.data.empty() ? run / "dataset" : fs::path(request.data);
  dataset::DatasetPtr source;
  if (std::error_code ignored; !request.data.empty() || fs::exists(folder / "dataset.json", ignored)) {
    ZOE_TRY_ASSIGN(source, dataset::Dataset::open(folder));
  }
  ZOE_TRY_ASSIGN(eval::Evaluation evaluation, eval::evaluate(*controller, body, source.get(), request.options));
  evaluation.subject = run.filename().empty() ? run.parent_path().filename().string() : run.filename().string();
  ZOE_TRY_ASSIGN(evaluation.held_out, held_out(request, *controller, body, source.get()));
  if (request.sticks_minutes > 0) {
    evaluation.endurance = eval::run_sticks(*controller, body, {.minutes = request.sticks_minutes});
  }
  return evaluation;
}

// Tables, numbers or a plot, by the name of the file.
Result<void> write_as_named(const fs::path& file, std::span<const eval::Evaluation> evaluations) {
  const std::string extension = file.extension().string();
  if (extension == ".json") return write_file_atomic(file, eval::to_json(evaluations));
  if (extension == ".svg") return write_file_atomic(file, eval::to_svg(evaluations));
  if (extension != ".html") return write_file_atomic(file, eval::to_markdown(evaluations));
  return write_file_atomic(file, page_head("Controllers") + "<h1>Controllers on fixed courses</h1>\n" +
                                     eval::to_html(evaluations) + "</body></html>\n");
}

int eval_controller(const Arguments& arguments) {
  Options app;
  std::vector<std::string> runs;
  std::string paths, output;
  Request request;
  eval::EvaluateOptions& options = request.options;
  bool json = false;
  app.add_option("runs", runs, "Run folders of `zoe train controller`")->required();
  app.add_option("--paths", paths,
                 "Courses by commas: straight, circle, slalom, square, stop_and_go, sticks; all by default")
      ->type_name("LIST");
  app.add_option("--seeds", options.num_seeds, "Runs of each course")->between(1, 1000)->capture_default_str();
  app.add_option("--seconds", options.seconds, "Length of a run")->between(4.0, 3600.0)->capture_default_str();
  app.add_option("--speed", options.speed_mps, "Along paths, m/s; else as fast as the data mostly goes")
      ->between(0.1, 12.0);
  app.add_option("--data", request.data, "Dataset to compare with; else RUN/dataset")->type_name("DATASET");
  app.add_option("--held-out", request.held_out,
                 "Folder of clips it has never seen, as courses; else the data's own test split")
      ->type_name("FOLDER");
  app.add_flag("--no-held-out", request.no_held_out, "Leave the held-out clips of the data alone");
  app.add_option("--sticks-minutes", request.sticks_minutes,
                 "And so many minutes of random sticks: drift, freezes, restarts")
      ->between(0.1, 600.0);
  app.add_option("-o,--out", output, "Write it there as well: .md, .json, .svg (plot) or .html (tables and plot)");
  app.add_flag("--json", json, "Print JSON instead of a table");
  if (const auto exit = parse(app, arguments)) return *exit;
  for (const std::string& course : split_list(paths)) {
    if (!course.empty()) options.courses.push_back(course);
  }
  const std::size_t num_courses = options.courses.empty() ? eval::course_names().size() : options.courses.size();
  std::vector<eval::Evaluation> evaluations;
  {
    std::unique_ptr<Progress> progress;
    if (!quiet() && !json) {
      progress =
          std::make_unique<Progress>("eval", runs.size() * num_courses * static_cast<std::size_t>(options.num_seeds),
                                     ProgressOptions{.unit = "runs"});
      options.on_run = [&] { progress->advance(); };
    }
    for (const std::string& run : runs) {
      auto evaluation = evaluate_run(run, request);
      if (!evaluation) return print_error(evaluation.error());
      evaluations.push_back(std::move(*evaluation));
    }
  }
  fmt::print("{}", json ? eval::to_json(evaluations) : eval::to_markdown(evaluations));
  if (output.empty()) return kDone;
  const auto written = write_as_named(output, evaluations);
  return written ? kDone : print_error(written.error());
}

}  // namespace

int run_eval(const Arguments& arguments) {
  static constexpr Verb kController{"eval controller", "Measure controllers on fixed courses, beside their mocap",
                                    "zoe eval controller run --seeds 5 -o table.html", eval_controller};
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
