// SPDX-License-Identifier: MIT
// The part of a clip that repeats best.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/anatomy/gait.h"
#include "zoe/core/index.h"
#include "zoe/generate/cycle.h"
#include "zoe/motion/loop.h"

#include "generate/body_size.h"

namespace zoe::generate {
namespace {

constexpr int kAroundFrames = 2;         // Compared on either side of an end.
constexpr double kSameShare = 0.01;      // Of the body's size: ends of a clip that is a cycle already.
constexpr double kInPlaceShare = 0.05;   // Of the body's size per cycle: sway, not travel.
constexpr double kInPlaceTurn = 0.08;    // Radians.
constexpr double kWorthOfLength = 0.08;  // Of the body's size: a cycle of the whole clip over one of no length.
constexpr double kGaitTolerance = 0.15;  // Of the period.
constexpr double kGaitConfidence = 0.3;

class CycleSearch {
 public:
  CycleSearch(const Motion& motion, const SkeletonAnalysis& body)
      : motion_(motion),
        root_(find_root(motion, body)),
        positions_(all_positions(motion)),
        size_m_(body_size_m(body)) {}

  CycleRange range(int begin, int end) const {
    const Alignment fit = align_frames(positions_, motion_.num_joints(), begin, end, kAroundFrames, kAroundFrames);
    CycleRange out{.begin = begin, .end = end, .move = fit.move, .distance_m = fit.distance_m};
    // A body that stays: what moves is its sway, and repeating it must not drift. The move of a turned body has a shift
    // that depends on where it is, so the body's own centre counts.
    const std::size_t joints = idx(motion_.num_joints());
    Vec3 centre{};
    for (std::size_t j = 0; j < joints; ++j) centre = centre + positions_[idx(begin) * joints + j];
    centre = centre * (1.0F / static_cast<float>(joints));
    const double travel_m = distance(moved(fit.move, centre), centre);
    if (travel_m < kInPlaceShare * size_m_ && std::abs(double{fit.move.turn_rad}) < kInPlaceTurn) {
      out.move = {};
      double sum = 0;
      for (std::size_t j = 0; j < joints; ++j) {
        const double d = distance(positions_[idx(begin) * joints + j], positions_[idx(end) * joints + j]);
        sum += d * d;
      }
      out.distance_m = std::sqrt(sum / static_cast<double>(joints));
    }
    out.distance_share = out.distance_m / size_m_;
    return out;
  }

  // The best of the durations between, where it is better than `best`.
  void best_between(double min_s, double max_s, CycleRange& best, double& best_cost, double worth_of_length,
                    double longest_s) const {
    LoopOptions loops{.root = &root_, .min_duration_s = min_s, .max_duration_s = max_s, .max_results = 4};
    const Result<std::vector<Loop>> found = find_loops(motion_, loops);
    if (!found) return;
    for (const Loop& loop : *found) {
      const CycleRange here = range(loop.begin, loop.end);
      const double share = (here.end - here.begin) / motion_.fps / longest_s;
      // The loop's own distance has the velocities.
      const double cost = double{loop.distance_m} / size_m_ + worth_of_length * (1 - share);
      if (cost >= best_cost) continue;
      best_cost = cost;
      best = here;
    }
  }

 private:
  const Motion& motion_;
  RootTrajectory root_;
  std::vector<Vec3> positions_;
  double size_m_;
};

}  // namespace

Result<CycleRange> find_cycle_range(const Motion& motion, const SkeletonAnalysis& analysis,
                                    const CycleOptions& options) {
  const double seconds = motion.duration_s();
  if (motion.num_frames < 4 || seconds < 0.1)
    return Error{ErrorCode::kUsage,
                 fmt::format("a clip of {} frames is too short for a cycle: at least 4 and 0.1 s", motion.num_frames)};
  const CycleSearch search(motion, analysis);
  CycleRange best = search.range(0, motion.num_frames - 1);
  best.whole = best.distance_share < kSameShare;
  if (best.whole) return best;
  double cost = 1e9;
  const Result<Gait> gait = analysis.feet.empty() ? Result<Gait>(Gait{}) : find_gait(motion, analysis);
  if (gait && gait->kind != GaitKind::kNone && gait->confidence > kGaitConfidence && gait->frequency_hz > 0) {
    const double period_s = 1 / gait->frequency_hz;
    for (int cycles = 1; cycles <= 4 && cost > 0.02; ++cycles) {
      const double middle = cycles * period_s, slack = kGaitTolerance * period_s;
      if (middle - slack > seconds || middle + slack > options.max_s) break;
      search.best_between(middle - slack, middle + slack, best, cost, 0, seconds);
    }
    if (cost < 1e9) {
      best.gait_hz = gait->frequency_hz;
      return best;
    }
  }
  // No gait: the best of each octave, where longer parts may fit a little worse.
  const double longest_s = std::min(seconds, std::max(options.max_s, options.min_s));
  for (double max_s = longest_s; max_s > options.min_s; max_s /= 2)
    search.best_between(std::max(options.min_s, max_s / 2), max_s, best, cost, kWorthOfLength, longest_s);
  return best;
}

}  // namespace zoe::generate
