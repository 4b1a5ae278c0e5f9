// SPDX-License-Identifier: MIT
#include "zoe/train/body_source.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/dataset/dataset.h"
#include "zoe/features/action_words.h"
#include "zoe/features/body_tokens.h"

#include "train/body_clips.h"
#include "train/open_dataset.h"
#include "train/spread_floor.h"

namespace zoe::train {
namespace {

using features::BlockKind;
using features::BodyTokens;
using features::kTokenWidth;

// Columns of relations are a multiple of this: joints may be padded to one (data.size_multiple).
constexpr int kColumns = 64;
constexpr int kMaxRepeats = 8;             // Of bodies with few windows.
constexpr int kMaxFamilyRepeats = 3;       // Of families with few bodies.
constexpr std::size_t kVelocityBegin = 9;  // Of a token: velocity, or the root's step.

struct BodyWindow {
  // The clip: of the body's own. Loops go on at their beginning; other clips keep their last pose.
  std::int32_t body, clip, first_frame, frames;
};

// The actions of a clip: of its own name, else of its file and folders; and its labels.
std::vector<float> words_of_clip(const dataset::ClipRecord& clip) {
  std::vector<int> actions = features::read_action_words(clip.name).actions;
  const auto add = [&](std::string_view text) {
    for (const int action : features::read_action_words(text).actions)
      if (std::find(actions.begin(), actions.end(), action) == actions.end()) actions.push_back(action);
  };
  for (const std::string& label : clip.labels) add(label);
  if (actions.empty()) add(clip.source);
  return features::action_bag(actions);
}

struct Moments {
  double mean = 0, deviation = 0;
};
// With numbers outside of the inner 98 % moved to its borders.
Moments inner_moments(std::vector<float>& values) {
  constexpr double kOutside = 0.01;
  Moments out;
  if (values.empty()) return out;
  const auto at = [&](double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return double{*place};
  };
  const double low = at(kOutside), high = at(1 - kOutside);
  double squares = 0;
  for (const float value : values) out.mean += std::clamp(double{value}, low, high);
  out.mean /= static_cast<double>(values.size());
  for (const float value : values) squares += std::pow(std::clamp(double{value}, low, high) - out.mean, 2);
  out.deviation = std::sqrt(squares / static_cast<double>(values.size()));
  return out;
}

class BodySource final : public BatchSource {
 public:
  BodySource(dataset::DatasetPtr data, std::vector<BodyClips> bodies, std::vector<BodyWindow> training,
             std::vector<BodyWindow> validation, const JointWindows& options)
      : data_(std::move(data)),
        bodies_(std::move(bodies)),
        windows_{std::move(training), std::move(validation)},
        options_(options) {
    largest_.frames = options.max_frames;
    for (const BodyClips& one : bodies_) largest_.joints = std::max(largest_.joints, one.body.num_tokens());
    largest_.joints = (largest_.joints + kColumns - 1) / kColumns * kColumns;
    const auto tokens = static_cast<int>(largest_.tokens());
    const auto words = static_cast<int>(features::action_vocabulary().size());
    fields_ = {{"x", tokens, kTokenWidth, Rows::kTokens},
               {"mask", tokens, 1, Rows::kTokens},
               {"body", largest_.joints, features::kBodyWidth, Rows::kJoints},
               {"names", largest_.joints, features::kNameWidth, Rows::kJoints},
               {"relation", largest_.joints, largest_.joints, Rows::kJoints},
               {"words", 1, words, Rows::kSteps}};
    for (const dataset::ClipRecord& clip : data_->clips()) words_.push_back(words_of_clip(clip));
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return of(split).size(); }
  bool ragged() const override { return true; }
  Extent extent(Split split, std::size_t sample) const override {
    const BodyWindow& window = of(split)[sample];
    return {window.frames, bodies_[idx(window.body)].body.num_tokens()};
  }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    return read_padded(split, samples, largest_, outputs);
  }

  Result<void> read_padded(Split split, std::span<const std::size_t> samples, Extent padded,
                           std::span<const std::span<float>> outputs) const override {
    for (const std::span<float> output : outputs) std::fill(output.begin(), output.end(), 0.0F);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const BodyWindow& window = of(split)[samples[i]];
      const BodyTokens& body = bodies_[idx(window.body)].body;
      const BodyClip& clip = bodies_[idx(window.body)].clips[idx(window.clip)];
      const std::size_t joints = body.joints.size(), row = joints * kTokenWidth;
      const std::size_t first = i * static_cast<std::size_t>(padded.tokens());
      for (std::size_t f = 0; f < idx(window.frames); ++f) {
        const std::size_t token = first + f * idx(padded.joints);
        const std::size_t wanted = idx(window.first_frame) + f, last = idx(clip.frames) - 1;
        const std::size_t frame = clip.loops ? wanted % idx(clip.frames) : std::min(wanted, last);
        float* to = outputs[0].data() + token * kTokenWidth;
        std::copy_n(clip.values.data() + frame * row, row, to);
        for (std::size_t j = 0; j < joints && frame != wanted && !clip.loops; ++j)
          std::fill_n(to + j * kTokenWidth + kVelocityBegin, 3, 0.0F);
        std::fill_n(outputs[1].data() + token, joints, 1.0F);
      }
      const std::size_t joint = i * idx(padded.joints);
      std::copy(body.body.begin(), body.body.end(), outputs[2].data() + joint * features::kBodyWidth);
      std::copy(body.names.begin(), body.names.end(), outputs[3].data() + joint * features::kNameWidth);
      for (std::size_t a = 0; a < joints; ++a) {
        float* pairs = outputs[4].data() + (joint + a) * idx(largest_.joints);
        for (std::size_t b = 0; b < joints; ++b) {
          const float* pair = &body.relations[2 * (a * joints + b)];
          pairs[b] = pair[0] + features::kRelationClasses * pair[1];
        }
      }
      const std::vector<float>& words = words_[idx(clip.clip)];
      std::copy(words.begin(), words.end(), outputs[5].data() + i * words.size());
    }
    return {};
  }

  // Of x without the outermost numbers: a few fast or tumbling bodies would be the unit for the steps of all others.
  // Other columns are used as they are.
  std::vector<FieldStatistics> statistics() const override {
    constexpr std::size_t kWindows = 1500;
    const std::vector<BodyWindow>& windows = of(Split::kTraining);
    std::vector<std::vector<float>> columns(kTokenWidth);
    for (std::size_t i = 0; i < std::min(windows.size(), kWindows); ++i) {
      const BodyWindow& window = windows[i * windows.size() / std::min(windows.size(), kWindows)];
      const BodyClips& body = bodies_[idx(window.body)];
      const std::vector<float>& values = body.clips[idx(window.clip)].values;
      const std::size_t row = body.body.joints.size() * kTokenWidth;
      const std::size_t end = std::min(idx(window.first_frame + window.frames) * row, values.size());
      // Every other frame is enough.
      for (std::size_t frame = idx(window.first_frame); frame * row < end; frame += 2)
        for (std::size_t k = 0; k < row; ++k) columns[k % kTokenWidth].push_back(values[frame * row + k]);
    }
    std::vector<FieldStatistics> out;
    for (const Field& field : fields_) {
      const auto width = idx(field.width);
      out.push_back({std::vector<float>(width, 0.0F), std::vector<float>(width, 1.0F)});
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Moments moments = inner_moments(columns[c]);
      out[0].mean[c] = static_cast<float>(moments.mean);
      if (moments.deviation >= kSpreadFloor) out[0].spread[c] = static_cast<float>(moments.deviation);
    }
    return out;
  }

  std::string identity() const override {
    const std::string data = identity_of(*data_);
    return data.empty() ? data
                        : data + fmt::format(" {} frames of {} bodies, {} variants", largest_.frames, options_.bodies,
                                             options_.variants);
  }
  Metadata metadata() const override {
    std::string words;
    for (const std::string_view word : features::action_vocabulary())
      words += (words.empty() ? "" : " ") + std::string(word);
    return {{"licence", data_->licence().empty() ? "unknown" : data_->licence()},
            {"zoe.schema", data_->schema_toml()},
            {"zoe.frames", std::to_string(largest_.frames)},
            {"zoe.words", words}};
  }

 private:
  const std::vector<BodyWindow>& of(Split split) const { return windows_[static_cast<std::size_t>(split)]; }

  dataset::DatasetPtr data_;
  std::vector<BodyClips> bodies_;
  std::vector<BodyWindow> windows_[2];     // By split.
  std::vector<std::vector<float>> words_;  // By clip.
  std::vector<Field> fields_;
  Extent largest_;
  JointWindows options_;
};

// All rows of a clip but the first, which has no step of the root before it, relative to the rest pose.
Result<BodyClip> read_clip(const dataset::Dataset& data, int group_index, int clip_index, const BodyTokens& body) {
  const dataset::Group& group = data.groups()[idx(group_index)];
  const int rows = group.rows[idx(clip_index)].num_rows, steps = group.layout.steps(BlockKind::kOutput);
  const auto width = idx(group.layout.width(BlockKind::kOutput));
  std::vector<features::Sample> moments;
  for (int frame = 0; frame < rows; frame += steps) moments.push_back({clip_index, frame, 0});
  std::vector<float> values(moments.size() * group.layout.size(BlockKind::kOutput));
  if (!data.gather(group_index, moments, {}, values))
    return Error{ErrorCode::kInvalid, "the dataset does not give these samples", {.file = data.folder().string()}};
  values.resize(idx(rows) * width);
  features::to_canonical(body, values);
  BodyClip clip{.clip = group.clips[idx(clip_index)], .values = {}, .frames = std::max(rows - 1, 0)};
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(std::min(width, values.size()));
  clip.values.assign(begin, values.end());
  clip.loops = clip.frames > 0 && close_loop(body, std::span(values).first(width), clip);
  make_travel(body, clip);
  lower_flight(body, clip);
  slow_down(body, clip);
  return clip;
}

void add_windows(const BodyClips& body, int body_index, const dataset::Dataset& data, const JointWindows& options,
                 std::vector<BodyWindow> (&windows)[2]) {
  constexpr int kStartsOfLoop = 4;
  for (std::size_t c = 0; c < body.clips.size(); ++c) {
    const BodyClip& clip = body.clips[c];
    const dataset::Split split = data.clips()[idx(clip.clip)].split;
    if (split == dataset::Split::kTest) continue;
    const auto add = [&](int first, int frames) {
      windows[split == dataset::Split::kTrain ? 0 : 1].push_back(
          {body_index, static_cast<std::int32_t>(c), first, frames});
    };
    if (clip.loops && clip.frames < options.max_frames) {
      for (int i = 0; i < kStartsOfLoop; ++i) add(clip.frames * i / kStartsOfLoop, options.max_frames);
      continue;
    }
    // Attacks, jumps and deaths are short. Seen only at their own length, a request for more is like nothing learnt.
    if (clip.frames >= options.min_frames && clip.frames < options.max_frames) add(0, options.max_frames);
    for (int first = 0; first + options.min_frames <= clip.frames; first += std::max(1, options.max_frames / 4)) {
      const int frames = std::min(options.max_frames, clip.frames - first);
      add(first, frames);
      if (first + frames == clip.frames) break;
    }
  }
}

constexpr int kMaxShare = 4;  // Of the mean: windows of classes with more are thinned out.

// Classes with few windows repeat them: after that, none has less than the mean unless it would be `most` times. A
// class with far more than the mean keeps evenly spaced ones: its windows overlap.
void balance(std::vector<BodyWindow>& windows, int most,
             const std::function<std::int64_t(const BodyWindow&)>& class_of) {
  std::map<std::int64_t, std::vector<BodyWindow>> classes;
  for (const BodyWindow& window : windows) classes[class_of(window)].push_back(window);
  const double mean =
      static_cast<double>(windows.size()) / static_cast<double>(std::max<std::size_t>(1, classes.size()));
  windows.clear();
  for (const auto& [key, members] : classes) {
    const int repeats = std::clamp(static_cast<int>(std::lround(mean / static_cast<double>(members.size()))), 1, most);
    const auto kept = static_cast<std::size_t>(std::clamp(kMaxShare * mean, 1.0, static_cast<double>(members.size())));
    for (int i = 0; i < repeats; ++i)
      for (std::size_t k = 0; k < kept; ++k) windows.push_back(members[k * members.size() / kept]);
  }
}

// How often windows of a clip with these actions are drawn. Files have one gait beside a dozen of other clips, and more
// idling than anything else: drawn alike, a model stands about.
int draws_of(const std::vector<float>& words) {
  constexpr int kGait = 4, kOther = 2, kStanding = 1;
  int draws = kStanding;
  const std::span<const std::string_view> names = features::action_vocabulary();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0 || names[i] == "idle" || names[i] == "stand" || names[i] == "sit" || names[i] == "lie") continue;
    const bool is_gait = names[i] == "walk" || names[i] == "run" || names[i] == "fly" || names[i] == "swim";
    draws = std::max(draws, is_gait ? kGait : kOther);
  }
  return draws;
}

// The subsets of the published model, by the analysis.
bool is_among(BodyFamily family, const std::string& bodies) {
  switch (family) {
    case BodyFamily::kBiped:
      return bodies == "all" || bodies == "bipeds";
    case BodyFamily::kQuadruped:
      return bodies == "all" || bodies == "quadrupeds";
    case BodyFamily::kBird:
    case BodyFamily::kFlyer:
      return bodies == "all" || bodies == "flying";
    case BodyFamily::kHexapod:
    case BodyFamily::kOctopod:
    case BodyFamily::kMillipede:
    case BodyFamily::kSnake:
      return bodies == "all" || bodies == "millipeds_snakes";
    default:
      return bodies == "all";
  }
}

}  // namespace

Result<std::unique_ptr<BatchSource>> open_body_source(const std::filesystem::path& folder, const JointWindows& windows,
                                                      Warnings& warnings) {
  ZOE_TRY_ASSIGN(
      const dataset::DatasetPtr data,
      open_verified(folder, "(`zoe dataset build CLIPS -o DATASET --schema anytop --skeletons each` makes one)"));
  std::vector<BodyClips> bodies;
  std::vector<BodyFamily> families;  // Of the bodies.
  std::vector<BodyWindow> split_windows[2];
  for (std::size_t g = 0; g < data->groups().size(); ++g) {
    const dataset::Group& group = data->groups()[g];
    const SkeletonAnalysis analysis = analyse(*group.skeleton);
    if (!is_among(analysis.family, windows.bodies)) continue;
    Result<BodyTokens> tokens = features::body_tokens(group.layout, group.skeleton, analysis);
    if (!tokens && tokens.error().code == ErrorCode::kUsage)
      return Error{ErrorCode::kUsage, tokens.error().message, {.file = folder.string()}};
    if (!tokens) {
      warnings.push_back({fmt::format("skeleton group '{}' is skipped: {}", group.name, tokens.error().message),
                          {.file = folder.string()}});
      continue;
    }
    BodyClips body{std::move(*tokens), {}};
    for (std::size_t c = 0; c < group.clips.size(); ++c) {
      ZOE_TRY_ASSIGN(BodyClip clip, read_clip(*data, static_cast<int>(g), static_cast<int>(c), body.body));
      body.clips.push_back(std::move(clip));
    }
    add_windows(body, static_cast<int>(bodies.size()), *data, windows, split_windows);
    bodies.push_back(std::move(body));
    Random random = Random(windows.seed).split(g);
    for (int variant = 0; variant < windows.variants; ++variant) {
      BodyClips training{bodies[bodies.size() - 1 - idx(variant)].body, {}};
      for (const BodyClip& clip : bodies[bodies.size() - 1 - idx(variant)].clips)
        if (data->clips()[idx(clip.clip)].split == dataset::Split::kTrain) training.clips.push_back(clip);
      if (training.clips.empty()) break;
      BodyClips other = altered(training, group.layout.fps(), {}, random);
      add_windows(other, static_cast<int>(bodies.size()), *data, windows, split_windows);
      bodies.push_back(std::move(other));
    }
    families.resize(bodies.size(), analysis.family);
  }
  if (split_windows[0].empty())
    return Error{ErrorCode::kInvalid,
                 fmt::format("no training clip of {} bodies has {} frames: lower data.min_frames", windows.bodies,
                             windows.min_frames),
                 {.file = folder.string()}};
  // Bodies, then the clips of each: a walk counts as much as a dance that is ten times as long.
  balance(split_windows[0], kMaxRepeats, [](const BodyWindow& window) { return window.body; });
  balance(split_windows[0], kMaxRepeats / 2,
          [](const BodyWindow& window) { return (std::int64_t{window.body} << 32) + window.clip; });
  // Most bodies are people. Flyers, fish and snakes are not what a few of their windows could teach.
  balance(split_windows[0], kMaxFamilyRepeats,
          [&](const BodyWindow& window) { return static_cast<std::int64_t>(families[idx(window.body)]); });
  std::vector<BodyWindow> drawn;
  for (const BodyWindow& window : split_windows[0]) {
    const BodyClip& clip = bodies[idx(window.body)].clips[idx(window.clip)];
    drawn.insert(drawn.end(), idx(draws_of(words_of_clip(data->clips()[idx(clip.clip)]))), window);
  }
  split_windows[0] = std::move(drawn);
  return std::unique_ptr<BatchSource>(
      new BodySource(data, std::move(bodies), std::move(split_windows[0]), std::move(split_windows[1]), windows));
}

}  // namespace zoe::train
