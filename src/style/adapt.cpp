// SPDX-License-Identifier: MIT
#include "zoe/style/adapt.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/style/refine.h"

namespace zoe::style {
namespace {

constexpr std::size_t kSettled = 10;         // Rows in which the network's state begins from zeros.
constexpr std::size_t kColumns = kContacts;  // Contacts are not corrected.

// Sums of states and of what the network's rows lack, of one example.
struct Sums {
  explicit Sums(std::size_t width)
      : state(width, 0), lack(kColumns, 0), state_state(width * width, 0), state_lack(width * kColumns, 0) {}
  void add(const Sums& other, double sign) {
    const auto sum = [&](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += sign * from[i];
    };
    sum(state, other.state), sum(lack, other.lack);
    sum(state_state, other.state_state), sum(state_lack, other.state_lack);
    count += sign * other.count;
    lack_square += sign * other.lack_square;
  }
  std::vector<double> state, lack, state_state, state_lack;  // [width], [columns], [width²], [width × columns]
  double count = 0, lack_square = 0;
};

Sums sums_of(const StyleModel& model, std::span<const float> rows, std::span<const float> z) {
  const std::size_t width = idx(model.step().inputs()[3].shape.width), frames = rows.size() / kNumColumns;
  Sums sums(width);
  RowStream stream(model, 1);
  std::vector<float> made(kNumColumns);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::span<const float> row = rows.subspan(f * kNumColumns, kNumColumns);
    stream.step(row, z, made);
    if (f < kSettled && frames > 2 * kSettled) continue;
    const std::span<const float> h = stream.last_state();
    for (std::size_t i = 0; i < width; ++i) {
      sums.state[i] += h[i];
      for (std::size_t j = 0; j <= i; ++j) sums.state_state[i * width + j] += h[i] * h[j];
      for (std::size_t c = 0; c < kColumns; ++c) sums.state_lack[i * kColumns + c] += h[i] * (row[c] - made[c]);
    }
    for (std::size_t c = 0; c < kColumns; ++c) {
      const double lack = row[c] - made[c];
      sums.lack[c] += lack;
      sums.lack_square += lack * lack;
    }
    sums.count += 1;
  }
  return sums;
}

// Lower triangle of a symmetric positive matrix to its Cholesky factor, in place.
void factorize(std::vector<double>& m, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / m[j * n + j];
    }
}

// Ridge regression of what is lacking on the state. ridge: relative to the mean variance of the state's numbers;
// infinite: an offset alone.
RowCorrection fitted(const Sums& sums, double ridge) {
  const std::size_t n = sums.state.size();
  RowCorrection out;
  out.offset.assign(kNumColumns, 0.0F);
  const double count = std::max(sums.count, 1.0);
  for (std::size_t c = 0; c < kColumns; ++c) out.offset[c] = static_cast<float>(sums.lack[c] / count);
  if (!std::isfinite(ridge)) return out;
  std::vector<double> m(n * n, 0), w(n * kColumns, 0);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      m[i * n + j] = sums.state_state[i * n + j] / count - sums.state[i] * sums.state[j] / (count * count);
    for (std::size_t c = 0; c < kColumns; ++c)
      w[i * kColumns + c] = sums.state_lack[i * kColumns + c] / count - sums.state[i] * sums.lack[c] / (count * count);
    trace += m[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) m[i * n + i] += ridge * trace / static_cast<double>(n) + 1e-9;
  factorize(m, n);
  for (std::size_t i = 0; i < n; ++i)  // Forward, then back.
    for (std::size_t c = 0; c < kColumns; ++c) {
      double sum = w[i * kColumns + c];
      for (std::size_t k = 0; k < i; ++k) sum -= m[i * n + k] * w[k * kColumns + c];
      w[i * kColumns + c] = sum / m[i * n + i];
    }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t c = 0; c < kColumns; ++c) {
      double sum = w[i * kColumns + c];
      for (std::size_t k = i + 1; k < n; ++k) sum -= m[k * n + i] * w[k * kColumns + c];
      w[i * kColumns + c] = sum / m[i * n + i];
    }
  out.weights.assign(n * kNumColumns, 0.0F);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < kColumns; ++c) {
      out.weights[i * kNumColumns + c] = static_cast<float>(w[i * kColumns + c]);
      out.offset[c] -= static_cast<float>(w[i * kColumns + c] * sums.state[i] / count);
    }
  return out;
}

// Sum of squares of what is lacking after the correction, from the sums of an example.
double squared_error(const Sums& sums, const RowCorrection& by) {
  const std::size_t n = sums.state.size();
  double error = sums.lack_square;
  for (std::size_t c = 0; c < kColumns; ++c) {
    const double b = by.offset[c];
    error += b * b * sums.count - 2 * b * sums.lack[c];
    if (by.weights.empty()) continue;
    for (std::size_t i = 0; i < n; ++i) {
      const double w = by.weights[i * kNumColumns + c];
      error += 2 * w * b * sums.state[i] - 2 * w * sums.state_lack[i * kColumns + c];
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += by.weights[j * kNumColumns + c] * sums.state_state[std::max(i, j) * n + std::min(i, j)];
      error += w * sum;
    }
  }
  return error;
}

// The correction whose ridge serves clips best that it was not fitted to.
RowCorrection validated(const std::vector<Sums>& examples, bool follow) {
  constexpr double kRidges[] = {HUGE_VAL, 30, 10, 3, 1, 0.3, 0.1};
  constexpr std::size_t kFolds = 4, kFewest = 3;
  Sums all(examples[0].state.size());
  for (const Sums& example : examples) all.add(example, 1);
  if (!follow || examples.size() < kFewest) return fitted(all, HUGE_VAL);
  const std::size_t folds = std::min(kFolds, examples.size());
  double best_ridge = HUGE_VAL, best = HUGE_VAL;
  for (const double ridge : kRidges) {
    double error = 0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
      Sums held(all.state.size()), rest = all;
      // Neighbours are often of one content: a correction must serve contents that it was not fitted to.
      for (std::size_t i = fold * examples.size() / folds; i < (fold + 1) * examples.size() / folds; ++i)
        held.add(examples[i], 1);
      rest.add(held, -1);
      error += squared_error(held, fitted(rest, ridge));
    }
    if (error < best) best = error, best_ridge = ridge;
  }
  return fitted(all, best_ridge);
}

double error_of(const StyleModel& model, std::span<const StyleExample> examples, std::span<const float> z,
                const RowCorrection* correction, std::size_t most_rows) {
  double sum = 0, rows = 0;
  for (const StyleExample& example : examples) {
    const std::span<const float> part = std::span(example.rows).first(std::min(example.rows.size(), most_rows));
    const auto count = static_cast<double>(part.size());
    sum += count * rebuilding_error(model, part, example.offsets, z, correction);
    rows += count;
  }
  return rows > 0 ? sum / rows : 0;
}

}  // namespace

AdaptedStyle adapt_style(const StyleModel& model, std::span<const StyleExample> examples, const AdaptOptions& options) {
  ZOE_CHECK(!examples.empty() && !examples[0].rows.empty(), "a style needs an example");
  constexpr std::size_t kSearched = 6, kSearchedRows = 90 * kNumColumns;  // Clips and rows of each in the search.
  constexpr std::size_t kAllRows = ~std::size_t{0};
  AdaptedStyle out;
  out.code.assign(idx(model.code_width()), 0.0F);
  for (const StyleExample& example : examples) {
    const StyleCode code = model.encode(example.rows);
    for (std::size_t i = 0; i < code.size(); ++i) out.code[i] += code[i] / static_cast<float>(examples.size());
  }
  out.error_before = error_of(model, examples, out.code, nullptr, kAllRows);
  if (options.tries > 0) {
    std::vector<StyleExample> few;
    const std::size_t hop = std::max<std::size_t>(1, examples.size() / kSearched);
    for (std::size_t i = 0; i < examples.size() && few.size() < kSearched; i += hop) few.push_back(examples[i]);
    const auto error = [&](const StyleCode& z) { return error_of(model, few, z, nullptr, kSearchedRows); };
    out.code = searched_code(model, out.code, error, options.tries, Random(options.seed)).code;
  }
  if (options.correct) {
    std::vector<Sums> sums;
    for (const StyleExample& example : examples) sums.push_back(sums_of(model, example.rows, out.code));
    out.correction = validated(sums, options.follow);
  }
  out.error_after = error_of(model, examples, out.code, &out.correction, kAllRows);
  return out;
}

}  // namespace zoe::style
