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
  // With several directions: answers for the others that are that for the first, and all of them.
  std::array<int, paint::kNumQuestions> agree{}, pairs{};
};

struct EvaluateText {
  int num_captions = 50;
  std::uint64_t seed = 4000000;  // Of the characters: none that a pack draws by default.
  int num_frames = 8;
  int num_directions = 1;  // 1: of the front, at random; 4: all from the front on, of which the first is judged.
  std::vector<const nn::Network*> words;         // Judges; of one question the last.
  const paint::VideoPainter* painter = nullptr;  // May be null: the factory alone.
  VideoLook look{.guidance = 2};

  // Rows "factory"; "animated", the factory's still moved by the video painter; and "video", which gets the words and
  // the factory's poses, no picture.
  Result<std::vector<TextScores>> run(Executor& executor) const;
};

}  // namespace zoe::sprite
