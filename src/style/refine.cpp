// SPDX-License-Identifier: MIT
#include "zoe/style/refine.h"

#include "zoe/core/index.h"

namespace zoe::style {

double rebuilding_error(const StyleModel& model, std::span<const float> rows, std::span<const Vec3> offsets,
                        std::span<const float> z, const RowCorrection* correction) {
  constexpr std::size_t kSettling = 10;  // Rows in which the network's state begins from zeros.
  RowStream stream(model, 1);
  stream.set_correction(correction);
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

RefinedCode searched_code(const StyleModel& model, const StyleCode& start,
                          const std::function<double(const StyleCode&)>& error_of, int tries, Random random) {
  constexpr float kGrow = 1.22F, kShrink = 0.95F;  // Equal where one try in five succeeds.
  RefinedCode out{start, 0, 0};
  out.error_before = out.error_after = error_of(start);
  const auto take = [&](const StyleCode& code) {
    const double error = error_of(code);
    if (!(error < out.error_after)) return false;
    out.code = code;
    out.error_after = error;
    return true;
  };
  if (tries > 0)
    for (const NamedStyle& style : model.styles()) take(style.mean);
  float size = 0.5F;
  StyleCode next = start;
  for (int i = 0; i < tries; ++i) {
    for (std::size_t k = 0; k < next.size(); ++k) next[k] = out.code[k] + size * static_cast<float>(random.normal());
    size *= take(next) ? kGrow : kShrink;
  }
  return out;
}

RefinedCode refine_code(const StyleModel& model, std::span<const float> rows, std::span<const Vec3> offsets, int tries,
                        Random random) {
  const auto error = [&](const StyleCode& z) { return rebuilding_error(model, rows, offsets, z); };
  return searched_code(model, model.encode(rows), error, tries, std::move(random));
}

}  // namespace zoe::style
