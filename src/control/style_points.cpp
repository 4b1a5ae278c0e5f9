// SPDX-License-Identifier: MIT
#include "zoe/control/style_points.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/control/command.h"

namespace zoe::control {

void StylePoints::add(std::size_t first, std::span<const float> weights, std::span<float> out) const noexcept {
  const auto width = static_cast<std::size_t>(dims);
  for (std::size_t i = 0; i < weights.size() && first + i < num_labels(); ++i)
    for (std::size_t d = 0; d < width; ++d) out[d] += weights[i] * points[(first + i) * width + d];
}

std::string StylePoints::to_text() const {
  std::string text = fmt::format("{}", dims);
  for (const float value : points) text += fmt::format(" {:.9g}", value);
  return text;
}

Result<StylePoints> StylePoints::parse(std::string_view text, std::size_t num_labels) {
  constexpr int kMostDims = 64;
  constexpr double kFarthest = 1e3;
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const auto number = command_number(text.substr(begin, end - begin));
    if (!number || !(std::abs(*number) < kFarthest))
      return Error{ErrorCode::kInvalid, "the points of styles are not numbers", {}};
    numbers.push_back(*number);
    begin = end + 1;
  }
  StylePoints out;
  out.dims = static_cast<int>(numbers[0]);
  if (out.dims < 1 || out.dims > kMostDims || out.dims != numbers[0] ||
      numbers.size() != 1 + num_labels * static_cast<std::size_t>(out.dims))
    return Error{ErrorCode::kInvalid, fmt::format("the points of styles are not those of {} labels", num_labels), {}};
  for (std::size_t i = 1; i < numbers.size(); ++i) out.points.push_back(static_cast<float>(numbers[i]));
  return out;
}

}  // namespace zoe::control
