// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "zoe/motion/joint_tracks.h"
#include "zoe/motion/loop.h"

namespace zoe {
namespace {

constexpr int kGridFrames = 1000;  // Frames per side of the coarse grid.

// [frames × 2 joints]: root-relative positions, then weighted velocities in the root's axes, so that plain distances
// can be used.
class Features {
 public:
  Features(const Motion& motion, std::span<const int> joints, const LoopOptions& options)
      : joints_(joints.size()), values_(2 * joints_ * static_cast<std::size_t>(motion.num_frames)) {
    const std::vector<Vec3> positions = model_positions(motion, joints);
    const int last = motion.num_frames - 1;
    for (int frame = 0; frame <= last; ++frame) {
      const PlanarRoot root =
          options.root != nullptr ? options.root->roots[static_cast<std::size_t>(frame)] : PlanarRoot{};
      const Quat root_from_model = conjugate(rotation_of(root));
      const int before = std::max(frame - 1, 0), after = std::min(frame + 1, last);
      const float scale = options.velocity_weight_s * static_cast<float>(motion.fps / std::max(after - before, 1));
      const auto at = [&](int f, std::size_t j) { return positions[static_cast<std::size_t>(f) * joints_ + j]; };
      Vec3* out = &values_[2 * joints_ * static_cast<std::size_t>(frame)];
      for (std::size_t j = 0; j < joints_; ++j) {
        out[j] = rotate(root_from_model, at(frame, j) - root.position);
        out[joints_ + j] = rotate(root_from_model, at(after, j) - at(before, j)) * scale;
      }
    }
  }

  float distance(int a, int b) const {
    const Vec3* x = &values_[2 * joints_ * static_cast<std::size_t>(a)];
    const Vec3* y = &values_[2 * joints_ * static_cast<std::size_t>(b)];
    float sum = 0;
    for (std::size_t k = 0; k < 2 * joints_; ++k) sum += dot(x[k] - y[k], x[k] - y[k]);
    return std::sqrt(sum / static_cast<float>(joints_));
  }

 private:
  std::size_t joints_;
  std::vector<Vec3> values_;
};

bool better(const Loop& a, const Loop& b) {
  if (a.distance_m != b.distance_m) return a.distance_m < b.distance_m;
  return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
}

// The best ones that are apart from those before them; loops come sorted.
std::vector<Loop> pick_apart(const std::vector<Loop>& loops, int separation, std::size_t max_results) {
  std::vector<Loop> out;
  for (const Loop& loop : loops) {
    if (out.size() >= max_results) break;
    const bool known = std::any_of(out.begin(), out.end(), [&](const Loop& other) {
      return std::abs(other.begin - loop.begin) < separation && std::abs(other.end - loop.end) < separation;
    });
    if (!known) out.push_back(loop);
  }
  return out;
}

}  // namespace

Result<std::vector<Loop>> find_loops(const Motion& motion, const LoopOptions& options) {
  const auto usage = [](const char* message) { return Error{ErrorCode::kUsage, message, {}}; };
  if (!are_joints(motion, options.joints)) return usage("loops: a joint is out of range");
  if (options.root != nullptr && options.root->roots.size() != static_cast<std::size_t>(motion.num_frames)) {
    return usage("loops: the root trajectory is of another clip");
  }
  if (!(options.min_duration_s > 0 && options.max_duration_s >= options.min_duration_s)) {
    return usage("loops: durations must satisfy 0 < min <= max");
  }
  if (motion.num_frames < 2 || motion.num_joints() == 0 || options.max_results < 1) return std::vector<Loop>{};
  std::vector<int> all(static_cast<std::size_t>(motion.num_joints()));
  std::iota(all.begin(), all.end(), 0);
  const Features features(motion, options.joints.empty() ? std::span<const int>(all) : options.joints, options);

  const auto frames_of = [&](double seconds) {
    return static_cast<int>(std::clamp(std::round(seconds * motion.fps), 1.0, static_cast<double>(motion.num_frames)));
  };
  const int shortest = frames_of(options.min_duration_s), longest = frames_of(options.max_duration_s);
  const int separation = frames_of(options.min_separation_s);
  const auto max_results = static_cast<std::size_t>(options.max_results);
  const int step = 1 + (motion.num_frames - 1) / kGridFrames;

  std::vector<Loop> grid;
  for (int begin = 0; begin < motion.num_frames; begin += step) {
    const int last = std::min(begin + longest, motion.num_frames - 1);
    // Only local minima along a row: the pairs beside one are the same loop.
    float before = INFINITY, here = INFINITY;
    for (int end = begin + shortest; end <= last + step; end += step) {
      const float next = end <= last ? features.distance(begin, end) : INFINITY;
      if (here <= before && here < next) grid.push_back({begin, end - step, here});
      before = here, here = next;
    }
  }
  std::sort(grid.begin(), grid.end(), better);
  if (step == 1) return pick_apart(grid, separation, max_results);

  std::vector<Loop> fine;
  for (const Loop& coarse : pick_apart(grid, std::max(separation, step), 4 * max_results)) {
    Loop best = coarse;
    for (int begin = std::max(coarse.begin - step, 0); begin <= coarse.begin + step; ++begin) {
      for (int end = coarse.end - step; end <= std::min(coarse.end + step, motion.num_frames - 1); ++end) {
        if (end - begin < shortest || end - begin > longest) continue;
        const Loop loop{begin, end, features.distance(begin, end)};
        if (better(loop, best)) best = loop;
      }
    }
    fine.push_back(best);
  }
  std::sort(fine.begin(), fine.end(), better);
  return pick_apart(fine, separation, max_results);
}

}  // namespace zoe
