// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/drawn_judge.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/sprite/palette.h"

namespace zoe::sprite {
namespace {

constexpr int kHeight = 32;      // Rows of a figure, whatever its size.
constexpr int kMostWidth = 48;   // Columns, at most.
constexpr double kRidge = 0.02;  // Per sample weight.
constexpr int kIterations = 25;
constexpr int kFolds = 5;

// A figure at the common scale; 0 is transparent.
struct Small {
  int width = 0, height = 0;
  std::vector<std::uint8_t> indices;
  std::uint8_t at(int x, int y) const {
    return x < 0 || y < 0 || x >= width || y >= height ? std::uint8_t{0} : indices[idx(y * width + x)];
  }
};

Small at_common_scale(std::span<const std::uint8_t> indices, int size) {
  int left = size, right = 0, top = size, bottom = 0;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      if (indices[idx(y * size + x)] == 0) continue;
      left = std::min(left, x);
      right = std::max(right, x + 1);
      top = std::min(top, y);
      bottom = std::max(bottom, y + 1);
    }
  }
  Small out;
  if (bottom <= top) return out;
  out.height = kHeight;
  out.width = std::clamp(kHeight * (right - left) / (bottom - top), 4, kMostWidth);
  out.indices.resize(idx(out.width * out.height));
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const int from_x = left + (2 * x + 1) * (right - left) / (2 * out.width),
                from_y = top + (2 * y + 1) * (bottom - top) / (2 * out.height);
      out.indices[idx(y * out.width + x)] = indices[idx(from_y * size + from_x)];
    }
  }
  return out;
}

struct Moments {
  double count = 0, sum = 0, square = 0;
  void add(double value) {
    ++count;
    sum += value;
    square += value * value;
  }
  double mean() const { return count > 0 ? sum / count : 0; }
  double deviation() const { return count > 0 ? std::sqrt(std::max(0.0, square / count - mean() * mean())) : 0; }
};

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

// Connected areas of one colour: their number, and the pixels of the largest.
std::pair<int, int> areas_of(const Small& small) {
  std::vector<char> seen(small.indices.size());
  std::vector<int> stack;
  int count = 0, largest = 0;
  for (int start = 0; start < small.width * small.height; ++start) {
    if (seen[idx(start)] != 0 || small.indices[idx(start)] == 0) continue;
    ++count;
    int pixels = 0;
    stack.push_back(start);
    seen[idx(start)] = 1;
    while (!stack.empty()) {
      const int here = stack.back(), x = here % small.width, y = here / small.width;
      stack.pop_back();
      ++pixels;
      for (const auto& [nx, ny] : {std::pair{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}}) {
        if (small.at(nx, ny) != small.indices[idx(start)]) continue;
        const int next = ny * small.width + nx;
        if (seen[idx(next)] != 0) continue;
        seen[idx(next)] = 1;
        stack.push_back(next);
      }
    }
    largest = std::max(largest, pixels);
  }
  return {count, largest};
}

double logistic(double x) { return 1 / (1 + std::exp(-std::clamp(x, -30.0, 30.0))); }

// Solves a symmetric positive definite system in place.
void solve(std::vector<std::vector<double>>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i + 1; k < n; ++k) {
      const double f = a[k][i] / a[i][i];
      for (std::size_t j = i; j < n; ++j) a[k][j] -= f * a[i][j];
      b[k] -= f * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

}  // namespace

DrawnFeatures drawn_features(std::span<const std::uint8_t> indices, int size, std::span<const paint::Color> palette) {
  ZOE_CHECK(indices.size() == idx(size) * idx(size), "drawn_features: size");
  DrawnFeatures f{};
  const Small small = at_common_scale(indices, size);
  if (small.indices.empty()) return f;
  std::vector<Vec3d> looks{{0, 0, 0}};
  for (const paint::Color& c : palette) looks.push_back(oklab_from({c[0], c[1], c[2]}));
  const auto chroma = [](const Vec3d& look) { return std::hypot(look.y, look.z); };
  std::vector<double> shares(looks.size());
  Moments light, edge_light, inner_light, colour, column, row, light_column, light_row;
  double area = 0, perimeter = 0, dark_edge = 0, edges = 0, single = 0, mirrored = 0, same_mirrored = 0;
  double pairs = 0, equal = 0, close = 0, far = 0, equal_across = 0, across = 0, white = 0, dark = 0;
  std::array<double, 12> hues{};
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      const std::uint8_t index = small.at(x, y);
      if (index == 0) continue;
      const Vec3d look = looks[index];
      ++area;
      ++shares[index];
      light.add(look.x);
      colour.add(chroma(look));
      column.add(x);
      row.add(y);
      light_column.add(look.x * x);
      light_row.add(look.x * y);
      white += look.x > 0.9 ? 1 : 0;
      dark += look.x < 0.3 ? 1 : 0;
      if (chroma(look) > 0.05) {
        const double turn = (std::atan2(look.z, look.y) + 3.14159265) / 6.2831854;
        ++hues[std::min<std::size_t>(11, static_cast<std::size_t>(12 * std::max(0.0, turn)))];
      }
      bool edge = false, alone = true;
      for (const auto& [nx, ny] : {std::pair{x + 1, y}, {x, y + 1}, {x - 1, y}, {x, y - 1}}) {
        const std::uint8_t other = small.at(nx, ny);
        if (other == 0) edge = true, ++perimeter;
        alone = alone && other != index;
        if (other == 0 || nx < x || ny < y) continue;
        const Vec3d d = looks[other] - look;
        const double apart = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        ++pairs;
        equal += other == index ? 1 : 0;
        close += other != index && apart < 0.09 ? 1 : 0;
        far += apart > 0.25 ? 1 : 0;
        across += nx > x ? 1 : 0;
        equal_across += nx > x && other == index ? 1 : 0;
      }
      (edge ? edge_light : inner_light).add(look.x);
      edges += edge ? 1 : 0;
      dark_edge += edge && look.x < 0.4 ? 1 : 0;
      single += alone ? 1 : 0;
      const std::uint8_t opposite = small.at(small.width - 1 - x, y);
      if (opposite == 0) continue;
      ++mirrored;
      const Vec3d d = looks[opposite] - look;
      same_mirrored += std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z) < 0.1 ? 1 : 0;
    }
  }
  double entropy = 0, used = 0;
  for (const double share : shares) {
    if (share <= 0) continue;
    entropy -= share / area * std::log(share / area);
    used += share >= 0.01 * area ? 1 : 0;
  }
  const auto slope = [&](const Moments& product, const Moments& axis) {
    return ratio(product.mean() - light.mean() * axis.mean(), light.deviation() * axis.deviation());
  };
  const auto [num_areas, largest] = areas_of(small);
  f = {std::exp(entropy) / 8,
       used / 8,
       ratio(equal, pairs),
       ratio(close, pairs),
       ratio(far, pairs),
       ratio(equal_across, across) - ratio(equal - equal_across, pairs - across),
       edge_light.mean() - inner_light.mean(),
       ratio(dark_edge, edges),
       edge_light.deviation(),
       inner_light.deviation(),
       light.mean(),
       colour.mean(),
       colour.deviation(),
       ratio(single, area),
       ratio(mirrored, area),
       ratio(same_mirrored, mirrored),
       perimeter / std::sqrt(area),
       area / (small.width * small.height),
       slope(light_column, column),
       slope(light_row, row),
       largest / area,
       10 * num_areas / area,
       white / area,
       dark / area};
  return f;
}

std::vector<DrawnSample> drawn_samples(const paint::ClipFile& clips, const std::string& collection, bool drawn) {
  std::vector<DrawnSample> samples;
  for (std::size_t clip = 0; clip < clips.num_clips(); ++clip) {
    const std::vector<paint::Color> palette = clips.palette(clip);
    const std::size_t first = clips.first_frame(clip), count = clips.first_frame(clip + 1) - first;
    for (const std::size_t f : drawn ? std::vector<std::size_t>{0} : std::vector<std::size_t>{0, count / 2})
      samples.push_back({drawn_features(clips.pixels(first + f), clips.size(), palette), collection, drawn});
  }
  return samples;
}

DrawnJudge DrawnJudge::fit(std::span<const DrawnSample> samples) {
  std::map<std::pair<bool, std::string>, double> sizes;
  std::array<double, 2> collections{};
  for (const DrawnSample& sample : samples)
    if (++sizes[{sample.drawn, sample.collection}] == 1) ++collections[sample.drawn ? 1 : 0];
  ZOE_CHECK(collections[0] > 0 && collections[1] > 0, "DrawnJudge: drawings and renders");
  std::vector<double> weights;
  for (const DrawnSample& sample : samples)
    weights.push_back(0.5 / collections[sample.drawn ? 1 : 0] / sizes[{sample.drawn, sample.collection}]);
  DrawnJudge judge;
  for (std::size_t k = 0; k < kDrawnFeatures; ++k) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      mean += weights[i] * samples[i].features[k];
      square += weights[i] * samples[i].features[k] * samples[i].features[k];
    }
    judge.mean_[k] = mean;
    judge.scale_[k] = 1 / std::sqrt(std::max(square - mean * mean, 1e-8));
  }
  constexpr std::size_t kSize = kDrawnFeatures + 1;
  const auto numbers = [&](const DrawnSample& sample) {
    std::array<double, kSize> x{};
    for (std::size_t k = 0; k < kDrawnFeatures; ++k)
      x[k] = std::clamp((sample.features[k] - judge.mean_[k]) * judge.scale_[k], -4.0, 4.0);
    x[kDrawnFeatures] = 1;
    return x;
  };
  for (int iteration = 0; iteration < kIterations; ++iteration) {  // Newton's method.
    std::vector<std::vector<double>> curvature(kSize, std::vector<double>(kSize));
    std::vector<double> step(kSize);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::array<double, kSize> x = numbers(samples[i]);
      const double p = judge.chance(samples[i].features), error = (samples[i].drawn ? 1 : 0) - p;
      for (std::size_t a = 0; a < kSize; ++a) {
        step[a] += weights[i] * error * x[a];
        for (std::size_t b = 0; b < kSize; ++b) curvature[a][b] += weights[i] * p * (1 - p) * x[a] * x[b];
      }
    }
    for (std::size_t k = 0; k < kSize; ++k) {
      if (k < kDrawnFeatures) step[k] -= kRidge * judge.weights_[k];
      curvature[k][k] += kRidge;
    }
    solve(curvature, step);
    for (std::size_t k = 0; k < kDrawnFeatures; ++k) judge.weights_[k] += step[k];
    judge.bias_ += step[kDrawnFeatures];
  }
  double rendered = 0, drawn = 0;  // Weights of both sum up to a half.
  for (std::size_t i = 0; i < samples.size(); ++i)
    (samples[i].drawn ? drawn : rendered) += 2 * weights[i] * judge.odds(samples[i].features);
  judge.rendered_ = rendered;
  judge.drawn_ = drawn;
  return judge;
}

double DrawnJudge::odds(const DrawnFeatures& features) const {
  double sum = bias_;
  for (std::size_t k = 0; k < kDrawnFeatures; ++k)
    sum += weights_[k] * std::clamp((features[k] - mean_[k]) * scale_[k], -4.0, 4.0);
  return sum;
}
double DrawnJudge::chance(const DrawnFeatures& features) const { return logistic(odds(features)); }
double DrawnJudge::position(const DrawnFeatures& features) const {
  return (odds(features) - rendered_) / std::max(drawn_ - rendered_, 1e-6);
}

DrawnScore leave_one_out(std::span<const DrawnSample> samples) {
  DrawnScore score;
  std::map<std::string, std::vector<std::size_t>> collections;
  std::vector<std::size_t> renders;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].drawn)
      collections[samples[i].collection].push_back(i);
    else
      renders.push_back(i);
  }
  // Without those `out`.
  const auto fit_others = [&](const std::vector<std::size_t>& out) {
    std::vector<DrawnSample> others;
    std::vector<char> held(samples.size());
    for (const std::size_t i : out) held[i] = 1;
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (held[i] == 0) others.push_back(samples[i]);
    return DrawnJudge::fit(others);
  };
  const auto count_right = [&](const DrawnJudge& judge, const std::vector<std::size_t>& which) {
    double right = 0;
    for (const std::size_t i : which) right += (judge.chance(samples[i].features) >= 0.5) == samples[i].drawn ? 1 : 0;
    return right;
  };
  if (collections.size() < 2 || renders.size() < kFolds) return score;
  const auto num_collections = static_cast<double>(collections.size());
  for (const auto& [name, figures] : collections) {
    const DrawnJudge judge = fit_others(figures);
    const auto count = static_cast<double>(figures.size());
    std::vector<double> positions;
    for (const std::size_t i : renders) positions.push_back(judge.position(samples[i].features));
    std::sort(positions.begin(), positions.end());
    double ahead = 0;
    for (const std::size_t i : figures) {
      const auto below = std::lower_bound(positions.begin(), positions.end(), judge.position(samples[i].features));
      ahead += static_cast<double>(below - positions.begin()) / static_cast<double>(positions.size());
    }
    score.collections.push_back({name, static_cast<int>(count), count_right(judge, figures) / count, ahead / count});
    score.drawn_right += score.collections.back().right / num_collections;
    score.ahead += score.collections.back().ahead / num_collections;
  }
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const std::vector<std::size_t> part(
        renders.begin() + static_cast<std::ptrdiff_t>(fold * renders.size() / kFolds),
        renders.begin() + static_cast<std::ptrdiff_t>((fold + 1) * renders.size() / kFolds));
    score.rendered_right += count_right(fit_others(part), part) / static_cast<double>(renders.size());
  }
  return score;
}

}  // namespace zoe::sprite
