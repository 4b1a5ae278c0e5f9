// SPDX-License-Identifier: MIT
#include "zoe/author/train_style.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/features/tracks.h"
#include "zoe/style/procedural.h"
#include "zoe/style/row_edits.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
constexpr int kWindow = 60;  // Rows of a training window.
constexpr const char* kRandomStyle = "random_";
using Rows = std::vector<float>;

// A track to be written: rows, and the same moments in the style that a model is to give them.
struct StyleTrack {
  Rows rows, goal;
  int style = 0, content = 0, goal_style = 0;
};

// All tracks of the clips that are not held out, and the styles that they have.
class StyleTracks {
 public:
  StyleTracks(const LabelledClips& all, const TrainStyle& job) : all_(all), job_(job), styles(all.styles) {
    neutral_ = -1;
    for (std::size_t s = 0; s < styles.size(); ++s)
      if (styles[s] == "normal" || styles[s] == "neutral") neutral_ = static_cast<int>(s);
    if (job.procedural > 0) {
      const auto named = style::procedural_styles();
      rules_.assign(named.begin(), named.end());
      for (int i = 0; i < job.random_styles; ++i)
        rules_.push_back(style::random_procedural_style(
            fmt::format("{}{}", kRandomStyle, i + 1), Random(job.seed).split(1000000 + static_cast<std::uint64_t>(i))));
      for (const style::ProceduralStyle& style : rules_)
        if (std::ranges::find(styles, style.name) == styles.end()) styles.push_back(style.name);
    }
    for (const LabelledClip& clip : all.clips)
      if (!clip.held_out) add_clip(clip);
    repeat_rare();
  }

  bool has_pairs() const { return job_.procedural > 0; }
  int num_contents() const { return static_cast<int>(all_.contents.size()) * (job_.mirror ? 2 : 1); }
  std::size_t num_rows() const {
    std::size_t sum = 0;
    for (const StyleTrack& track : tracks_) sum += track.rows.size() / style::kNumColumns;
    return sum;
  }
  // Rows without mirror images that have the style: for its code.
  std::vector<const Rows*> of_style(int style) const {
    std::vector<const Rows*> found;
    for (const StyleTrack& track : tracks_)
      if (track.style == style && track.content < static_cast<int>(all_.contents.size())) found.push_back(&track.rows);
    return found;
  }

  // Short clips are extended by their last row.
  Result<void> write(const fs::path& folder, const std::string& licence) const {
    const bool pairs = has_pairs();
    const std::size_t width = style::kNumColumns, columns = pairs ? 3 : 2;
    Rows x, labels;
    std::vector<std::int32_t> lengths;
    for (const StyleTrack& track : tracks_) {
      const std::size_t count = track.rows.size() / width, length = std::max<std::size_t>(count, kWindow);
      for (std::size_t f = 0; f < length; ++f) {
        const auto at = static_cast<std::ptrdiff_t>(std::min(f, count - 1) * width);
        x.insert(x.end(), track.rows.begin() + at, track.rows.begin() + at + style::kNumColumns);
        if (pairs) x.insert(x.end(), track.goal.begin() + at, track.goal.begin() + at + style::kNumColumns);
        labels.insert(labels.end(), {static_cast<float>(track.style), static_cast<float>(track.content)});
        if (pairs) labels.push_back(static_cast<float>(track.goal_style));
      }
      lengths.push_back(static_cast<std::int32_t>(length));
    }
    const features::TrackField fields[] = {{"x", static_cast<int>(width) * (pairs ? 2 : 1), x},
                                           {"label", static_cast<int>(columns), labels}};
    return features::write_tracks(folder, fields, lengths, kWindow, {{"licence", licence}});
  }

 private:
  void add(StyleTrack track) {
    if (job_.mirror) {
      StyleTrack other = track;
      other.rows = style::mirrored_rows(track.rows);
      other.goal = style::mirrored_rows(track.goal);
      // A mirrored content is another one: a left hand waves.
      other.content += static_cast<int>(all_.contents.size());
      tracks_.push_back(std::move(other));
    }
    tracks_.push_back(std::move(track));
  }

  // The clip, and for a neutral one some procedural styles of it: from each style to the next, and back to the clip.
  void add_clip(const LabelledClip& clip) {
    const Rows rows = style::every(clip.clip);
    add({rows, rows, clip.style, clip.content, clip.style});
    if (job_.procedural == 0 || clip.style != neutral_) return;
    const Random random = Random(job_.seed).split(static_cast<std::uint64_t>(&clip - all_.clips.data()));
    std::vector<const style::ProceduralStyle*> choice;
    for (const style::ProceduralStyle& style : rules_) choice.push_back(&style);
    Random(random.split(0)).shuffle(choice);
    choice.resize(std::min(choice.size(), idx(job_.procedural)));
    Rows before = rows;
    int style_before = clip.style;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      Rows next = style::perform(rows, clip.body.offsets, *choice[i], random.split(i + 1));
      const auto style = static_cast<int>(std::ranges::find(styles, choice[i]->name) - styles.begin());
      add({before, next, style_before, clip.content, style});
      before = std::move(next);
      style_before = style;
    }
    add({before, rows, style_before, clip.content, clip.style});
  }

  // Styles of few clips are repeated, up to a third of the rows of the most frequent one.
  void repeat_rare() {
    constexpr std::size_t kMost = 8;
    std::vector<std::size_t> rows(styles.size(), 0);
    for (const StyleTrack& track : tracks_) rows[idx(track.style)] += track.rows.size();
    const std::size_t wanted = *std::ranges::max_element(rows) / 3, count = tracks_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t times = std::min(kMost, wanted / std::max<std::size_t>(1, rows[idx(tracks_[i].style)]));
      for (std::size_t k = 1; k < times; ++k) tracks_.push_back(StyleTrack(tracks_[i]));
    }
  }

  const LabelledClips& all_;
  const TrainStyle& job_;
  int neutral_ = -1;
  std::vector<style::ProceduralStyle> rules_;
  std::vector<StyleTrack> tracks_;

 public:
  std::vector<std::string> styles;
};

// Mean of the bodies, for positions in the losses.
std::vector<double> mean_offsets(const LabelledClips& all) {
  std::vector<double> sums(3 * style::kNumRoles, 0);
  for (const LabelledClip& clip : all.clips)
    for (std::size_t role = 0; role < style::kNumRoles; ++role)
      for (std::size_t axis = 0; axis < 3; ++axis)
        sums[3 * role + axis] += clip.body.offsets[role][axis] / static_cast<double>(all.clips.size());
  return sums;
}

std::vector<std::string> model_settings(const LabelledClips& all, const StyleTracks& tracks, int steps,
                                        std::uint64_t seed) {
  std::vector<int> parents;
  for (const int parent : style::kRoleParents) parents.push_back(parent + 1);
  // Found on the benchmark of docs/style.md; all can be changed by settings.
  return {fmt::format("model.styles={}", tracks.styles.size()), fmt::format("model.contents={}", tracks.num_contents()),
          fmt::format("model.pairs={}", tracks.has_pairs()), fmt::format("model.chain=[{}]", fmt::join(parents, ", ")),
          fmt::format("model.offsets=[{:.6f}]", fmt::join(mean_offsets(all), ", ")),
          fmt::format("model.feet=[{}, {}]", style::kLeftToes, style::kRightToes), "model.contacts=2",
          fmt::format("model.hands=[{}, {}]", style::kLeftShoulder + 3, style::kRightShoulder + 3),
          fmt::format("model.fps={:.1f}", style::kRowsPerSecond), fmt::format("train.steps={}", steps),
          fmt::format("train.seed={}", seed), "train.batch=32", "train.rate=0.001", "train.weight_decay=0",
          "train.ema=0.995", "train.log_every=100", "loss.adversarial.weight=2", "loss.adversarial.schedule=linear",
          "loss.adversarial.first_step=300", "loss.adversarial.last_step=1000", "loss.adversarial_dynamics.weight=2",
          "loss.adversarial_dynamics.schedule=linear", "loss.adversarial_dynamics.first_step=300",
          "loss.adversarial_dynamics.last_step=1000",
          // A window is no mean of its kind: the moments only lead the first steps.
          "loss.moments.schedule=linear", "loss.moments.first_weight=1", "loss.moments.weight=0.1",
          "loss.moments.first_step=1000", "loss.moments.last_step=4000"};
}

// Mean and spread of the codes of a style's windows.
style::NamedStyle measured(const style::StyleModel& model, const std::string& name,
                           std::span<const Rows* const> all_rows) {
  std::vector<double> sums(idx(model.code_width()), 0), squares = sums;
  double count = 0;
  for (const Rows* rows : all_rows) {
    const std::vector<float> codes = model.encode_windows(*rows);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      sums[i % sums.size()] += codes[i];
      squares[i % sums.size()] += codes[i] * codes[i];
    }
    count += static_cast<double>(codes.size() / sums.size());
  }
  style::NamedStyle out{name, {}, {}};
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
  std::string held_out;
  for (const LabelledClip& clip : all.clips) {
    if (clip.held_out) {
      held_out += clip.name + "\n";
      ++out.num_held_out;
      continue;
    }
    ++out.num_clips;
  }
  if (all.styles.size() < 2)
    return Error{ErrorCode::kUsage,
                 "only the style '" + all.styles[0] +
                     "' is here: a model needs two. Names end in _CONTENT_STYLE_TAKE, or "
                     "--labels FILE names the style of each file",
                 {}};
  if (out.num_clips == 0) return Error{ErrorCode::kUsage, "all clips are held out", {}};
  const StyleTracks tracks(all, *this);
  out.styles = tracks.styles;
  listener.say(fmt::format("{} clips ({} held out), {} rows; styles {}; contents {}", out.num_clips, out.num_held_out,
                           tracks.num_rows(), fmt::join(tracks.styles, ", "), fmt::join(all.contents, ", ")));
  if (random_styles > 0 && procedural == 0)
    return Error{ErrorCode::kUsage, "--random-styles are performed by --procedural N, with N of at least 1", {}};
  const std::string terms = licence.empty() ? "unknown" : licence;
  ZOE_TRY(tracks.write(folder / "tracks", terms));
  ZOE_TRY(write_file_atomic(folder / "held_out.txt", held_out));

  TrainingRequest request{.model = "style", .data = folder / "tracks", .out = folder / "training", .device = device};
  request.settings = model_settings(all, tracks, steps, seed);
  request.settings.insert(request.settings.end(), settings.begin(), settings.end());
  request.quiet = listener.quiet();
  request.resume = resume;
  request.keep_stopped = true;
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
  for (const std::string& name : tracks.styles)
    styles.push_back({name, style::StyleCode(width), style::StyleCode(width)});
  ZOE_TRY(style::StyleModel::write_styles(folder, styles, all.poses, terms));
  ZOE_TRY_ASSIGN(const style::StyleModelPtr model, style::StyleModel::load(folder));
  styles.clear();
  for (std::size_t s = 0; s < tracks.styles.size(); ++s)
    if (tracks.styles[s] != clips.without && !tracks.styles[s].starts_with(kRandomStyle))
      styles.push_back(measured(*model, tracks.styles[s], tracks.of_style(static_cast<int>(s))));
  ZOE_TRY(style::StyleModel::write_styles(folder, styles, all.poses, terms));
  return out;
}

}  // namespace zoe::author
