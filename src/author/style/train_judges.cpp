// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "zoe/author/style_judges.h"
#include "zoe/author/train_style.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/features/tracks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// Rows of a view of all clips that are not held out, and their labels.
Result<void> write_judge_tracks(const LabelledClips& all, style::JudgeView view, const fs::path& folder) {
  std::vector<float> values, labels;
  std::vector<std::int32_t> lengths;
  for (const LabelledClip& clip : all.clips) {
    if (clip.held_out) continue;
    const std::vector<float> rows = style::judge_rows(style::every(clip.clip), clip.body.offsets, view);
    std::size_t count = rows.size() / style::kJudgeColumns;
    values.insert(values.end(), rows.begin(), rows.end());
    for (; count < style::kJudgeWindow; ++count)
      values.insert(values.end(), rows.end() - style::kJudgeColumns, rows.end());
    lengths.push_back(static_cast<std::int32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      labels.push_back(static_cast<float>(clip.style));
      labels.push_back(static_cast<float>(clip.content));
    }
  }
  if (lengths.empty()) return Error{ErrorCode::kUsage, "all clips are held out", {}};
  const features::TrackField fields[] = {{"x", style::kJudgeColumns, values}, {"label", 2, labels}};
  return features::write_tracks(folder, fields, lengths, style::kJudgeWindow, {{"licence", "judge: not shipped"}});
}

}  // namespace

Result<TrainJudges::Trained> TrainJudges::run(const Listener& listener) const {
  ZOE_CHECK(trainer != nullptr, "TrainJudges: no trainer");
  ZOE_TRY(trainer->check());
  ZOE_TRY_ASSIGN(const LabelledClips all, read_style_clips(data, clips, listener));
  listener.warn(all.warnings);
  if (all.styles.size() < 2) return Error{ErrorCode::kUsage, "judges need two styles at least", {}};
  ZOE_TRY(write_judge_tracks(all, style::JudgeView::kFull, folder / "full"));
  ZOE_TRY(write_judge_tracks(all, style::JudgeView::kDynamics, folder / "dynamics"));
  Trained out;
  for (const LabelledClip& clip : all.clips) out.num_clips += clip.held_out ? 0 : 1;
  for (const JudgeRole& role : kJudgeRoles) {
    const bool of_content = role.label == 1;
    for (int seed = 0; seed < num_seeds; ++seed) {
      const std::string name = fmt::format("{}_{}", role.name, seed + 1);
      TrainingRequest request{.model = "classifier",
                              .data = folder / (role.view == style::JudgeView::kFull ? "full" : "dynamics"),
                              .out = folder / "training" / name,
                              .device = device};
      request.settings = {
          fmt::format("model.label={}", role.label + 1),
          fmt::format("model.classes={}", std::max<std::size_t>(2, (of_content ? all.contents : all.styles).size())),
          fmt::format("train.steps={}", steps),
          fmt::format("train.seed={}", kFirstJudgeSeed + static_cast<std::uint64_t>(seed)),
          "train.batch=64",
          "train.rate=0.002",
          "model.channels=64",
          "train.log_every=200"};
      request.settings.insert(request.settings.end(), settings.begin(), settings.end());
      request.quiet = true;
      std::error_code removed;
      fs::remove_all(request.out, removed);  // Judges are trained in seconds: never resumed.
      ZOE_TRY_ASSIGN(const Training training, trainer->train(request));
      listener.warn(training.warnings);
      std::error_code error;
      fs::copy_file(training.model_file, folder / (name + ".safetensors"), fs::copy_options::overwrite_existing, error);
      if (error) return Error{ErrorCode::kIo, error.message(), {.file = (folder / name).string()}};
      ++out.num_networks;
      if (listener.on_progress)
        listener.on_progress("judges", "networks", static_cast<std::uint64_t>(out.num_networks),
                             static_cast<std::uint64_t>(3 * num_seeds));
    }
  }
  const nlohmann::ordered_json words{{"styles", all.styles}, {"contents", all.contents}, {"seeds", num_seeds}};
  ZOE_TRY(write_file_atomic(folder / "judges.json", words.dump(2) + "\n"));
  ZOE_TRY_ASSIGN(const StyleJudges judges, StyleJudges::load(folder));
  out.hash = judges.hash;
  return out;
}

}  // namespace zoe::author
