// SPDX-License-Identifier: MIT
// `zoe eval controller`: controllers on the fixed courses, beside the mocap of their training.
#include <optional>

#include <fmt/format.h>

#include "zoe/author/type_row.h"
#include "zoe/core/progress.h"
#include "zoe/core/suggest.h"
#include "zoe/eval/courses.h"

#include "controller/print_listener.h"
#include "encoder_option.h"
#include "eval_generate.h"
#include "eval_goals.h"
#include "eval_motion.h"
#include "eval_physics.h"
#include "eval_style.h"
#include "eval_terrain.h"
#include "sprite/evaluate.h"
#include "temporary_folder.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

int eval_controller(const Arguments& arguments) {
  Options app;
  std::vector<std::string> runs;
  std::string paths, output, data, held_out;
  author::MeasureType of_type;
  author::EvaluateRun& job = of_type.evaluate;
  eval::EvaluateOptions& options = job.options;
  bool json = false, table = false;
  app.add_option("runs", runs, "Run folders of `zoe train controller`")->required();
  app.add_option("--paths", paths,
                 "Courses, comma-separated: straight, circle, slalom, square, stop_and_go, sticks; default all")
      ->type_name("LIST");
  app.add_option("--seeds", options.num_seeds, "Runs of each course")->between(1, 1000)->capture_default_str();
  app.add_option("--first-seed", options.first_seed, "Seed of the first run of a course")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Length of a run")->between(4.0, 3600.0, "s")->capture_default_str();
  app.add_option("--speed", options.speed_mps, "Speed along paths, m/s; default the data's median speed")
      ->between(0.1, 12.0, "m/s");
  app.add_option("--data", data, "Dataset to compare with; default RUN/dataset")->type_name("DATASET");
  app.add_option("--held-out", held_out, "Folder of held-out clips as courses; default the data's own test split")
      ->type_name("FOLDER");
  app.add_flag("--no-held-out", job.no_held_out, "Skip the held-out clips of the data");
  app.add_option("--sticks-minutes", job.sticks_minutes, "N minutes of random sticks as well: drift, freezes, restarts")
      ->between(0.1, 600.0, "minutes");
  app.add_option("--wild-minutes", job.wild_minutes, "N minutes of sticks as no data has them as well: artefacts")
      ->between(0.1, 600.0, "minutes");
  app.add_option("-o,--out", output, "Also write a file: .md, .json, .svg (plot) or .html (tables and plot)")->writes();
  app.add_flag("--json", json, "Print JSON instead of a table");
  app.add_flag("--table", table, "One row a run instead: cost, memory, data, quality, goals, styles, Fréchet distance");
  if (const auto exit = parse(app, arguments)) return *exit;
  constexpr const char* kFormats[] = {".md", ".json", ".svg", ".html"};
  if (!output.empty()) {
    if (const Result<void> fits = check_output_file(output, kFormats); !fits) return print_error(fits.error());
  }
  for (const std::string& course : split_list(paths)) {
    if (!course.empty()) options.courses.push_back(course);
  }
  job.data = data;
  job.held_out = held_out;
  const std::size_t num_courses = options.courses.empty() ? eval::course_names().size() : options.courses.size();
  std::vector<eval::Evaluation> evaluations;
  std::vector<eval::TypeRow> rows;
  std::optional<eval::MotionEncoder> encoder;
  if (table) {
    Result<eval::MotionEncoder> loaded = load_encoder({});
    if (!loaded) return print_error(loaded.error());
    of_type.encoder = &encoder.emplace(std::move(*loaded));
  }
  {
    std::optional<Progress> progress;
    if (!quiet() && !json) {
      progress.emplace("eval", runs.size() * num_courses * static_cast<std::size_t>(options.num_seeds),
                       ProgressOptions{.unit = "runs"});
      options.on_run = [&] { progress->advance(); };
    }
    for (const std::string& run : runs) {
      const auto work_folder = TemporaryFolder::make();
      if (!work_folder) return print_error(work_folder.error());
      job.work_folder = work_folder->path();
      if (table) {
        auto row = of_type.run(run, print_listener());
        if (!row) return print_error(row.error());
        evaluations.push_back(row->evaluation);
        rows.push_back(std::move(*row));
        continue;
      }
      auto evaluation = job.run(run, print_listener());
      if (!evaluation) return print_error(evaluation.error());
      evaluations.push_back(std::move(*evaluation));
    }
  }
  fmt::print("{}", json    ? eval::to_json(evaluations)
                   : table ? eval::to_type_table(rows)
                           : eval::to_markdown(evaluations));
  if (output.empty()) return kDone;
  const auto written = eval::write_evaluations(output, evaluations);
  return written ? kDone : print_error(written.error());
}

}  // namespace

int run_eval(const Arguments& arguments) {
  static constexpr Verb kController{"eval controller", "Measure controllers on fixed courses, beside their mocap",
                                    "zoe eval controller run --seeds 5 -o table.html", eval_controller};
  struct Measured {
    const char *word, *inputs;
    const Verb& verb;
  };
  const Measured measured[] = {{"controller", "RUN…", kController},     {"generate", "MOTIONS…", kEvalGenerateVerb},
                               {"goals", "RUN…", kEvalGoalsVerb},       {"motion", "MOTIONS…", kEvalMotionVerb},
                               {"physics", "CLIPS…", kEvalPhysicsVerb}, {"sprite", "[RUN…]", kEvalSpriteVerb},
                               {"style", "[RUN]", kEvalStyleVerb},      {"terrain", "RUN…", kEvalTerrainVerb}};
  std::vector<std::string> words = arguments.words, known;
  for (const Measured& one : measured) {
    known.emplace_back(one.word);
    if (words.empty() || words[0] != one.word) continue;
    words.erase(words.begin());
    return one.verb.run({one.verb, std::move(words)});
  }
  const bool help = !words.empty() && (words[0] == "-h" || words[0] == "--help");
  if (!help && !words.empty()) {
    print_error(
        fmt::format("there is no 'zoe eval {}'{} (see `zoe eval --help`)", words[0], did_you_mean(words[0], known)));
    return kWrongUsage;
  }
  const char* before = "Usage: ";
  for (const Measured& one : measured) {
    fmt::print("{}zoe eval {} {} [OPTIONS]\n", before, one.word, one.inputs);
    before = "       ";
  }
  fmt::print("\n");
  for (const Measured& one : measured) fmt::print("  {:<12} {}\n", one.word, one.verb.summary);
  fmt::print("\nExample:\n");
  for (const Measured& one : measured) fmt::print("  {}\n", one.verb.example);
  return help ? kDone : kWrongUsage;
}

}  // namespace zoe::cli
