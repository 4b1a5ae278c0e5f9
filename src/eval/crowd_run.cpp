// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "zoe/control/crowd/neighbour_grid.h"
#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"

namespace zoe::eval {
namespace {

// Overlapping pairs, tick by tick.
class Tally {
 public:
  explicit Tally(int num_characters)
      : discs_(static_cast<std::size_t>(num_characters)), grid_(discs_.size()), positions_(discs_.size()) {}

  void count(const control::Crowd& crowd, double dt_s, CrowdRunReport& report) {
    for (std::size_t i = 0; i < discs_.size(); ++i) {
      const int character = static_cast<int>(i);
      discs_[i] = {crowd.state(character).root().position, {}, crowd.radius_m(character)};
      if (crowd.state(character).progress() == control::Progress::kStuck) report.stuck_s += dt_s;
    }
    const control::Overlaps now = control::find_overlaps(discs_, grid_, positions_);
    report.overlap_s += now.pairs * dt_s;
    report.most_overlaps = std::max(report.most_overlaps, now.pairs);
    report.deepest_m = std::max(report.deepest_m, now.deepest_m);
  }

 private:
  std::vector<control::MovingDisc> discs_;
  control::NeighbourGrid grid_;
  std::vector<Vec3> positions_;
};

}  // namespace

std::vector<control::Proportions> draw_proportions(int num_characters, Range sizes, Range legs, std::uint64_t seed) {
  Random random = Random(seed).split(2);
  const auto drawn = [&](const Range& range) { return random.uniform(range.first, range.second); };
  std::vector<control::Proportions> proportions;
  for (int i = 0; i < num_characters; ++i) {
    const float size = drawn(sizes);
    proportions.push_back({size * drawn(legs), size});
  }
  return proportions;
}

Result<CrowdRunReport> run_crowd(control::Crowd& crowd, const CrowdIntents& intents, const CrowdRunOptions& options,
                                 const CrowdObserver& observer) {
  using Clock = std::chrono::steady_clock;
  CrowdRunReport report{.num_ticks = std::max(1L, std::lround(options.seconds * options.fps))};
  const double dt_s = 1 / options.fps, look_every_s = 1 / std::min(options.looks_fps, options.fps);
  std::vector<control::Intent> desired(static_cast<std::size_t>(crowd.size()));
  Tally tally(crowd.size());
  double next_look_s = 0;
  for (long tick = 0; tick < report.num_ticks; ++tick) {
    const double time_s = static_cast<double>(tick) * dt_s;
    if (observer.look && time_s >= next_look_s - 1e-9) {
      ZOE_TRY(observer.look(crowd, time_s));
      next_look_s += look_every_s;
    }
    const Clock::time_point start = Clock::now();
    intents(crowd, desired);
    crowd.tick(desired, dt_s, ThreadPool::shared());
    report.ticks_s += std::chrono::duration<double>(Clock::now() - start).count();
    tally.count(crowd, dt_s, report);
    if (observer.ticked) observer.ticked();
  }
  for (int i = 0; i < crowd.size(); ++i) report.num_recoveries += crowd.state(i).num_recoveries();
  return report;
}

}  // namespace zoe::eval
