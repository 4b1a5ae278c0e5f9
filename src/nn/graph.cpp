// SPDX-License-Identifier: MIT
#include "zoe/nn/graph.h"

#include <cstdint>
#include <utility>

#include "zoe/core/bytes.h"
#include "zoe/core/half.h"

namespace zoe::nn {

std::size_t item_bytes(WeightType type) { return type == WeightType::kF32 ? 4 : type == WeightType::kBF16 ? 2 : 1; }

std::size_t Weight::num_items() const { return bytes.size() / item_bytes(type); }

std::vector<float> Weight::to_floats() const {
  const std::size_t n = num_items();
  std::vector<float> values(n);
  const std::size_t per_scale = scales.empty() ? n : n / scales.size();
  for (std::size_t i = 0; i < n; ++i) {
    switch (type) {
      case WeightType::kF32:
        values[i] = load_le<float>(&bytes[4 * i]);
        break;
      case WeightType::kBF16:
        values[i] = bfloat16_to_float(load_le<std::uint16_t>(&bytes[2 * i]));
        break;
      case WeightType::kI8:
        values[i] = scales[i / per_scale] * static_cast<float>(static_cast<std::int8_t>(bytes[i]));
        break;
    }
  }
  return values;
}

Weight make_weight(std::string name, std::vector<std::size_t> shape, std::span<const float> values) {
  Weight weight;
  weight.name = std::move(name);
  weight.shape = std::move(shape);
  const auto bytes = std::as_bytes(values);
  weight.bytes.assign(bytes.begin(), bytes.end());
  return weight;
}

}  // namespace zoe::nn
