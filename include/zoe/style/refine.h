// SPDX-License-Identifier: MIT
// Part of Zoetrope. The code of a new style by search: the code with which the network rebuilds the clip best. Better
// than the encoder's guess for styles that it was not trained on. No weight changes, and no torch is needed.
#pragma once

#include <functional>

#include "zoe/core/random.h"
#include "zoe/style/stylize.h"

namespace zoe::style {

// Mean distance of joints (leg lengths) between the rows, 30 a second, and what the network makes of them with code z.
double rebuilding_error(const StyleModel& model, std::span<const float> rows, std::span<const Vec3> offsets,
                        std::span<const float> z, const RowCorrection* correction = nullptr);

struct RefinedCode {
  StyleCode code;
  double error_before = 0, error_after = 0;  // rebuilding_error(), leg lengths.
};
// The code with the smallest error(code): from `start` or from the model's named style that is better, by an evolution
// strategy of `tries` tries.
RefinedCode searched_code(const StyleModel& model, const StyleCode& start,
                          const std::function<double(const StyleCode&)>& error, int tries, Random random);
// An evolution strategy (1+1, Rechenberg's rule of a fifth) of `tries` tries from the encoder's code: 300 tries take
// about a second for each second of motion.
RefinedCode refine_code(const StyleModel& model, std::span<const float> rows, std::span<const Vec3> offsets, int tries,
                        Random random);

}  // namespace zoe::style
