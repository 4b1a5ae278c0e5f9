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
          {"pose", 1, static_cast<int>(3 * paint::kPoseSize)},
          {"soft", 2, size * size / 2},
          {"guess", 2, size * size / 2}};
}

std::vector<Field> judge_fields(int size) {
  constexpr int kFrames = static_cast<int>(paint::kJudgedFrames);
  return {{"frames", kFrames, size * size / 4},
          {"palette", 1, static_cast<int>(kPaletteWidth)},
          {"poses", kFrames, static_cast<int>(paint::kPoseSize)},
          {"answers", 1, static_cast<int>(paint::kNumQuestions)}};
}

class PaintSource final : public BatchSource {
 public:
  explicit PaintSource(paint::ClipFile file) : file_(std::move(file)), fields_(painter_fields(file_.size())) {
    for (std::size_t clip = 0; clip < file_.num_clips(); ++clip) {
      const bool held_out = is_validation(file_.label(clip));
      for (std::size_t frame = file_.first_frame(clip) + 1; frame < file_.first_frame(clip + 1); frame += 2)
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
      const std::size_t partner = first + paint::training_partner(number, count);
      std::size_t row = 0;
      for (const std::size_t which : {frame, partner, reference})
        std::copy_n(file_.pose(which).begin(), paint::kPoseSize, part(3).subspan(paint::kPoseSize * row++).begin());
      row = 0;
      for (const std::size_t which : {frame, partner}) {
        const std::size_t width = part(4).size() / 2;
        pack_indices(file_.soft(which), part(4).subspan(row * width, width));
        pack_indices(file_.guess(which), part(5).subspan(row * width, width));
        ++row;
      }
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

// Whole clips for judges.
class ClipSource final : public BatchSource {
 public:
  explicit ClipSource(paint::ClipFile file) : file_(std::move(file)), fields_(judge_fields(file_.size())) {
    for (std::size_t clip = 0; clip < file_.num_clips(); ++clip)
      clips_[is_validation(file_.label(clip)) ? 1 : 0].push_back(static_cast<std::uint32_t>(clip));
  }
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return of(split).size(); }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t clip = of(split)[samples[i]], first = file_.first_frame(clip) + 1;
      const auto part = [&](std::size_t field) {
        return outputs[field].subspan(i * fields_[field].size(), fields_[field].size());
      };
      const std::size_t pixels = static_cast<std::size_t>(fields_[0].width);
      for (std::size_t k = 0; k < paint::kJudgedFrames; ++k) {
        const std::size_t frame = first + paint::judged_frame(k, file_.first_frame(clip + 1) - first);
        pack_indices(file_.pixels(frame), part(0).subspan(k * pixels, pixels));
        std::copy_n(file_.pose(frame).begin(), paint::kPoseSize, part(2).subspan(k * paint::kPoseSize).begin());
      }
      write_palette(file_.palette(clip), part(1));
      for (std::size_t q = 0; q < paint::kNumQuestions; ++q) part(3)[q] = static_cast<float>(file_.answers(clip)[q]);
    }
    return {};
  }
  std::vector<FieldStatistics> statistics() const override { return no_statistics(fields_); }
  std::string identity() const override { return identity_of(file_); }
  Metadata metadata() const override { return words_of(file_); }

 private:
  const std::vector<std::uint32_t>& of(Split split) const { return clips_[split == Split::kTraining ? 0 : 1]; }

  paint::ClipFile file_;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> clips_[2];
};

// A body of a trunk, a head, two arms and two legs, each in a colour of its own.
class PaintedToy final : public BatchSource {
 public:
  PaintedToy(std::size_t training, std::size_t validation, std::uint64_t seed)
      : num_{training, validation}, seed_(seed), fields_(painter_fields(kToySize)) {
    for (Field& field : judge_fields(kToySize))
      if (field.name != "palette") fields_.push_back(std::move(field));
  }
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
      for (std::size_t which = 0; which < 3; ++which) {  // Target, partner, reference.
        const paint::Pose pose = toy_pose(random);
        const std::vector<std::uint8_t> drawn = draw_toy(pose);
        if (which != 1) pack_indices(drawn, part(which == 0 ? 1 : 0));
        if (which < 2) {
          const std::size_t width = part(4).size() / 2;
          pack_indices(with_coverage(drawn), part(4).subspan(which * width, width));
          // A bad guess.
          pack_indices(with_coverage(draw_toy(toy_pose(random))), part(5).subspan(which * width, width));
        }
        paint::write_pose(pose, part(3).subspan(which * paint::kPoseSize).first<paint::kPoseSize>());
      }
      write_palette(palette, part(2));
      write_clip(random, palette, part(6), part(7), part(8));
    }
    return {};
  }

 private:
  // Eight poses that move to one side: the action is which. Other answers are the strongest channels of the colours.
  static void write_clip(Random& random, const std::vector<paint::Color>& palette, std::span<float> frames,
                         std::span<float> poses, std::span<float> answers) {
    const bool right = random.below(2) == 1;
    const std::size_t pixels = frames.size() / paint::kJudgedFrames;
    const paint::Pose start = toy_pose(random);
    for (std::size_t k = 0; k < paint::kJudgedFrames; ++k) {
      paint::Pose pose = start;
      for (paint::PosePoint& p : pose.points) p.x += (right ? 0.04F : -0.04F) * (static_cast<float>(k) - 3.5F);
      pack_indices(draw_toy(pose), frames.subspan(k * pixels, pixels));
      paint::write_pose(pose, poses.subspan(k * paint::kPoseSize).first<paint::kPoseSize>());
    }
    const auto strongest = [&](std::size_t color) {
      return static_cast<float>(std::max_element(palette[color].begin(), palette[color].end()) -
                                palette[color].begin());
    };
    std::fill(answers.begin(), answers.end(), -1.0F);
    answers[paint::kAskAction] = right ? 1.0F : 0.0F;
    for (std::size_t q = paint::kAskSpecies; q <= paint::kAskSkin; ++q) answers[q] = strongest(q - 1);
    answers[paint::kAskDrawn] = palette[0][0] > 127 ? 1.0F : 0.0F;
  }

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
  std::unique_ptr<BatchSource> source;
  if (file.has_guesses())
    source = std::make_unique<PaintSource>(std::move(file));
  else
    source = std::make_unique<ClipSource>(std::move(file));
  if (source->num_samples(Split::kTraining) == 0)
    return Error{ErrorCode::kInvalid, "the clips have no frames to train on", {.file = folder.string()}};
  return source;
}

std::unique_ptr<BatchSource> make_painted_toy(std::size_t num_training, std::size_t num_validation,
                                              std::uint64_t seed) {
  return std::make_unique<PaintedToy>(num_training, num_validation, seed);
}

}  // namespace zoe::train
