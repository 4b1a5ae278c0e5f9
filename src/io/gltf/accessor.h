// SPDX-License-Identifier: MIT
// Part of Zoetrope. Accessors as arrays of floats or whole numbers: strides, quantised and
// normalised components, sparse.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/gltf/budget.h"
#include "io/gltf/buffers.h"
#include "io/gltf/document.h"

namespace zoe::io::gltf {

// Treatment of infinities and NaN in float data. kKeep: the caller repairs them.
enum class NonFinite : std::uint8_t { kRefuse, kZero, kKeep };

// Decodes accessors of one file. Each call subtracts its result's bytes from the budget.
class AccessorReader {
 public:
  AccessorReader(const Document& document, const Buffers& buffers, Budget& budget)
      : document_(&document), buffers_(&buffers), budget_(&budget) {}

  const AccessorDef& def(int index) const { return document_->accessors[static_cast<std::size_t>(index)]; }

  // count × components floats. Whole-number components become their value, or value / maximum when normalised (in -1..1
  // or 0..1). `components` is the number that the caller needs.
  Result<std::vector<float>> floats(int index, int components, NonFinite non_finite = NonFinite::kRefuse) const;
  // The same, as a view into the file where the stored form allows it, else decoded into `storage`. Infinities and NaN
  // are refused or kept.
  Result<std::span<const float>> floats_in_place(int index, int components, std::vector<float>& storage,
                                                 NonFinite non_finite = NonFinite::kRefuse) const;
  // The same into memory of the caller, out.size() = count × components.
  Result<void> floats_into(int index, int components, std::span<float> out,
                           NonFinite non_finite = NonFinite::kRefuse) const;
  // count × components whole numbers; refuses float accessors.
  Result<std::vector<std::uint32_t>> integers(int index, int components) const;

  // Checks that the accessor's elements are inside its bufferView.
  Result<void> check_range(int index) const;

 private:
  template <typename T>
  Result<void> decode(int index, int components, std::span<T> out) const;

  const Document* document_;
  const Buffers* buffers_;
  Budget* budget_;
};

}  // namespace zoe::io::gltf
