// SPDX-License-Identifier: MIT
#include "train_style.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/train_style.h"
#include "zoe/features/tracks.h"

#include "controller/print_listener.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

void add_clip_options(Options& app, std::vector<std::string>& data, author::StyleClipOptions& clips,
                      std::string& labels) {
  app.add_option("--data", data, "Folders of motion files; names end in _CONTENT_STYLE_TAKE")->required()->reads();
  app.add_option("--labels", labels, "Table of NAME, CONTENT and STYLE with tabs between, instead of names")->reads();
  app.add_option("--held-out-takes", clips.held_out_takes, "Last takes of each content and style that are not used")
      ->between(0, 1000)
      ->capture_default_str();
  app.add_option("--without", clips.without, "A style that is not used");
  app.add_option("--without-content", clips.without_content, "A content that is not used");
}

// With the trainer as a process.
template <class Job>
auto run_job(Job& job, const std::vector<std::string>& data, const std::string& output, const std::string& labels) {
  job.data.assign(data.begin(), data.end());
  job.folder = output;
  job.clips.labels = labels;
  author::ProcessTrainer trainer(author::trainer_beside_us());
  job.trainer = &trainer;
  return job.run(print_listener());
}

}  // namespace

bool trains_on_motion_files(const std::vector<std::string>& words) {
  const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
  if (has("--show-config") || has("--list")) return false;
  const auto data = std::ranges::find(words, "--data");
  if (data == words.end()) return has("--help") || has("-h");
  if (data + 1 == words.end()) return true;
  return *(data + 1) != "toy" && !fs::exists(fs::path(*(data + 1)) / features::kTrackFile);
}

int run_train_style(const Arguments& arguments) {
  Options app;
  author::TrainStyle job;
  std::vector<std::string> data;
  std::string output, labels;
  bool no_mirror = false;
  add_clip_options(app, data, job.clips, labels);
  app.add_option("-o,--out", output, "Run folder")->required()->type_name("RUN")->writes_folder();
  app.add_option("--steps", job.steps, "Steps of generator and critic together")
      ->between(1, 10000000)
      ->capture_default_str();
  app.add_option("--seed", job.seed, "Of weights and batches")
      ->between(std::uint64_t{1}, std::uint64_t{1000})
      ->capture_default_str();
  app.add_option("--set", job.settings, "A setting of the trainer, e.g. model.code=4; may be repeated")
      ->type_name("KEY=VALUE")
      ->one_value_each();
  app.add_option("--device", job.device, "auto, cpu or cuda")->one_of({"auto", "cpu", "cuda"});
  app.add_option("--licence", job.licence, "Licence of the motions, stored with the model");
  app.add_option("--procedural", job.procedural, "Procedural styles of each normal clip, as pairs; 0: none")
      ->between(0, 64)
      ->capture_default_str();
  app.add_option("--random-styles", job.random_styles, "Further procedural styles, drawn at random; they get no name")
      ->between(0, 1000)
      ->capture_default_str();
  app.add_flag("--no-mirror", no_mirror, "Do not add mirror images of the clips");
  app.add_flag("--resume", job.resume, "Continue the run in the folder");
  if (const auto exit = parse(app, arguments)) return *exit;
  job.mirror = !no_mirror;
  const auto made = run_job(job, data, output, labels);
  if (!made) return print_error(made.error());
  if (!quiet()) fmt::print("{}: styles {}\n", output, fmt::join(made->styles, ", "));
  return kDone;
}

int run_train_judges(const Arguments& arguments) {
  Options app;
  author::TrainJudges job;
  std::vector<std::string> data;
  std::string output, labels;
  add_clip_options(app, data, job.clips, labels);
  app.add_option("-o,--out", output, "Folder for the judges")->required()->type_name("JUDGES")->writes_folder();
  app.add_option("--steps", job.steps, "Steps of each judge")->between(1, 1000000)->capture_default_str();
  app.add_option("--by-rule", job.clips.by_rule, "Procedural styles of each normal clip, as clips to learn")
      ->between(0, 8)
      ->capture_default_str();
  app.add_option("--seeds", job.num_seeds, "Judges of each question")->between(1, 64)->capture_default_str();
  app.add_option("--set", job.settings, "A setting of the trainer; may be repeated")
      ->type_name("KEY=VALUE")
      ->one_value_each();
  app.add_option("--device", job.device, "auto, cpu or cuda")->one_of({"auto", "cpu", "cuda"});
  if (const auto exit = parse(app, arguments)) return *exit;
  const auto made = run_job(job, data, output, labels);
  if (!made) return print_error(made.error());
  if (!quiet())
    fmt::print("{}: {} judges of {} clips, hash {}\n", output, made->num_networks, made->num_clips, made->hash);
  return kDone;
}

}  // namespace zoe::cli
