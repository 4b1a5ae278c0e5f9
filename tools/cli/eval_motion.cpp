// SPDX-License-Identifier: MIT
#include "eval_motion.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/eval/damage_table.h"
#include "zoe/eval/frechet.h"

#include "encoder_option.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const eval::Spread& spread) {
  return {{"mean", spread.mean}, {"std", spread.deviation}, {"min", spread.lowest}, {"max", spread.highest}};
}

Json to_json(const eval::FrechetReport& report) {
  return {{"distance", report.distance},         {"extrapolated", report.extrapolated},
          {"floor", to_json(report.floor)},      {"at_floor_size", to_json(report.at_floor_size)},
          {"windows", report.made_rows},         {"clips", report.made_clips},
          {"against_windows", report.real_rows}, {"against_clips", report.real_clips},
          {"floor_windows", report.floor_rows},  {"needed_windows", report.needed_rows},
          {"too_few", report.too_few()}};
}

void print(const eval::FrechetReport& report, bool floor_alone) {
  const auto line = [](const char* name, const eval::Spread& s, const std::string& what) {
    fmt::print("{:<15}{:.3f} ± {:.3f}, {:.3f} to {:.3f}  ({})\n", name, s.mean, s.deviation, s.lowest, s.highest, what);
  };
  if (floor_alone) {
    fmt::print("windows        {} of {} clips\n", report.real_rows, report.real_clips);
    line("floor", report.floor, fmt::format("two halves, by clips, of about {} windows", report.floor_rows));
    return;
  }
  fmt::print("windows        {} of {} clips, against {} of {} clips\n", report.made_rows, report.made_clips,
             report.real_rows, report.real_clips);
  fmt::print("distance       {:.3f}  (all windows)\n", report.distance);
  fmt::print("extrapolated   {:.3f}  (to infinitely many windows)\n", report.extrapolated);
  line("at floor size", report.at_floor_size,
       fmt::format("{} windows from about {}", std::min(report.made_rows, report.floor_rows), report.floor_rows));
  line("floor", report.floor, "two halves of --against, by clips");
  fmt::print("ratio          {:.2f}  (at floor size over floor; 1: as alike as the halves)\n",
             report.at_floor_size.mean / std::max(report.floor.mean, 1e-12));
}

}  // namespace

int run_eval_motion(const Arguments& arguments) {
  Options app;
  std::vector<std::string> inputs, against;
  std::string encoder_file, only;
  eval::FrechetOptions options;
  double hop_s = 1;
  bool json = false, features = false, sensitivity = false;
  app.add_option("motions", inputs, "Motion files, folders of them, datasets or runs to measure")->required()->reads();
  app.add_option("--against", against, "Real motions to compare with; default the motions themselves, for their floor")
      ->reads();
  app.add_option("--encoder", encoder_file, "Motion encoder; default the one that ships")->type_name("FILE")->reads();
  app.add_option("--only", only, "Text file with the names of the files to use, e.g. held_out.txt of an encoder")
      ->type_name("FILE")
      ->reads();
  app.add_flag("--features", features, "Compare descriptions of windows without an encoder");
  app.add_flag("--sensitivity", sensitivity, "Also print the distances of damaged copies of the motions");
  app.add_option("--hop", hop_s, "Distance of windows")->between(0.1, 60.0, "s")->capture_default_str();
  app.add_option("--splits", options.num_seeds, "Random halves for the floor")->between(1, 1000)->capture_default_str();
  app.add_option("--seed", options.seed, "Of the splits")->at_least_zero()->capture_default_str();
  app.add_flag("--json", json, "Print JSON instead of lines");
  if (const auto exit = parse(app, arguments)) return *exit;

  std::optional<eval::MotionEncoder> encoder;
  if (!features) {
    Result<eval::MotionEncoder> loaded = load_encoder(encoder_file);
    if (!loaded) return print_error(loaded.error());
    encoder.emplace(std::move(*loaded));
  }
  const eval::MotionEncoder* used = encoder ? &*encoder : nullptr;
  const auto filter = filter_by_list(only);
  if (!filter) return print_error(filter.error());
  eval::DescribeOptions describe;
  describe.hop_s = hop_s;
  describe.accept = *filter;
  const auto made = describe_with_progress(inputs, describe, json);
  if (!made) return print_error(made.error());
  const eval::CodeSet codes = eval::encode_clips(*made, used);
  eval::CodeSet real = codes;
  if (!against.empty()) {
    const auto clips = describe_with_progress(against, describe, json);
    if (!clips) return print_error(clips.error());
    real = eval::encode_clips(*clips, used);
  }
  const auto report = eval::compare_sets(codes, real, options);
  if (!report) return print_error(report.error());
  Json out = to_json(*report);
  if (!json) print(*report, against.empty());
  if (report->too_few()) {
    print_warnings(
        {{fmt::format("too few windows: {} columns need about {} on each side", codes.width, report->needed_rows),
          {}}});
  }
  if (sensitivity) {
    const std::vector<std::filesystem::path> paths(inputs.begin(), inputs.end());
    Warnings ignored;  // The same as above.
    const auto table = eval::measure_damages(paths, used, {.hop_s = hop_s, .accept = *filter}, ignored);
    if (!table) return print_error(table.error());
    if (!json) fmt::print("\n{}", eval::to_markdown(*table));
    for (const eval::DamageRow& row : table->rows) out["sensitivity"][to_string(row.damage)] = row.distances;
  }
  if (json) fmt::print("{}\n", out.dump(2));
  return kDone;
}

}  // namespace zoe::cli
