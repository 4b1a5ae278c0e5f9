// SPDX-License-Identifier: MIT
#include "train/finite.h"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace zoe::train {

Result<void> check_finite(const Field& field, Split split, std::span<const std::size_t> samples,
                          std::span<const float> values) {
  constexpr std::uint32_t kExponent = 0x7F800000;
  const auto is_bad = [](float value) { return (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent; };
  // One number for the whole batch first: a loop without an early exit is vectorised.
  std::uint32_t any = 0;
  for (const float value : values) any |= is_bad(value) ? 1U : 0U;
  if (any == 0) return {};
  std::size_t i = 0;
  while (!is_bad(values[i])) ++i;
  const std::size_t width = static_cast<std::size_t>(field.width), size = values.size() / samples.size();
  return Error{ErrorCode::kInvalid,
               fmt::format("field '{}', {} sample {}, step {}, column {}: {} is not a finite "
                           "number; repair or remove the clip, and build the dataset again",
                           field.name, to_string(split), samples[i / size], i % size / width, i % width, values[i])};
}

}  // namespace zoe::train
