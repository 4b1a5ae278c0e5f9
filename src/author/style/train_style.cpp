// SPDX-License-Identifier: MIT
#include "zoe/author/train_style.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/features/tracks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
constexpr int kWindow = 60;  // Rows of a training window.

// Rows of the clips that are not held out, and their labels. Short clips are extended by their last row.
struct StyleTracks {
  std::vector<float> rows, labels;
  std::vector<std::int32_t> lengths;
};
void add_track(StyleTracks& tracks, const std::vector<float>& rows, const LabelledClip& clip) {
  std::size_t count = rows.size() / style::kNumColumns;
  tracks.rows.insert(tracks.rows.end(), rows.begin(), rows.end());
  for (; count < kWindow; ++count) tracks.rows.insert(tracks.rows.end(), rows.end() - style::kNumColumns, rows.end());
  for (std::size_t i = 0; i < count; ++i) {
    tracks.labels.push_back(static_cast<float>(clip.style));
    tracks.labels.push_back(static_cast<float>(clip.content));
  }
  tracks.lengths.push_back(static_cast<std::int32_t>(count));
}

// Mean of the bodies, for positions in the losses.
std::vector<double> mean_offsets(const LabelledClips& all) {
  std::vector<double> sums(3 * style::kNumRoles, 0);
  for (const LabelledClip& clip : all.clips)
    for (std::size_t role = 0; role < style::kNumRoles; ++role)
      for (std::size_t axis = 0; axis < 3; ++axis)
        sums[3 * role + axis] += clip.body.offsets[role][axis] / static_cast<double>(all.clips.size());
  return sums;
}

std::vector<std::string> model_settings(const LabelledClips& all, int steps, std::uint64_t seed) {
  std::vector<int> parents;
  for (const int parent : style::kRoleParents) parents.push_back(parent + 1);
  // Found on the benchmark of docs/style.md; all can be changed by settings.
  return {fmt::format("model.styles={}", all.styles.size()),
          fmt::format("model.contents={}", all.contents.size()),
          fmt::format("model.chain=[{}]", fmt::join(parents, ", ")),
          fmt::format("model.offsets=[{:.6f}]", fmt::join(mean_offsets(all), ", ")),
          fmt::format("model.feet=[{}, {}]", style::kLeftToes, style::kRightToes),
          "model.contacts=2",
          fmt::format("model.fps={:.1f}", style::kRowsPerSecond),
          fmt::format("train.steps={}", steps),
          fmt::format("train.seed={}", seed),
          "train.batch=32",
          "train.rate=0.001",
          "train.weight_decay=0",
          "train.ema=0.995",
          "train.log_every=100",
          "loss.adversarial.schedule=linear",
          "loss.adversarial.first_step=300",
          "loss.adversarial.last_step=1000"};
}

// Mean and spread of the codes of a style's windows.
style::NamedStyle measured(const style::StyleModel& model, const LabelledClips& all, int style) {
  std::vector<double> sums(idx(model.code_width()), 0), squares = sums;
  double count = 0;
  for (const LabelledClip& clip : all.clips) {
    if (clip.style != style || clip.held_out) continue;
    const std::vector<float> codes = model.encode_windows(style::every(clip.clip));
    for (std::size_t i = 0; i < codes.size(); ++i) {
      sums[i % sums.size()] += codes[i];
      squares[i % sums.size()] += codes[i] * codes[i];
    }
    count += static_cast<double>(codes.size() / sums.size());
  }
  style::NamedStyle out{all.styles[idx(style)], {}, {}};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double mean = count > 0 ? sums[i] / count : 0;
    out.mean.push_back(static_cast<float>(mean));
    out.deviation.push_back(
        static_cast<float>(count > 0 ? std::sqrt(std::max(0.0, squares[i] / count - mean * mean)) : 0));
  }
  return out;
}

Result<void> copy_over(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return Error{ErrorCode::kIo, error.message(), {.file = to.string()}};
  return {};
}

}  // namespace

Result<TrainStyle::Trained> TrainStyle::run(const Listener& listener) const {
  ZOE_CHECK(trainer != nullptr, "TrainStyle: no trainer");
  ZOE_TRY(trainer->check());
  ZOE_TRY_ASSIGN(const LabelledClips all, read_style_clips(data, clips, listener));
  listener.warn(all.warnings);
  Trained out{0, 0, all.styles, all.contents};
  StyleTracks tracks;
  std::string held_out;
  for (const LabelledClip& clip : all.clips) {
    if (clip.held_out) {
      held_out += clip.name + "\n";
      ++out.num_held_out;
      continue;
    }
    add_track(tracks, style::every(clip.clip), clip);
    ++out.num_clips;
  }
  if (all.styles.size() < 2)
    return Error{ErrorCode::kUsage,
                 "only the style '" + all.styles[0] +
                     "' is here: a model needs two. Names end in _CONTENT_STYLE_TAKE, or "
                     "--labels FILE names the style of each file",
                 {}};
  if (out.num_clips == 0) return Error{ErrorCode::kUsage, "all clips are held out", {}};
  listener.say(fmt::format("{} clips ({} held out), {} rows; styles {}; contents {}", out.num_clips, out.num_held_out,
                           tracks.labels.size() / 2, fmt::join(all.styles, ", "), fmt::join(all.contents, ", ")));
  const std::string terms = licence.empty() ? "unknown" : licence;
  const features::TrackField fields[] = {{"x", style::kNumColumns, tracks.rows}, {"label", 2, tracks.labels}};
  ZOE_TRY(features::write_tracks(folder / "tracks", fields, tracks.lengths, kWindow, {{"licence", terms}}));
  ZOE_TRY(write_file_atomic(folder / "held_out.txt", held_out));

  TrainingRequest request{.model = "style", .data = folder / "tracks", .out = folder / "training", .device = device};
  request.settings = model_settings(all, steps, seed);
  request.settings.insert(request.settings.end(), settings.begin(), settings.end());
  request.quiet = listener.quiet();
  request.resume = resume;
  ZOE_TRY_ASSIGN(const Training training, trainer->train(request));
  listener.warn(training.warnings);
  if (!training.summary.empty()) listener.say(training.summary);

  ZOE_TRY(copy_over(training.model_file, folder / "step.safetensors"));
  ZOE_TRY(copy_over(folder / "training" / "encoder.safetensors", folder / "encoder.safetensors"));
  ZOE_TRY(copy_over(folder / "training" / "config.toml", folder / "config.toml"));
  std::vector<style::NamedStyle> styles;
  // The codes of styles need the encoder: a first file without them lets the model load.
  ZOE_TRY_ASSIGN(const nn::NetworkPtr encoder, nn::load_fixed_network(folder / "encoder.safetensors"));
  const std::size_t width = idx(encoder->outputs()[0].shape.width);
  for (const std::string& name : all.styles) styles.push_back({name, style::StyleCode(width), style::StyleCode(width)});
  ZOE_TRY(style::StyleModel::write_styles(folder, styles, all.poses, terms));
  ZOE_TRY_ASSIGN(const style::StyleModelPtr model, style::StyleModel::load(folder));
  styles.clear();
  for (int s = 0; s < static_cast<int>(all.styles.size()); ++s)
    if (all.styles[idx(s)] != clips.without) styles.push_back(measured(*model, all, s));
  ZOE_TRY(style::StyleModel::write_styles(folder, styles, all.poses, terms));
  return out;
}

}  // namespace zoe::author
