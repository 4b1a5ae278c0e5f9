// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips of drawn characters (zoe/paint/clip_file.h) as training samples of `sprite`, `sprite_video`
// and
// their judges.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "zoe/paint/clip_file.h"
#include "zoe/train/batch_source.h"

namespace zoe::train {

// A sample is a pair of frames of a clip (paint::training_partner) and the picture they are painted from. Fields:
// reference and target [1, pixels / 4], palette [1, 3 × colours + 1] (the number of colours is the last), pose
// [1, 3 × kPoseSize] (target, partner, reference), soft and guess [2, pixels / 2] (index and coverage of each pixel in
// turn, of the target and its partner). One identity in 25 is for validation.
// Clips without guesses are samples of judges, one each: frames [kJudgedFrames, pixels / 4], palette, poses
// [kJudgedFrames, kPoseSize], answers [1, kNumQuestions]. The reference is not among the frames.
// Clips with paint::kVideoKey: make_video_source().
Result<std::unique_ptr<BatchSource>> open_paint_source(const std::filesystem::path& folder);
bool is_paint_folder(const std::filesystem::path& folder);

// A sample is a whole clip; all have the same number of frames. Fields: still [1, pixels / 2], the reference; frames
// and guess [frames, pixels / 2] (index and coverage of each pixel in turn); palette [1, 3 × colours + 1]; pose
// [1 + frames, kPoseSize], the reference's first; words [1, paint::kWordRows], numbers of the vocabulary, 0: none.
// name: of the file, for errors.
Result<std::unique_ptr<BatchSource>> make_video_source(paint::ClipFile file, const std::string& name);

// Four indices or coverages below 64 as one number, which a float holds exactly.
void pack_indices(std::span<const std::uint8_t> indices, std::span<float> out);

// Stick figures of 16 x 16 pixels, for tests: in two poses, or clips of three frames whose words state a colour.
std::unique_ptr<BatchSource> make_painted_toy(std::size_t num_training, std::size_t num_validation, std::uint64_t seed);
std::unique_ptr<BatchSource> make_video_toy(std::size_t num_training, std::size_t num_validation, std::uint64_t seed);

}  // namespace zoe::train
