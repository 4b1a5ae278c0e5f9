// SPDX-License-Identifier: MIT
#include "zoe/train/body_source.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/dataset/dataset.h"
#include "zoe/features/action_words.h"
#include "zoe/features/body_tokens.h"

#include "train/open_dataset.h"

namespace zoe::train {
namespace {

using features::BlockKind;
using features::BodyTokens;
using features::kTokenWidth;

constexpr int kMaxRepeats = 8;

struct BodyWindow {
  std::int32_t group, clip, first_frame, frames;
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

class BodySource final : public BatchSource {
 public:
  BodySource(dataset::DatasetPtr data, std::vector<BodyTokens> bodies, std::vector<BodyWindow> training,
             std::vector<BodyWindow> validation, int max_frames)
      : data_(std::move(data)), bodies_(std::move(bodies)), windows_{std::move(training), std::move(validation)} {
    largest_.frames = max_frames;
    for (const BodyTokens& body : bodies_) largest_.joints = std::max(largest_.joints, body.num_tokens());
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
    return {window.frames, bodies_[idx(window.group)].num_tokens()};
  }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    return read_padded(split, samples, largest_, outputs);
  }

  Result<void> read_padded(Split split, std::span<const std::size_t> samples, Extent padded,
                           std::span<const std::span<float>> outputs) const override {
    for (const std::span<float> output : outputs) std::fill(output.begin(), output.end(), 0.0F);
    std::vector<float> frames;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const BodyWindow& window = of(split)[samples[i]];
      const BodyTokens& body = bodies_[idx(window.group)];
      ZOE_TRY(read_window(window, frames));
      features::to_canonical(body, frames);
      const std::size_t joints = body.joints.size(), row = joints * kTokenWidth;
      const std::size_t first = i * static_cast<std::size_t>(padded.tokens());
      for (std::size_t f = 0; f < idx(window.frames); ++f) {
        const std::size_t token = first + f * idx(padded.joints);
        std::copy_n(frames.data() + f * row, row, outputs[0].data() + token * kTokenWidth);
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
      const int clip = data_->groups()[idx(window.group)].clips[idx(window.clip)];
      std::copy(words_[idx(clip)].begin(), words_[idx(clip)].end(), outputs[5].data() + i * words_[idx(clip)].size());
    }
    return {};
  }

  std::string identity() const override {
    const std::string data = identity_of(*data_);
    return data.empty() ? data : data + fmt::format(" {} frames of bodies", largest_.frames);
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

  // [frames × tokens × kTokenWidth] in the layout's numbers. A sample of the layout has several frames in a row.
  Result<void> read_window(const BodyWindow& window, std::vector<float>& frames) const {
    const features::Layout& layout = data_->groups()[idx(window.group)].layout;
    const int steps = layout.steps(BlockKind::kOutput);
    std::vector<features::Sample> moments;
    for (int frame = 0; frame < window.frames; frame += steps)
      moments.push_back({window.clip, window.first_frame + frame, 0});
    frames.resize(moments.size() * layout.size(BlockKind::kOutput));
    if (!data_->gather(window.group, moments, {}, frames))
      return Error{ErrorCode::kInvalid, "the dataset does not give these samples", {.file = data_->folder().string()}};
    frames.resize(idx(window.frames) * idx(layout.width(BlockKind::kOutput)));
    return {};
  }

  dataset::DatasetPtr data_;
  std::vector<BodyTokens> bodies_;         // By group.
  std::vector<BodyWindow> windows_[2];     // By split.
  std::vector<std::vector<float>> words_;  // By clip.
  std::vector<Field> fields_;
  Extent largest_;
};

// Skeletons with few windows repeat them: after that, none has less than the mean unless it would be kMaxRepeats times.
void balance(std::vector<BodyWindow>& windows, std::size_t num_groups) {
  std::vector<std::vector<BodyWindow>> by_group(num_groups);
  for (const BodyWindow& window : windows) by_group[idx(window.group)].push_back(window);
  const double mean = static_cast<double>(windows.size()) / static_cast<double>(std::max<std::size_t>(1, num_groups));
  windows.clear();
  for (const std::vector<BodyWindow>& group : by_group) {
    if (group.empty()) continue;
    const int repeats =
        std::clamp(static_cast<int>(std::lround(mean / static_cast<double>(group.size()))), 1, kMaxRepeats);
    for (int i = 0; i < repeats; ++i) windows.insert(windows.end(), group.begin(), group.end());
  }
}

}  // namespace

Result<std::unique_ptr<BatchSource>> open_body_source(const std::filesystem::path& folder, const JointWindows& windows,
                                                      Warnings& warnings) {
  ZOE_TRY_ASSIGN(
      const dataset::DatasetPtr data,
      open_verified(folder, "(`zoe dataset build CLIPS -o DATASET --schema anytop --skeletons each` makes one)"));
  std::vector<BodyTokens> bodies;
  std::vector<BodyWindow> split_windows[2];
  for (std::size_t g = 0; g < data->groups().size(); ++g) {
    const dataset::Group& group = data->groups()[g];
    Result<BodyTokens> body = features::body_tokens(group.layout, group.skeleton, analyse(*group.skeleton));
    if (!body && body.error().code == ErrorCode::kUsage)
      return Error{ErrorCode::kUsage, body.error().message, {.file = folder.string()}};
    if (!body) {
      warnings.push_back({fmt::format("skeleton group '{}' is skipped: {}", group.name, body.error().message),
                          {.file = folder.string()}});
      bodies.emplace_back();
      continue;
    }
    bodies.push_back(std::move(*body));
    for (std::size_t c = 0; c < group.clips.size(); ++c) {
      const dataset::ClipRecord& clip = data->clips()[static_cast<std::size_t>(group.clips[c])];
      if (clip.split == dataset::Split::kTest) continue;
      // The first row has no step of the root before it.
      const int end = group.rows[c].num_rows;
      for (int first = 1; first + windows.min_frames <= end; first += std::max(1, windows.max_frames / 2)) {
        const int frames = std::min(windows.max_frames, end - first);
        split_windows[clip.split == dataset::Split::kTrain ? 0 : 1].push_back(
            {static_cast<std::int32_t>(g), static_cast<std::int32_t>(c), first, frames});
        if (first + frames == end) break;
      }
    }
  }
  if (split_windows[0].empty())
    return Error{ErrorCode::kInvalid,
                 fmt::format("no training clip has {} frames: lower data.min_frames", windows.min_frames),
                 {.file = folder.string()}};
  balance(split_windows[0], bodies.size());
  return std::unique_ptr<BatchSource>(new BodySource(data, std::move(bodies), std::move(split_windows[0]),
                                                     std::move(split_windows[1]), windows.max_frames));
}

}  // namespace zoe::train
