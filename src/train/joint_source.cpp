// SPDX-License-Identifier: MIT
#include "zoe/train/joint_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/dataset/dataset.h"

#include "train/clip_labels.h"
#include "train/open_dataset.h"

namespace zoe::train {
namespace {

using features::BlockKind;

// The columns of a block that belong to joints: each channel has `width` numbers per joint, joint after joint.
struct JointColumns {
  BlockKind kind = BlockKind::kOutput;
  int num_joints = 0, width = 0;
  struct Channel {
    int begin = 0, width = 0;  // First column, and columns per joint.
  };
  std::vector<Channel> channels;
  std::vector<std::string> names;  // For messages.
};

// The block with one row per frame whose channels cover the most joints. Channels of other joints are excluded.
JointColumns find_columns(const features::Layout& layout) {
  JointColumns best;
  for (const BlockKind kind : {BlockKind::kOutput, BlockKind::kInput}) {
    if (layout.width(kind) == 0 || layout.steps(kind) != 1) continue;
    const auto& channels = layout.schema().block(kind).channels;
    const std::vector<int>* joints = nullptr;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const std::vector<int>& own = layout.channel_joints(kind)[i];
      if (channels[i].group == features::Group::kJoint && channels[i].times.count == 1 &&
          (joints == nullptr || own.size() > joints->size()))
        joints = &own;
    }
    if (joints == nullptr || static_cast<int>(joints->size()) <= best.num_joints) continue;
    best = {kind, static_cast<int>(joints->size()), 0, {}, {}};
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].group != features::Group::kJoint || channels[i].times.count != 1 ||
          layout.channel_joints(kind)[i] != *joints)
        continue;
      const features::Column& column = layout.columns(kind)[i];
      best.channels.push_back({column.begin, column.width / best.num_joints});
      best.width += best.channels.back().width;
      best.names.push_back(column.name);
    }
  }
  return best;
}

class JointSource final : public BatchSource {
 public:
  struct Window {
    std::int32_t group, clip, first_frame, frames;
  };

  JointSource(dataset::DatasetPtr data, std::vector<JointColumns> columns, std::vector<Window> training,
              std::vector<Window> validation, int max_frames)
      : data_(std::move(data)), columns_(std::move(columns)), windows_{std::move(training), std::move(validation)} {
    largest_.frames = max_frames;
    int width = 0;
    for (const JointColumns& group : columns_) {
      largest_.joints = std::max(largest_.joints, group.num_joints);
      width = std::max(width, group.width);
    }
    const auto tokens = static_cast<int>(largest_.tokens());
    fields_ = {{"x", tokens, width, Rows::kTokens}, {"mask", tokens, 1, Rows::kTokens}};
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return of(split).size(); }
  bool ragged() const override { return true; }
  Extent extent(Split split, std::size_t sample) const override {
    const Window& window = of(split)[sample];
    return {window.frames, columns_[static_cast<std::size_t>(window.group)].num_joints};
  }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    return read_padded(split, samples, largest_, outputs);
  }

  Result<void> read_padded(Split split, std::span<const std::size_t> samples, Extent padded,
                           std::span<const std::span<float>> outputs) const override {
    for (const std::span<float> output : outputs) std::fill(output.begin(), output.end(), 0.0F);
    std::vector<features::Sample> moments;
    std::vector<float> rows;
    const auto width = static_cast<std::size_t>(fields_[0].width);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Window& window = of(split)[samples[i]];
      const JointColumns& columns = columns_[static_cast<std::size_t>(window.group)];
      const features::Layout& layout = data_->groups()[static_cast<std::size_t>(window.group)].layout;
      const auto row_width = static_cast<std::size_t>(layout.width(columns.kind));
      moments.clear();
      for (int frame = 0; frame < window.frames; ++frame)
        moments.push_back({window.clip, window.first_frame + frame, 0});
      rows.resize(moments.size() * row_width);
      const bool input = columns.kind == BlockKind::kInput;
      if (!data_->gather(window.group, moments, input ? std::span<float>(rows) : std::span<float>(),
                         input ? std::span<float>() : std::span<float>(rows)))
        return Error{
            ErrorCode::kInvalid, "the dataset does not give these samples", {.file = data_->folder().string()}};
      for (int frame = 0; frame < window.frames; ++frame) {
        for (int joint = 0; joint < columns.num_joints; ++joint) {
          const std::size_t token =
              i * static_cast<std::size_t>(padded.tokens()) + static_cast<std::size_t>(frame * padded.joints + joint);
          float* out = outputs[0].data() + token * width;
          for (const JointColumns::Channel& channel : columns.channels) {
            const float* from = rows.data() + static_cast<std::size_t>(frame) * row_width +
                                static_cast<std::size_t>(channel.begin + joint * channel.width);
            out = std::copy_n(from, channel.width, out);
          }
          outputs[1][token] = 1;
        }
      }
    }
    return {};
  }

  // At the middle of a window.
  Result<SampleLabels> labels(const std::string& name) const override {
    ClipLabels all(*data_, name);
    for (const Window& window : of(Split::kTraining)) {
      const dataset::Group& group = data_->groups()[static_cast<std::size_t>(window.group)];
      all.add(group.clips[static_cast<std::size_t>(window.clip)], window.first_frame + window.frames / 2);
    }
    return std::move(all).finish();
  }

  std::string identity() const override {
    const std::string data = identity_of(*data_);
    return data.empty() ? data : data + fmt::format(" {} frames", largest_.frames);
  }
  Metadata metadata() const override { return {{"licence", data_->licence().empty() ? "unknown" : data_->licence()}}; }

 private:
  const std::vector<Window>& of(Split split) const { return windows_[static_cast<std::size_t>(split)]; }

  dataset::DatasetPtr data_;
  std::vector<JointColumns> columns_;  // By group.
  std::vector<Window> windows_[2];     // By split.
  std::vector<Field> fields_;
  Extent largest_;
};

}  // namespace

Result<std::unique_ptr<BatchSource>> open_joint_source(const std::filesystem::path& folder, const JointWindows& windows,
                                                       Warnings& warnings) {
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data,
                 open_verified(folder, "(`zoe dataset build CLIPS -o DATASET` makes one)"));
  std::vector<JointColumns> columns;
  int width = 0;
  for (const dataset::Group& group : data->groups()) {
    columns.push_back(find_columns(group.layout));
    if (width == 0) width = columns.back().width;
  }
  std::vector<JointSource::Window> split_windows[2];
  for (std::size_t g = 0; g < columns.size(); ++g) {
    const dataset::Group& group = data->groups()[g];
    if (columns[g].width == 0 || columns[g].width != width) {
      warnings.push_back({fmt::format("skeleton group '{}' is skipped: it has {} numbers per joint, and others have {}",
                                      group.name, columns[g].width, width),
                          {.file = folder.string()}});
      continue;
    }
    for (std::size_t c = 0; c < group.clips.size(); ++c) {
      const dataset::ClipRecord& clip = data->clips()[static_cast<std::size_t>(group.clips[c])];
      if (clip.split == dataset::Split::kTest) continue;
      const bool training = clip.split == dataset::Split::kTrain;
      const int past = group.layout.past_frames(), end = group.rows[c].num_rows - group.layout.future_frames();
      // Half of a window is shared with the next.
      for (int first = past; first + windows.min_frames <= end; first += std::max(1, windows.max_frames / 2)) {
        const int frames = std::min(windows.max_frames, end - first);
        split_windows[training ? 0 : 1].push_back(
            {static_cast<std::int32_t>(g), static_cast<std::int32_t>(c), first, frames});
        if (first + frames == end) break;
      }
    }
  }
  if (split_windows[0].empty())
    return Error{ErrorCode::kInvalid,
                 fmt::format("no clip has {} frames with a channel of joints in a block of one row: lower "
                             "data.min_frames, or build with a schema that has `joint` channels",
                             windows.min_frames),
                 {.file = folder.string()}};
  return std::unique_ptr<BatchSource>(new JointSource(data, std::move(columns), std::move(split_windows[0]),
                                                      std::move(split_windows[1]), windows.max_frames));
}

}  // namespace zoe::train
