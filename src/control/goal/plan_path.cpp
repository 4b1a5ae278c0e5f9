// SPDX-License-Identifier: MIT
#include "zoe/control/plan_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/math/portable.h"

#include "control/goal_watch.h"

namespace zoe::control {
namespace {

constexpr int kMostCells = 400;  // On a side.

// Free and blocked cells around start and goal.
class Grid {
 public:
  Grid(Vec3 start, Vec3 goal, std::span<const Prop> props, const PlanOptions& options)
      : props_(props), options_(options) {
    Box3 area;
    area.add(start), area.add(goal);
    Box3 near = area;
    near.grow(options.margin_m);
    for (const Prop& prop : props) {
      const Box3 box = world_bounds_of(prop);
      if (box.empty() || &prop == options.ignored) continue;
      if (box.max.x < near.min.x || box.min.x > near.max.x || box.max.z < near.min.z || box.min.z > near.max.z)
        continue;
      area.add(box);
    }
    area.grow(options.margin_m);
    const Vec3 size = area.size();
    cell_m_ = std::max(options.cell_m, std::max(size.x, size.z) / kMostCells);
    low_ = area.min;
    num_x_ = std::max(2, static_cast<int>(std::ceil(size.x / cell_m_)) + 1);
    num_z_ = std::max(2, static_cast<int>(std::ceil(size.z / cell_m_)) + 1);
    free_.resize(static_cast<std::size_t>(num_x_) * static_cast<std::size_t>(num_z_));
    for (int i = 0; i < count(); ++i) free_[idx(i)] = is_free(place(i)) ? 1 : 0;
  }

  int count() const { return num_x_ * num_z_; }
  bool free(int cell) const { return free_[idx(cell)] != 0; }
  bool is_free(Vec3 p) const { return clearance(p) >= options_.radius_m; }
  float clearance(Vec3 p) const { return floor_clearance(props_, p.x, p.z, options_); }
  Vec3 place(int cell) const {
    return {low_.x + cell_m_ * static_cast<float>(cell % num_x_), 0,
            low_.z + cell_m_ * static_cast<float>(cell / num_x_)};
  }
  int cell_of(Vec3 p) const {
    const auto index = [&](float v, int n) { return std::clamp(static_cast<int>(std::lround(v / cell_m_)), 0, n - 1); };
    return index(p.z - low_.z, num_z_) * num_x_ + index(p.x - low_.x, num_x_);
  }
  int nearest_free(Vec3 p) const {
    int best = -1;
    float least = std::numeric_limits<float>::max();
    for (int i = 0; i < count(); ++i) {
      if (!free(i)) continue;
      const Vec3 d = place(i) - p;
      const float far = d.x * d.x + d.z * d.z;
      if (far < least) least = far, best = i;
    }
    return best;
  }
  // The whole line keeps its distance.
  bool sees(Vec3 a, Vec3 b) const {
    float t = 0;
    const float way = distance(a, b);
    while (t < way) {
      const float room = clearance(lerp(a, b, t / way)) - options_.radius_m;
      if (room < -1e-3F) return false;
      t += std::max(room, 0.25F * cell_m_);
    }
    return true;
  }

  // Cells from `from` to `to`, or to the reachable one nearest to `goal`.
  std::vector<int> search(int from, int to, Vec3 goal) const {
    std::vector<float> cost(free_.size(), std::numeric_limits<float>::max());
    std::vector<int> before(free_.size(), -1);
    using Item = std::pair<float, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    const auto left = [&](int cell) {
      const Vec3 d = place(cell) - goal;
      return std::hypot(d.x, d.z);
    };
    cost[idx(from)] = 0;
    open.push({left(from), from});
    int best = from;
    while (!open.empty()) {
      const auto [estimate, cell] = open.top();
      open.pop();
      if (estimate > cost[idx(cell)] + left(cell) + 1e-4F) continue;
      if (left(cell) < left(best)) best = cell;
      if (cell == to) break;
      const int x = cell % num_x_, z = cell / num_x_;
      for (int dz = -1; dz <= 1; ++dz)
        for (int dx = -1; dx <= 1; ++dx) {
          const int nx = x + dx, nz = z + dz;
          if ((dx == 0 && dz == 0) || nx < 0 || nz < 0 || nx >= num_x_ || nz >= num_z_) continue;
          const int next = nz * num_x_ + nx;
          // No corner is cut.
          if (!free(next) || !free(z * num_x_ + nx) || !free(nz * num_x_ + x)) continue;
          const float longer = cost[idx(cell)] + cell_m_ * (dx != 0 && dz != 0 ? std::numbers::sqrt2_v<float> : 1.0F);
          if (longer >= cost[idx(next)]) continue;
          cost[idx(next)] = longer, before[idx(next)] = cell;
          open.push({longer + left(next), next});
        }
    }
    std::vector<int> cells;
    for (int cell = best; cell >= 0; cell = before[idx(cell)]) cells.push_back(cell);
    std::reverse(cells.begin(), cells.end());
    return cells;
  }

 private:
  std::span<const Prop> props_;
  const PlanOptions& options_;
  Vec3 low_;
  float cell_m_ = 0.1F;
  int num_x_ = 0, num_z_ = 0;
  std::vector<std::uint8_t> free_;
};

// Keeps only the points that lines of sight need.
std::vector<Vec3> straightened(const Grid& grid, const std::vector<Vec3>& points) {
  std::vector<Vec3> out{points.front()};
  std::size_t from = 0;
  while (from + 1 < points.size()) {
    std::size_t to = points.size() - 1;
    while (to > from + 1 && !grid.sees(points[from], points[to])) --to;
    out.push_back(points[to]);
    from = to;
  }
  return out;
}

class PlanSource final : public IntentSource {
 public:
  static constexpr float kSlowest_mps = 0.25F;  // Whatever speed is requested.
  PlanSource(std::unique_ptr<IntentSource> on_path, Vec3 end, const WantedPlace& place, float speed_mps)
      : on_path_(std::move(on_path)),
        end_(end),
        place_(place),
        speed_mps_(speed_mps),
        slowest_mps_(std::max(kSlowest_mps, kSlowestShare * speed_mps)) {}
  Intent next(const PlanarRoot& root, double dt_s) override {
    const Vec3 to_end = end_ - root.position;
    if (portable_hypot(to_end.x, to_end.z) < kLast_m || on_path_ == nullptr) arrives_ = true;
    if (!arrives_ && turns_ && (turn_s_ += dt_s) < kMostTurn_s) {
      // Turns on the spot before it walks: a wide turn would leave the path. Bodies that walk as they turn may have
      // passed the first point ahead, so it goes on with them.
      const Path& path = *on_path_->path();
      const Vec3 ahead = path.at(path.nearest(root.position, 0, kMostPassed_m) + kAhead_m) - root.position;
      const float facing = portable_atan2(ahead.x, ahead.z);
      if (std::abs(wrapped(facing - root.facing_rad)) > kMostOff_rad) return Intent::move({}, facing);
    }
    turns_ = false;
    if (!arrives_) return on_path_->next(root, dt_s);
    // The last stretch is slower and slower. Bodies turn to the goal's facing at its end: few walk sideways well.
    Vec3 left = place_.position - root.position;
    left.y = 0;
    const float left_m = length(left);
    stops_ = left_m < (stops_ ? kLeaves_m : kStops_m);
    Intent intent;
    if (left_m < kTurns_m) intent.wanted[0].facing_rad = place_.facing_rad;
    if (!stops_)
      intent.wanted[0].velocity_mps = left * (std::clamp(kSlows_hz * left_m, slowest_mps_, speed_mps_) / left_m);
    return intent;
  }
  const Path* path() const override { return on_path_ == nullptr ? nullptr : on_path_->path(); }

 private:
  static constexpr float kLast_m = 0.8F, kTurns_m = 0.25F;
  // A character stops here, and walks again from there.
  static constexpr float kStops_m = 0.05F, kLeaves_m = 0.09F;
  static constexpr float kSlows_hz = 1.5F;
  static constexpr float kAhead_m = 0.5F, kMostPassed_m = 2, kMostOff_rad = 0.5F;
  static constexpr double kMostTurn_s = 3;
  std::unique_ptr<IntentSource> on_path_;
  Vec3 end_;
  WantedPlace place_;
  float speed_mps_ = 1, slowest_mps_ = kSlowest_mps;
  bool arrives_ = false, stops_ = false, turns_ = true;
  double turn_s_ = 0;
};

}  // namespace

float floor_clearance(std::span<const Prop> props, float x, float z, const PlanOptions& options) noexcept {
  float nearest = std::numeric_limits<float>::max();
  for (const Prop& prop : props) {
    if (&prop == options.ignored) continue;
    nearest = std::min(nearest, floor_distance(prop, x, z, options.step_m, options.height_m));
  }
  return nearest;
}

PathPlan plan_path(Vec3 start, Vec3 goal, std::span<const Prop> props, const PlanOptions& options) {
  PathPlan plan;
  const auto say = [&](const std::string& what) { plan.note += (plan.note.empty() ? "" : "; ") + what; };
  start.y = goal.y = 0;
  if (!is_finite(start)) start = {};
  plan.points = {start};
  if (!is_finite(goal)) {
    say("the goal is not a number: the character stays");
    return plan;
  }
  constexpr float kFarthest_m = 500;
  if (distance(start, goal) > kFarthest_m) {
    say(fmt::format("the goal is over {} m away: the path leads straight towards it", kFarthest_m));
    plan.points.push_back(goal);
    plan.length_m = distance(start, goal);
    return plan;
  }
  const Grid grid(start, goal, props, options);
  const bool start_free = grid.is_free(start), goal_free = grid.is_free(goal);
  plan.reaches = true;
  std::vector<Vec3> points{start};
  if (!(start_free && goal_free && grid.sees(start, goal))) {
    int from = grid.cell_of(start), to = grid.cell_of(goal);
    if (!start_free) {
      from = grid.nearest_free(start);
      say(grid.clearance(start) < 0 ? "the character is inside a prop: it leaves it first"
                                    : "the character is too near to a prop: it steps away first");
    } else if (!grid.free(from)) {
      from = grid.nearest_free(start);
    }
    if (!goal_free) {
      to = grid.nearest_free(goal);
      plan.reaches = false;
      say(grid.clearance(goal) < 0 ? "the goal is inside a prop: the path ends beside it"
                                   : "the goal is too near to a prop: the path ends before it");
    } else if (!grid.free(to)) {
      to = grid.nearest_free(goal);
    }
    if (from < 0 || to < 0) {
      plan.reaches = false;
      say("nothing around the character is free");
      return plan;
    }
    const std::vector<int> cells = grid.search(from, to, goal_free ? goal : grid.place(to));
    if (cells.back() != to) {
      plan.reaches = false;
      say("no path leads to the goal: it ends at the nearest position that can be reached");
    }
    std::vector<Vec3> line;
    for (const int cell : cells) line.push_back(grid.place(cell));
    if (plan.reaches) line.push_back(goal);
    if (start_free) line.insert(line.begin(), start);
    line = straightened(grid, line);
    points.insert(points.end(), line.begin() + (start_free ? 1 : 0), line.end());
  } else {
    points.push_back(goal);
  }
  plan.points.clear();
  for (const Vec3& p : points) {
    if (!plan.points.empty()) {
      const float way = distance(plan.points.back(), p);
      if (way < 1e-4F) continue;
      plan.length_m += way;
    }
    plan.points.push_back(p);
  }
  return plan;
}

std::unique_ptr<IntentSource> follow_plan(const PathPlan& plan, const WantedPlace& place, const PathOptions& options) {
  std::unique_ptr<IntentSource> on_path;
  if (plan.points.size() > 1) {
    auto path = Path::create(plan.points);
    if (path) on_path = follow(std::move(*path), options);
  }
  WantedPlace last = place;
  if (!plan.reaches) last.position = plan.points.back();
  return std::make_unique<PlanSource>(std::move(on_path), plan.points.back(), last,
                                      std::max(options.speed_mps, PlanSource::kSlowest_mps));
}

}  // namespace zoe::control
