// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe dataset build` and `zoe dataset merge`.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "zoe/core/progress.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/dataset.h"
#include "zoe/features/find_schema.h"

#include "dataset.h"
#include "dataset_films.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

// The count of each reason, with its first place.
void print_left_out(const dataset::Dataset& data, const fs::path& folder) {
  std::map<std::string, std::pair<int, const dataset::LeftOut*>> reasons;
  for (const dataset::LeftOut& item : data.left_out()) {
    auto& [count, first] = reasons[item.reason.code];
    if (count++ == 0) first = &item;
  }
  for (const auto& [code, found] : reasons)
    fmt::print("  left out, {:<16} {:>5}: {}: {}\n", code, found.first, found.second->source,
               found.second->reason.text);
  if (!reasons.empty()) fmt::print("  every one is in {}\n", (folder / "dataset.json").string());
}

// A line for each skeleton where there are several, the longest first.
void print_groups(const dataset::Dataset& data) {
  constexpr std::size_t kShown = 12;
  if (data.groups().size() < 2) return;
  struct Line {
    double minutes = 0;
    const dataset::Group* group = nullptr;
  };
  std::vector<Line> lines;
  for (const dataset::Group& group : data.groups()) {
    Line line{0, &group};
    for (const auto& rows : group.rows) line.minutes += rows.num_rows / group.layout.fps() / 60;
    lines.push_back(line);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.minutes > b.minutes; });
  for (std::size_t i = 0; i < std::min(lines.size(), kShown); ++i)
    fmt::print("  group {:>2}: {:<24}{:>5} clips{:>8.1f} minutes\n", lines[i].group - data.groups().data(),
               lines[i].group->name, lines[i].group->clips.size(), lines[i].minutes);
  if (lines.size() > kShown)
    fmt::print("  {} more groups: zoe dataset info {}\n", lines.size() - kShown, data.folder().string());
}

void print_report(const dataset::BuildReport& report, const fs::path& folder, double seconds) {
  fmt::print(
      "{}: {} files ({} as before), {} clips ({} mirrored, {} repaired), {} in {:.1f} s\n", folder.string(),
      report.num_files, report.num_reused_files, report.num_clips, report.num_mirrored, report.num_repaired,
      report.hours < 1 ? fmt::format("{:.1f} minutes", 60 * report.hours) : fmt::format("{:.2f} hours", report.hours),
      seconds);
  const auto data = dataset::Dataset::open(folder);
  if (!data) return;
  print_groups(**data);
  print_left_out(**data, folder);
}

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

int run_dataset_build(const Arguments& arguments) {
  Options app;
  dataset::BuildOptions options;
  std::vector<std::string> inputs;
  std::string output, schema = "locomotion", split = "clip", skeletons = "auto", shard, up = "y", labels;
  double fps = 0;
  bool films = false;
  app.add_option("inputs", inputs, "Folders of motion files, or files")->required()->reads();
  app.add_option("-o,--out", output, "Folder of the dataset; an existing one is updated")->required()->writes_folder();
  app.add_option("--schema", schema, "Preset or TOML file: inputs and outputs of models (docs/features.md)")
      ->capture_default_str();
  app.add_option("--fps", fps, "Rows per second; default the schema's")->between(1.0, 1000.0, "rows per second");
  app.add_flag("--mirror", options.mirror, "Add a mirrored copy of every clip");
  app.add_option("--split", split, "Unit that is never split: clip, actor, skeleton or species")
      ->one_of({"clip", "actor", "skeleton", "species"})
      ->capture_default_str();
  app.add_option("--validation", options.split.validation, "Fraction of the validation split")
      ->between(0.0, 1.0)
      ->capture_default_str();
  app.add_option("--test", options.split.test, "Fraction of the test split")->between(0.0, 1.0)->capture_default_str();
  app.add_option("--skeletons", skeletons,
                 "auto: one group per skeleton, extra joints mapped by name, damaged ones excluded; main: only the "
                 "skeleton of most files; each: one group per skeleton")
      ->one_of({"auto", "main", "each"})
      ->capture_default_str();
  app.add_option("--labels", labels, "Words to look for in paths and label files, comma-separated, beside the schema's")
      ->type_name("LIST");
  app.add_flag("--find-actions", options.find_actions,
               "Label parts of clips by detected actions: idle, walk, run, turn, jump, …");
  app.add_option("--min-seconds", options.min_seconds, "Exclude shorter clips")
      ->between(0.0, 86400.0, "s")
      ->capture_default_str();
  app.add_flag("--keep-duplicates", options.keep_duplicates, "Include files of equal bytes");
  app.add_option("--up", up, "Up axis of BVH files: y or z")->one_of({"y", "z"})->capture_default_str();
  app.add_option("--licence", options.licence, "Licence of the motions, stored with the data");
  app.add_option("--jobs", options.num_jobs, "Threads; 0: one per processor")->between(0, 1024)->capture_default_str();
  app.add_option("--shard", shard, "Only part I of N of the work (0/4), or auto under srun and mpirun")
      ->type_name("I/N");
  app.add_flag("--films", films, "Also draw a film of each clip in DIR/films: feet, contacts, joints of the facing");
  if (const auto exit = parse(app, arguments)) return *exit;

  const auto run = [&]() -> Result<dataset::BuildReport> {
    ZOE_TRY_ASSIGN(options.schema, features::find_schema(schema));
    if (fps > 0) options.schema.fps = fps;
    options.inputs.assign(inputs.begin(), inputs.end());
    options.output = output;
    options.split.by = split == "clip"      ? dataset::SplitOptions::By::kClip
                       : split == "actor"   ? dataset::SplitOptions::By::kActor
                       : split == "species" ? dataset::SplitOptions::By::kSpecies
                                            : dataset::SplitOptions::By::kSkeleton;
    options.skeletons = skeletons == "auto"   ? dataset::Skeletons::kAuto
                        : skeletons == "main" ? dataset::Skeletons::kMain
                                              : dataset::Skeletons::kEach;
    options.bvh_up = up[0];
    for (const std::string& label : split_list(labels))
      if (!label.empty()) options.labels.push_back(label);
    if (!shard.empty()) {
      ZOE_TRY_ASSIGN(options.shard, dataset::parse_shard(shard));
      // All processes of one srun get the same command line: each gets its own folder.
      if (shard == "auto" && options.shard.count > 1)
        options.output /= fmt::format("part-{:04}-of-{:04}", options.shard.index, options.shard.count);
    }
    std::unique_ptr<Progress> progress;
    options.on_progress = [&](std::uint64_t done, std::uint64_t total) {
      if (quiet()) return;
      if (progress == nullptr)
        progress = std::make_unique<Progress>("dataset", total, ProgressOptions{.unit = "files"});
      progress->advance(done - progress->done());
    };
    return dataset::build(options);
  };
  const double start_s = now_s();
  const Result<dataset::BuildReport> report = run();
  if (!report) return print_error(report.error());
  if (!quiet()) print_report(*report, options.output, now_s() - start_s);
  print_warnings(report->warnings);
  if (!films) return kDone;
  const auto data = dataset::Dataset::open(options.output);
  return data ? draw_dataset_films(inputs, **data) : print_error(data.error());
}

int run_dataset_merge(const Arguments& arguments) {
  Options app;
  std::vector<std::string> parts;
  std::string output;
  app.add_option("parts", parts, "Folders of all parts, or one folder that contains them as part-*")
      ->required()
      ->reads();
  app.add_option("-o,--out", output, "Folder of the dataset")->required()->writes_folder();
  if (const auto exit = parse(app, arguments)) return *exit;
  const double start_s = now_s();
  const std::vector<fs::path> folders(parts.begin(), parts.end());
  const Result<dataset::BuildReport> report = dataset::merge(folders, output);
  if (!report) return print_error(report.error());
  if (!quiet()) print_report(*report, output, now_s() - start_s);
  print_warnings(report->warnings);
  return kDone;
}

}  // namespace zoe::cli
