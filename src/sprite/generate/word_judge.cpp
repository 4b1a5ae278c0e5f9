// SPDX-License-Identifier: MIT
#include "sprite/generate/word_judge.h"

#include <algorithm>
#include <cmath>

#include "sprite/generate/picture_scores.h"

namespace zoe::sprite {

void judged_picture(std::span<const std::uint8_t> rgba, std::size_t stride, std::span<float> out) {
  for (std::size_t i = 0; i < rgba.size() / 4; ++i) {
    float* pixel = out.data() + i * stride;
    const bool figure = is_figure(rgba, i);
    for (std::size_t c = 0; c < 3; ++c) pixel[c] = figure ? static_cast<float>(rgba[4 * i + c]) / 127.5F - 1 : 0;
    pixel[3] = figure ? 1.0F : 0.0F;
  }
}

Result<void> check_word_judge(const nn::Network& judge, int size) {
  const auto in = judge.inputs(), out = judge.outputs();
  constexpr int kWhole = 4 * static_cast<int>(paint::kJudgedFrames);
  bool right = in.size() == 1 && in[0].shape.steps == size * size &&
               (in[0].shape.width == 4 || in[0].shape.width == kWhole) && !out.empty();
  for (std::size_t k = 0; right && k < out.size(); ++k) {
    const auto question = paint::question_from(out[k].name);
    right = question && out[k].shape.steps == 1 && out[k].shape.width == paint::kQuestions[*question].num_answers;
  }
  if (!right)
    return Error{ErrorCode::kUsage, "the judge is no network of `zoe train sprite_words` for clips of this size", {}};
  return {};
}

void judge_words(const nn::Network& judge, const Frames& frames, paint::Answers& answers) {
  const auto outputs = judge.outputs();
  const auto width = static_cast<std::size_t>(judge.inputs()[0].shape.width);
  const std::size_t pixels = frames[0].size() / 4, seen = width / 4;
  nn::NetworkState state = nn::make_state(judge, 1);
  std::vector<float> picture(pixels * width);
  std::vector<std::vector<float>> given, sums;
  for (const auto& output : outputs) {
    given.emplace_back(static_cast<std::size_t>(output.shape.width));
    sums.emplace_back(given.back().size());
  }
  for (std::size_t run = 0; run < (seen == 1 ? frames.size() : 1); ++run) {
    for (std::size_t k = 0; k < seen; ++k) {
      const auto& frame = frames[seen == 1 ? run : paint::judged_frame(k, frames.size())];
      judged_picture(frame, width, std::span(picture).subspan(4 * k));
    }
    const std::array<std::span<const float>, 1> in{picture};
    std::vector<std::span<float>> out(given.begin(), given.end());
    ZOE_CHECK((nn::NetworkJob{.network = &judge, .state = &state, .batch = 1, .inputs = in, .outputs = out}.run()),
              "the judge's job is wrong");
    for (std::size_t k = 0; k < given.size(); ++k) {  // Logarithms of probabilities.
      const float highest = *std::max_element(given[k].begin(), given[k].end());
      float sum = 0;
      for (const float score : given[k]) sum += std::exp(score - highest);
      for (std::size_t a = 0; a < given[k].size(); ++a) sums[k][a] += given[k][a] - highest - std::log(sum);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k)
    answers[*paint::question_from(outputs[k].name)] =
        static_cast<std::int32_t>(std::max_element(sums[k].begin(), sums[k].end()) - sums[k].begin());
}

}  // namespace zoe::sprite
