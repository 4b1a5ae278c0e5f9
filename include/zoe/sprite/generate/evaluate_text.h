// SPDX-License-Identifier: MIT
// Part of Zoetrope. Does a clip display what its caption says? Judges of `zoe train sprite_words` answer for clips made
// from random captions: by the factory (exact characters from 3D; the judges' own score) and by the video painter.
#pragma once

#include <array>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/nn/network.h"
#include "zoe/paint/questions.h"
#include "zoe/sprite/generate/video.h"

namespace zoe::sprite {

struct TextScores {
  std::string method;
  // By question of paint::kQuestions: clips whose answer is the caption's, and clips whose caption has one.
  std::array<int, paint::kNumQuestions> right{}, asked{};
};

struct EvaluateText {
  int num_captions = 50;
  std::uint64_t seed = 4000000;  // Of the characters: none that a pack draws by default.
  int num_frames = 8;
  std::vector<const nn::Network*> words;         // Judges; of one question the last.
  const paint::VideoPainter* painter = nullptr;  // May be null: the factory alone.
  VideoLook look{.guidance = 2};

  // Rows "factory" and "video". The video painter gets the words and the factory's poses, no picture.
  Result<std::vector<TextScores>> run(Executor& executor) const;
};

}  // namespace zoe::sprite
