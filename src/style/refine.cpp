// SPDX-License-Identifier: MIT
#include "zoe/style/refine.h"

#include "zoe/core/index.h"

namespace zoe::style {

double rebuilding_error(const StyleModel& model, std::span<const float> rows, std::span<const Vec3> offsets,
                        std::span<const float> z) {
  constexpr std::size_t kSettling = 10;  // Rows in which the network's state begins from zeros.
  RowStream stream(model, 1);
  std::vector<float> made(kNumColumns);
  std::array<Vec3, kNumRoles> a, b;
  double sum = 0, count = 0;
  for (std::size_t begin = 0; begin < rows.size(); begin += kNumColumns) {
    const std::span<const float> row = rows.subspan(begin, kNumColumns);
    stream.step(row, z, made);
    if (begin / kNumColumns < kSettling && rows.size() > 2 * kSettling * kNumColumns) continue;
    role_positions(row, offsets, a);
    role_positions(made, offsets, b);
    for (std::size_t r = 1; r < a.size(); ++r) sum += distance(a[r], b[r]);
    count += static_cast<double>(a.size() - 1);
  }
  return count > 0 ? sum / count : 0;
}

RefinedCode refine_code(const StyleModel& model, std::span<const float> rows, std::span<const Vec3> offsets, int tries,
                        Random random) {
  constexpr float kGrow = 1.22F, kShrink = 0.95F;  // Equal where one try in five succeeds.
  RefinedCode out{model.encode(rows), 0, 0};
  out.error_before = out.error_after = rebuilding_error(model, rows, offsets, out.code);
  float size = 0.5F;
  StyleCode next = out.code;
  for (int i = 0; i < tries; ++i) {
    for (std::size_t k = 0; k < next.size(); ++k) next[k] = out.code[k] + size * static_cast<float>(random.normal());
    const double error = rebuilding_error(model, rows, offsets, next);
    const bool better = error < out.error_after;
    if (better) {
      out.code = next;
      out.error_after = error;
    }
    size *= better ? kGrow : kShrink;
  }
  return out;
}

}  // namespace zoe::style
