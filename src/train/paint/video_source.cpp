// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "zoe/core/random.h"
#include "zoe/paint/caption.h"
#include "zoe/train/paint_source.h"

#include "train/paint/source_parts.h"
#include "train/paint/toy_figure.h"

namespace zoe::train {
namespace {

std::vector<Field> video_fields(int size, int frames) {
  return {{"still", 1, size * size / 2},
          {"frames", frames, size * size / 2},
          {"guess", frames, size * size / 2},
          {"palette", 1, static_cast<int>(kPaletteWidth)},
          {"pose", 1 + frames, static_cast<int>(paint::kPoseSize)},
          {"words", 1, static_cast<int>(paint::kWordRows)}};
}

class VideoSource final : public BatchSource {
 public:
  VideoSource(paint::ClipFile file, const paint::Vocabulary& vocabulary, int frames)
      : file_(std::move(file)), fields_(video_fields(file_.size(), frames)) {
    for (std::size_t clip = 0; clip < file_.num_clips(); ++clip) {
      samples_[is_validation(file_.label(clip)) ? 1 : 0].push_back(clip);
      words_.push_back(vocabulary.encode(file_.label(clip).caption));
    }
  }
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return of(split).size(); }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t clip = of(split)[samples[i]], first = file_.first_frame(clip);
      const auto part = [&](std::size_t field) {
        return outputs[field].subspan(i * fields_[field].size(), fields_[field].size());
      };
      pack_indices(file_.soft(first), part(0));
      const auto frames = static_cast<std::size_t>(fields_[1].steps),
                 width = static_cast<std::size_t>(fields_[1].width);
      for (std::size_t f = 0; f < frames; ++f) {
        pack_indices(file_.soft(first + 1 + f), part(1).subspan(f * width, width));
        pack_indices(file_.guess(first + 1 + f), part(2).subspan(f * width, width));
      }
      write_palette(file_.palette(clip), part(3));
      for (std::size_t f = 0; f <= frames; ++f)
        std::copy_n(file_.pose(first + f).begin(), paint::kPoseSize, part(4).subspan(f * paint::kPoseSize).begin());
      std::fill(part(5).begin(), part(5).end(), 0.0F);
      std::copy(words_[clip].begin(), words_[clip].end(), part(5).begin());
    }
    return {};
  }
  std::vector<FieldStatistics> statistics() const override { return no_statistics(fields_); }
  std::string identity() const override { return identity_of(file_); }
  Metadata metadata() const override { return words_of(file_); }

 private:
  const std::vector<std::size_t>& of(Split split) const { return samples_[split == Split::kTraining ? 0 : 1]; }

  paint::ClipFile file_;
  std::vector<Field> fields_;
  std::vector<std::size_t> samples_[2];  // Clips.
  std::vector<std::vector<int>> words_;  // [clips]
};

constexpr int kToyFrames = 3;

// The trunk has one of eight colours, which a word names.
class VideoToy final : public BatchSource {
 public:
  VideoToy(std::size_t training, std::size_t validation, std::uint64_t seed)
      : num_{training, validation}, seed_(seed), fields_(video_fields(kToySize, kToyFrames)) {}
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return num_[split == Split::kTraining ? 0 : 1]; }
  std::vector<FieldStatistics> statistics() const override { return no_statistics(fields_); }
  Metadata metadata() const override {
    return {{"licence", "CC0-1.0"}, {paint::kWordsKey, "black red green yellow blue pink cyan white"}};
  }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Random random = Random(seed_).split(static_cast<std::uint64_t>(split)).split(samples[i]);
      const auto part = [&](std::size_t field) {
        return outputs[field].subspan(i * fields_[field].size(), fields_[field].size());
      };
      const auto word = static_cast<std::size_t>(random.below(8));
      std::vector<paint::Color> palette(4);
      for (paint::Color& color : palette)
        for (std::uint8_t& byte : color) byte = static_cast<std::uint8_t>(random.below(256));
      for (std::size_t c = 0; c < 3; ++c) palette[0][c] = (word >> c & 1) != 0 ? std::uint8_t{255} : std::uint8_t{0};
      write_palette(palette, part(3));
      std::fill(part(5).begin(), part(5).end(), 0.0F);
      part(5)[0] = static_cast<float>(word + 1);
      const auto width = static_cast<std::size_t>(fields_[1].width);
      for (std::size_t f = 0; f <= kToyFrames; ++f) {
        const paint::Pose pose = toy_pose(random);
        paint::write_pose(pose, part(4).subspan(f * paint::kPoseSize).first<paint::kPoseSize>());
        pack_indices(with_coverage(draw_toy(pose)), f == 0 ? part(0) : part(1).subspan((f - 1) * width, width));
        if (f > 0)  // A bad guess.
          pack_indices(with_coverage(draw_toy(toy_pose(random))), part(2).subspan((f - 1) * width, width));
      }
    }
    return {};
  }

 private:
  std::size_t num_[2];
  std::uint64_t seed_;
  std::vector<Field> fields_;
};

}  // namespace

Result<std::unique_ptr<BatchSource>> make_video_source(paint::ClipFile file, const std::string& name) {
  const auto wrong = [&](std::string why) { return Error{ErrorCode::kInvalid, std::move(why), {.file = name}}; };
  const Metadata& metadata = file.file().metadata();
  const auto words = metadata.find(paint::kWordsKey);
  if (!file.has_guesses() || words == metadata.end())
    return wrong("the clips have no guesses or no vocabulary: draw them with `zoe sprite pack --video`");
  const std::size_t frames = file.first_frame(1) - 1;
  for (std::size_t clip = 0; clip < file.num_clips(); ++clip) {
    if (file.first_frame(clip + 1) - file.first_frame(clip) != frames + 1)
      return wrong(fmt::format("clip {} has another number of frames than clip 0", clip));
  }
  auto source =
      std::make_unique<VideoSource>(std::move(file), paint::Vocabulary(words->second), static_cast<int>(frames));
  if (source->num_samples(Split::kTraining) == 0) return wrong("there are no clips to train on");
  return std::unique_ptr<BatchSource>(std::move(source));
}

std::unique_ptr<BatchSource> make_video_toy(std::size_t num_training, std::size_t num_validation, std::uint64_t seed) {
  return std::make_unique<VideoToy>(num_training, num_validation, seed);
}

}  // namespace zoe::train
