// SPDX-License-Identifier: MIT
// Part of Zoetrope. Curves out of a document: AnimationCurve objects (7.x) and Key lists (6.x and
// older).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "zoe/core/result.h"

#include "io/fbx/curve.h"
#include "io/fbx/document.h"
#include "io/fbx/growth_budget.h"

namespace zoe::io::fbx {

// Far beyond any real take (months), and far below the overflow of sums of ticks.
constexpr std::int64_t clamped_tick(std::int64_t tick) {
  constexpr std::int64_t kMaxTick = std::int64_t{1} << 58;
  return std::clamp(tick, -kMaxTick, kMaxTick);
}

// Decodes curves of one file, on every request. In real files a curve drives one property. Where it drives thousands,
// the decoding exceeds the limit for the file and is refused.
class CurveReader {
 public:
  CurveReader(const Document& document, std::size_t file_bytes);

  // `record` is Node::at of an AnimationCurve object, or before 7000 of a take's Channel record, whose keys are a list
  // "Key: time, value, letters and numbers, …". Fails when arrays contradict each other. A curve without keys is valid.
  Result<Curve> read(const char* record);
  // Only the values, or only the times, of its keys.
  Result<std::vector<float>> values(const char* record);
  Result<std::vector<std::int64_t>> times(const char* record);

 private:
  Result<void> spend(const Node& curve, const std::optional<Node>& keys);

  const Document& document_;
  GrowthBudget budget_;
};

// True if CurveReader::read would give keys. Does not decode them.
bool has_keys(const Document& document, const Node& node);

}  // namespace zoe::io::fbx
