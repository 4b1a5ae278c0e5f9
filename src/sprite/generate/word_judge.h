// SPDX-License-Identifier: MIT
// Part of Zoetrope. Networks of `zoe train sprite_words` on frames: what does the clip display?
#pragma once

#include "zoe/nn/network.h"
#include "zoe/paint/questions.h"

#include "sprite/generate/eval_frames.h"

namespace zoe::sprite {

// Fails on other networks and on other sizes of pictures.
Result<void> check_word_judge(const nn::Network& judge, int size);

// Answers to the network's questions; others stay as they are. Networks that see one frame answer by the mean over
// frames, others see the clip at paint::kJudgedFrames even moments.
void judge_words(const nn::Network& judge, const Frames& frames, paint::Answers& answers);

// Red, green, blue from -1 to 1 and 1 for each pixel of the figure, zeros elsewhere, at `stride` floats a pixel.
void judged_picture(std::span<const std::uint8_t> rgba, std::size_t stride, std::span<float> out);

}  // namespace zoe::sprite
