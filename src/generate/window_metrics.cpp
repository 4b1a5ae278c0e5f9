// SPDX-License-Identifier: MIT
#include "zoe/generate/window_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/core/index.h"
#include "zoe/core/random.h"

namespace zoe::generate {
namespace {

constexpr double kPublishedBone = 0.2092142857;
constexpr double kFar = std::numeric_limits<double>::infinity();

// Distances of all frames of a to all of b, summed along the diagonals: the cost of any pair of windows in O(1).
class Diagonals {
 public:
  Diagonals(const PoseFrames& a, const PoseFrames& b) : rows_(a.num_frames()), columns_(b.num_frames()) {
    sums_.assign(idx(rows_ + 1) * idx(columns_ + 1), 0);
    for (int i = 0; i < rows_; ++i) {
      for (int k = 0; k < columns_; ++k) at(i + 1, k + 1) = at(i, k) + pose_distance(a.frame(i), b.frame(k));
    }
  }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double sum(int i, int k, int count) const {
    return sums_[idx(i + count) * idx(columns_ + 1) + idx(k + count)] - sums_[idx(i) * idx(columns_ + 1) + idx(k)];
  }
  // Of the window at i, over all windows of b.
  double best(int i, int count) const {
    double least = kFar;
    for (int k = 0; k + count < columns_; ++k) least = std::min(least, sum(i, k, count));
    return least / count;
  }

 private:
  double& at(int i, int k) { return sums_[idx(i) * idx(columns_ + 1) + idx(k)]; }

  int rows_, columns_;
  std::vector<double> sums_;
};

PoseFrames joined(std::span<const PoseFrames> clips, std::span<const std::size_t> which) {
  PoseFrames out;
  for (const std::size_t i : which) {
    out.width = clips[i].width;
    out.values.insert(out.values.end(), clips[i].values.begin(), clips[i].values.end());
  }
  return out;
}

// Cost per frame of the cheapest tiling of a by pieces of at least `least` frames, each a stretch of b.
double tiling_cost(const Diagonals& d, int least) {
  std::vector<double> cost(idx(d.rows() + 1), kFar);
  cost[0] = 0;
  for (int end = least; end <= d.rows(); ++end) {
    for (int begin = 0; begin + least <= end; ++begin) {
      const int count = end - begin;
      if (cost[idx(begin)] == kFar || count > d.columns()) continue;
      double piece = kFar;
      for (int k = 0; k + count <= d.columns(); ++k) piece = std::min(piece, d.sum(begin, k, count));
      cost[idx(end)] = std::min(cost[idx(end)], cost[idx(begin)] + piece);
    }
  }
  return cost[idx(d.rows())] / d.rows();
}

double window_distance(const PoseFrames& a, int i, const PoseFrames& b, int k, int count) {
  double sum = 0;
  for (int m = 0; m < count; ++m) sum += pose_distance(a.frame(i + m), b.frame(k + m));
  return sum / count;
}

double mean_intra(const PoseFrames& clip, int window, int draws, Random& random) {
  double sum = 0;
  const auto starts = static_cast<std::uint64_t>(clip.num_frames() - window);
  for (int i = 0; i < draws; ++i) {
    const int a = static_cast<int>(random.below(starts)), b = static_cast<int>(random.below(starts));
    sum += window_distance(clip, a, clip, b, window) / draws;
  }
  return sum;
}

}  // namespace

PoseFrames pose_frames(const BodyLayout& body, std::span<const float> canonical_frames) {
  const features::BodyTokens& tokens = body.tokens;
  std::vector<float> values(canonical_frames.begin(), canonical_frames.end());
  features::from_canonical(tokens, values);
  double bones = 0;
  int count = 0;
  for (std::size_t t = 1; t < tokens.joints.size(); ++t) {
    if (tokens.parents[t] == kNoJoint) continue;
    bones += double{tokens.body[t * features::kBodyWidth + 6]} * double{tokens.scale_m};
    ++count;
  }
  const auto scale = static_cast<float>(bones > 1e-9 ? kPublishedBone * count / bones : 1.0);
  const std::size_t joints = tokens.joints.size(), row = joints * features::kTokenWidth;
  PoseFrames out{.width = static_cast<int>(3 * (joints - 1))};
  for (std::size_t f = 0; f < values.size() / row; ++f) {
    const float hips = values[f * row + 1];
    for (std::size_t t = 1; t < joints; ++t) {
      const float* position = &values[f * row + t * features::kTokenWidth];
      out.values.insert(out.values.end(), {position[0] * scale, (position[1] - hips) * scale, position[2] * scale});
    }
  }
  return out;
}

double pose_distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i += 3) {
    const double x = double{a[i]} - double{b[i]}, y = double{a[i + 1]} - double{b[i + 1]},
                 z = double{a[i + 2]} - double{b[i + 2]};
    sum += std::sqrt(x * x + y * y + z * z);
  }
  return a.empty() ? 0 : sum / static_cast<double>(a.size() / 3);
}

Result<WindowMetrics> window_metrics(std::span<const PoseFrames> made_clips, std::span<const PoseFrames> real_clips,
                                     const WindowMetricOptions& options) {
  std::vector<PoseFrames> made, real;
  for (const PoseFrames& clip : made_clips)
    if (clip.num_frames() > options.window) made.push_back(clip);
  for (const PoseFrames& clip : real_clips)
    if (clip.num_frames() > options.window) real.push_back(clip);
  if (made.empty() || real.empty())
    return Error{ErrorCode::kUsage, "no clip is longer than a window of " + std::to_string(options.window) + " frames"};
  for (const PoseFrames& clip : made)
    if (clip.width != real[0].width) return Error{ErrorCode::kUsage, "the clips have different skeletons"};
  WindowMetrics out;
  Random random(options.seed);
  // Coverage: of windows of real clips, by some generated clips, as many as there are real frames.
  double made_frames = 0, real_frames = 0, real_windows = 0;
  for (const PoseFrames& clip : made) made_frames += clip.num_frames();
  for (const PoseFrames& clip : real) real_frames += clip.num_frames();
  const auto chosen = std::min(
      made.size(), static_cast<std::size_t>(real_frames / (made_frames / static_cast<double>(made.size()))) + 1);
  for (int draw = 0; draw < options.draws; ++draw) {
    std::vector<std::size_t> order(made.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(order);
    order.resize(chosen);
    const PoseFrames together = joined(made, order);
    double covered[2] = {};
    real_windows = 0;
    for (const PoseFrames& clip : real) {
      const Diagonals d(clip, together);
      for (int i = 0; i + options.window < d.rows(); ++i, ++real_windows) {
        const double best = d.best(i, options.window);
        for (int t = 0; t < 2; ++t) covered[t] += best < options.thresholds[t] ? 1 : 0;
      }
    }
    for (int t = 0; t < 2; ++t) out.coverage[t] += covered[t] / real_windows / options.draws;
    if (chosen == made.size()) {  // Every draw is the same up to the order.
      for (double& coverage : out.coverage) coverage *= options.draws;
      break;
    }
  }
  std::vector<std::size_t> all(real.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const PoseFrames real_together = joined(real, all);
  double real_intra = 0;
  for (const PoseFrames& clip : real)
    real_intra += mean_intra(clip, options.window, options.draws, random) / static_cast<double>(real.size());
  int tiled = 0;
  for (std::size_t m = 0; m < made.size(); ++m) {
    const Diagonals d(made[m], real_together);
    double sum = 0;
    int windows = 0;
    for (int i = 0; i + options.window < d.rows(); ++i, ++windows) sum += d.best(i, options.window);
    out.local_diversity += sum / windows / static_cast<double>(made.size());
    double best = kFar;
    for (const PoseFrames& clip : real) best = std::min(best, tiling_cost(Diagonals(made[m], clip), options.tiling));
    if (best < kFar) out.global_diversity += best, ++tiled;
    const double intra = mean_intra(made[m], options.window, options.draws, random);
    out.intra_diversity += intra / static_cast<double>(made.size());
    out.intra_difference += std::abs(intra - real_intra) / static_cast<double>(made.size());
    if (m > 0) {
      const int frames = std::min(made[m].num_frames(), made[m - 1].num_frames());
      out.inter_diversity += window_distance(made[m], 0, made[m - 1], 0, frames) / static_cast<double>(made.size() - 1);
    }
  }
  if (tiled > 0) out.global_diversity /= tiled;
  return out;
}

int nearest_clip(const PoseFrames& made, std::span<const PoseFrames> real, const WindowMetricOptions& options) {
  int nearest = -1;
  double least = kFar;
  for (std::size_t r = 0; r < real.size(); ++r) {
    if (real[r].width != made.width || real[r].num_frames() <= options.window) continue;
    const int window = std::min(options.window, made.num_frames() - 1);
    const Diagonals d(made, real[r]);
    double sum = 0;
    int count = 0;
    for (int i = 0; i + window < d.rows(); ++i, ++count) sum += d.best(i, window);
    if (count > 0 && sum / count < least) least = sum / count, nearest = static_cast<int>(r);
  }
  return nearest;
}

}  // namespace zoe::generate
