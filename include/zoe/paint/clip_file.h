// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips to train and test painters with, in one file: clips.safetensors.
//
//   pixels       uint8   [frames, size × size]   0: transparent, i: colour i of the clip's palette
//   poses        float32 [frames, kPoseSize]
//   first_frame  int32   [clips + 1]             the first frame of a clip is its reference
//   palettes     uint8   [clips, kMaxColors, 3]
//   num_colors   uint8   [clips]
//   truth        uint8   [frames, size × size, 4] optional: as drawn, before the palette was reduced
//   soft         uint8   [frames, size × size, 2] to train with: index and coverage of each pixel (SoftPicture)
//   guesses      uint8   [frames, size × size, 2] the same: a puppet's guess of the frame from training_reference()
//   labels       uint8                           lines of words, a line per clip: see ClipLabel
//   answers      int32   [clips, kNumQuestions]  optional: what judges are asked (questions.h)
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/paint/features.h"
#include "zoe/paint/questions.h"
#include "zoe/store/safetensors.h"

namespace zoe::paint {

constexpr const char* kClipFile = "clips.safetensors";

struct ClipLabel {
  std::string identity, species, action, style, direction;
  std::string caption = {};  // May be empty.
};

struct PaintClip {
  ClipLabel label;
  Answers answers = kNoAnswers;
  std::vector<Color> palette;
  std::vector<std::vector<std::uint8_t>> pixels;  // [frames], the reference first.
  std::vector<Pose> poses;
  std::vector<std::vector<std::uint8_t>> truth;  // [frames][size × size × 4], or empty.
  std::vector<SoftPicture> soft, guesses;        // [frames], or both empty.
};

// Frames from 1 on are trained in pairs of neighbours: (1, 2), (3, 4) and so on. The frame that frame `number` is
// painted from is the same for a pair: the reference (0) for every second pair, else another frame of the clip.
std::size_t training_reference(std::size_t number, std::size_t num_frames);
// The other frame of the pair; the last frame of an even clip is its own.
std::size_t training_partner(std::size_t number, std::size_t num_frames);

// Creates the folder. All clips have the same size; all or none have a truth, the same for guesses.
Result<void> write_clips(const std::filesystem::path& folder, int size, std::span<const PaintClip> clips,
                         Metadata metadata = {});
// In the metadata of clips for `zoe train sprite_video`: all guesses are made from the reference, and each clip has a
// caption in words of the vocabulary under kWordsKey (caption.h).
constexpr const char* kVideoKey = "zoe.video";
// In the metadata of such clips and of the networks trained on them: what made the guesses. Absent: a puppet.
constexpr const char* kGuessKey = "zoe.guess";
constexpr const char* kGuessPainted = "painter";

// Mapped, and checked in full.
class ClipFile {
 public:
  static Result<ClipFile> open(const std::filesystem::path& folder);

  int size() const { return size_; }
  std::size_t num_clips() const { return labels_.size(); }
  std::size_t num_frames() const { return static_cast<std::size_t>(first_frame_.back()); }
  std::size_t first_frame(std::size_t clip) const { return static_cast<std::size_t>(first_frame_[clip]); }
  std::size_t clip_of(std::size_t frame) const;
  const ClipLabel& label(std::size_t clip) const { return labels_[clip]; }
  const Answers& answers(std::size_t clip) const { return answers_[clip]; }
  std::vector<Color> palette(std::size_t clip) const;
  std::span<const std::uint8_t> pixels(std::size_t frame) const;
  std::span<const float, kPoseSize> pose(std::size_t frame) const;
  bool has_truth() const { return !truth_.empty(); }
  std::span<const std::uint8_t> truth(std::size_t frame) const;
  // Index and coverage of each pixel in turn.
  bool has_guesses() const { return !guesses_.empty(); }
  std::span<const std::uint8_t> soft(std::size_t frame) const;
  std::span<const std::uint8_t> guess(std::size_t frame) const;
  const Safetensors& file() const { return file_; }

 private:
  Result<void> read_answers(const std::string& name);

  Safetensors file_;
  int size_ = 0;
  std::size_t num_pixels_ = 0;
  std::vector<std::int64_t> first_frame_;
  std::vector<ClipLabel> labels_;
  std::vector<Answers> answers_;
  std::span<const std::uint8_t> pixels_, palettes_, num_colors_, truth_, soft_, guesses_;
  std::span<const float> poses_;
};

}  // namespace zoe::paint
