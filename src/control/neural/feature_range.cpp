// SPDX-License-Identifier: MIT
#include "zoe/control/feature_range.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/lines.h"
#include "zoe/store/safetensors.h"

namespace zoe::control {
namespace {

// Columns that hardly vary (the direction of the path ahead) are ten deviations off in a sharp turn.
constexpr float kDeviations = 20;

Error wrong(const char* what) { return {ErrorCode::kInvalid, fmt::format("the range of its features: {}", what), {}}; }

Result<std::vector<float>> numbers_of(const std::string& line) {
  std::vector<float> numbers;
  for (const char *at = line.data(), *end = at + line.size(); at < end;) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    float value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) return wrong("not a number");
    numbers.push_back(value);
    at = next;
  }
  return numbers;
}

Result<ColumnRange> from_normalisation(const Safetensors& file, const std::string& name) {
  const auto numbers = [&](const char* what) -> std::span<const float> {
    for (const NamedArray& array : file.tensors()) {
      if (array.name == name + what) return array.view.as<float>().value_or(std::span<const float>{});
    }
    return {};
  };
  const std::span<const float> means = numbers(".mean"), spreads = numbers(".std");
  if (means.size() != spreads.size()) return wrong("means and deviations differ in number");
  ColumnRange range;
  for (std::size_t i = 0; i < means.size(); ++i) {
    range.low.push_back(means[i] - kDeviations * spreads[i]);
    range.high.push_back(means[i] + kDeviations * spreads[i]);
  }
  return range;
}

}  // namespace

void ColumnRange::limit(std::span<float> values) const noexcept {
  const std::size_t width = low.size();
  for (std::size_t row = 0; width > 0 && row + width <= values.size(); row += width) {
    for (std::size_t i = 0; i < width; ++i) {
      float& value = values[row + i];
      value = value < low[i] ? low[i] : value > high[i] ? high[i] : value;
    }
  }
}

std::string FeatureRange::to_text() const {
  return fmt::format("{:.7g}\n{:.7g}\n{:.7g}\n{:.7g}\n", fmt::join(input.low, " "), fmt::join(input.high, " "),
                     fmt::join(output.low, " "), fmt::join(output.high, " "));
}

Result<FeatureRange> FeatureRange::parse(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  if (lines.size() != 4) return wrong("four lines are needed");
  FeatureRange range;
  std::vector<float>* const parts[] = {&range.input.low, &range.input.high, &range.output.low, &range.output.high};
  for (std::size_t i = 0; i < 4; ++i) {
    ZOE_TRY_ASSIGN(*parts[i], numbers_of(lines[i]));
  }
  for (const ColumnRange* columns : {&range.input, &range.output}) {
    if (columns->low.size() != columns->high.size()) return wrong("lower and upper limits differ in number");
    if (!std::equal(columns->low.begin(), columns->low.end(), columns->high.begin(), std::less_equal<>()))
      return wrong("a lower limit is above its upper one");
  }
  return range;
}

Result<FeatureRange> read_feature_range(const Safetensors& network_file) {
  const auto text = network_file.metadata().find(kRangeKey);
  if (text != network_file.metadata().end()) return FeatureRange::parse(text->second);
  FeatureRange range;
  ZOE_TRY_ASSIGN(range.input, from_normalisation(network_file, "normalisation.x"));
  ZOE_TRY_ASSIGN(range.output, from_normalisation(network_file, "normalisation.y"));
  return range;
}

}  // namespace zoe::control
