// SPDX-License-Identifier: MIT
#include "zoe/train/paint_source.h"

#include "train/paint/source_parts.h"
#include "train/paint/toy_figure.h"

namespace zoe::train {
namespace {

std::vector<Field> painter_fields(int size) {
  return {{"reference", 1, size * size / 4},
          {"target", 1, size * size / 4},
          {"palette", 1, static_cast<int>(kPaletteWidth)},
          {"pose", 1, static_cast<int>(2 * paint::kPoseSize)},
          {"soft", 1, size * size / 2},
          {"guess", 1, size * size / 2}};
}

class PaintSource final : public BatchSource {
 public:
  explicit PaintSource(paint::ClipFile file) : file_(std::move(file)), fields_(painter_fields(file_.size())) {
    for (std::size_t clip = 0; clip < file_.num_clips(); ++clip) {
      const bool held_out = is_validation(file_.label(clip));
      for (std::size_t frame = file_.first_frame(clip) + 1; frame < file_.first_frame(clip + 1); ++frame)
        samples_[held_out ? 1 : 0].push_back(static_cast<std::uint32_t>(frame));
    }
  }
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return of(split).size(); }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t frame = of(split)[samples[i]], clip = file_.clip_of(frame);
      const std::size_t first = file_.first_frame(clip), count = file_.first_frame(clip + 1) - first;
      const std::size_t number = frame - first;
      const std::size_t reference = first + paint::training_reference(number, count);
      const auto part = [&](std::size_t field) {
        return outputs[field].subspan(i * fields_[field].size(), fields_[field].size());
      };
      pack_indices(file_.pixels(reference), part(0));
      pack_indices(file_.pixels(frame), part(1));
      write_palette(file_.palette(clip), part(2));
      std::copy_n(file_.pose(frame).begin(), paint::kPoseSize, part(3).begin());
      std::copy_n(file_.pose(reference).begin(), paint::kPoseSize,
                  part(3).begin() + static_cast<std::ptrdiff_t>(paint::kPoseSize));
      pack_indices(file_.soft(frame), part(4));
      pack_indices(file_.guess(frame), part(5));
    }
    return {};
  }
  std::vector<FieldStatistics> statistics() const override { return no_statistics(fields_); }
  std::string identity() const override { return identity_of(file_); }
  Metadata metadata() const override { return words_of(file_); }

 private:
  const std::vector<std::uint32_t>& of(Split split) const { return samples_[split == Split::kTraining ? 0 : 1]; }

  paint::ClipFile file_;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> samples_[2];  // Frames.
};

class PaintedToy final : public BatchSource {
 public:
  PaintedToy(std::size_t training, std::size_t validation, std::uint64_t seed)
      : num_{training, validation}, seed_(seed), fields_(painter_fields(kToySize)) {}
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return num_[split == Split::kTraining ? 0 : 1]; }
  std::vector<FieldStatistics> statistics() const override { return no_statistics(fields_); }
  Metadata metadata() const override { return {{"licence", "CC0-1.0"}}; }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Random random = Random(seed_).split(static_cast<std::uint64_t>(split)).split(samples[i]);
      std::vector<paint::Color> palette(4);
      for (paint::Color& color : palette)
        for (std::uint8_t& byte : color) byte = static_cast<std::uint8_t>(random.below(256));
      const auto part = [&](std::size_t field) {
        return outputs[field].subspan(i * fields_[field].size(), fields_[field].size());
      };
      for (const std::size_t which : {1U, 0U}) {  // The target's pose is written first.
        const paint::Pose pose = toy_pose(random);
        const std::vector<std::uint8_t> drawn = draw_toy(pose);
        pack_indices(drawn, part(which));
        if (which == 1) {
          pack_indices(with_coverage(drawn), part(4));
          pack_indices(with_coverage(draw_toy(toy_pose(random))), part(5));  // A bad guess.
        }
        paint::write_pose(pose, std::span<float, paint::kPoseSize>(
                                    part(3).subspan(which == 1 ? 0 : paint::kPoseSize, paint::kPoseSize)));
      }
      write_palette(palette, part(2));
    }
    return {};
  }

 private:
  std::size_t num_[2];
  std::uint64_t seed_;
  std::vector<Field> fields_;
};

}  // namespace

void pack_indices(std::span<const std::uint8_t> indices, std::span<float> out) {
  ZOE_CHECK(indices.size() == 4 * out.size(), "four indices a number");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint8_t* p = indices.data() + 4 * i;
    out[i] = static_cast<float>(p[0] | p[1] << 6 | p[2] << 12 | p[3] << 18);
  }
}

bool is_paint_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / paint::kClipFile, ignored);
}

Result<std::unique_ptr<BatchSource>> open_paint_source(const std::filesystem::path& folder) {
  ZOE_TRY_ASSIGN(paint::ClipFile file, paint::ClipFile::open(folder));
  if (file.file().metadata().contains(paint::kVideoKey)) return make_video_source(std::move(file), folder.string());
  if (!file.has_guesses())
    return Error{ErrorCode::kInvalid,
                 "the clips have no guesses of puppets: draw them again with `zoe sprite pack`, without --truth",
                 {.file = folder.string()}};
  auto source = std::make_unique<PaintSource>(std::move(file));
  if (source->num_samples(Split::kTraining) == 0)
    return Error{ErrorCode::kInvalid, "the clips have no frames to train on", {.file = folder.string()}};
  return std::unique_ptr<BatchSource>(std::move(source));
}

std::unique_ptr<BatchSource> make_painted_toy(std::size_t num_training, std::size_t num_validation,
                                              std::uint64_t seed) {
  return std::make_unique<PaintedToy>(num_training, num_validation, seed);
}

}  // namespace zoe::train
