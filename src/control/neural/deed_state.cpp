// SPDX-License-Identifier: MIT
#include "zoe/control/deed_state.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/math/portable.h"

#include "control/space_move.h"

namespace zoe::control {
namespace {

using features::BlockKind;

// Another deed must be this much likelier than the present one.
constexpr float kSwitch = 0.15F;
// A goal without a position is this far ahead.
constexpr float kAhead_m = 2.5F;
// The prediction from the goal's side counts fully within the first distance of the anchor, not beyond the second.
constexpr float kGoalNear_m = 0.6F, kGoalFar_m = 1.1F;
// The held prop: a low-pass over about three steps.
constexpr float kHeldFollow = 0.4F;
// A body that stands still at its goal for this time, longer than in the data, begins the goal's deed. The network
// predicts the mean of clips that go on waiting and of those that begin, and may wait for ever.
constexpr float kWaits_s = 1.2F, kStill_mps = 0.12F, kStill_rad_s = 0.4F;
// Props are used from nearer than this.
constexpr float kReachable_m = 1.0F, kOff_m = 0.06F, kBesideBox_m = 0.08F, kMostWait_s = 4;
constexpr float kBeforeDoor_m = 0.42F, kMostBeforeDoor_m = 0.62F, kBeforeBox_m = 0.22F, kMostBeforeBox_m = 0.34F;
constexpr float kBesideHandle_m = 0.05F, kMostBesideHandle_m = 0.3F;  // Towards the edge of the leaf, and the hinge.
constexpr float kNearEnough_m = 0.03F, kTooNear_m = 0.05F;  // Farther from a seat than in the data, and nearer.
constexpr float kBeside_m = 0.06F, kBeside_rad = 0.2F, kRests_s = 0.8F;
// Paths are seen at most this far behind; a turn ends at the second angle.
constexpr float kBehind_rad = 2, kTurned_rad = 1.2F;
// A hand that let go of a handle leaves it before the deed ends.
constexpr float kLeaves_s = 0.3F;
// A goal is given anew only where that brought the body this much nearer before: some networks step away.
constexpr float kNearer_m = 0.03F;
// A body that has a goal beyond its reach walks, at the latest after the first time and for the second at least. In the
// data none waits far away.
constexpr float kSetsOut_s = 0.8F, kWalks_s = 1.5F, kGetsUp_s = 2.8F;
// Hands have a handle this long after they began to reach for it.
constexpr float kTakes_s = 2, kClosed_rad = 0.3F;

// The deed that comes before one is what a waiting body does.
bool waits_for(Deed now, Deed goal) {
  if (goal == Deed::kPutDown) return now == Deed::kCarry;
  return (goal == Deed::kSit || goal == Deed::kLift || goal == Deed::kOpen) &&
         (now == Deed::kIdle || now == Deed::kWalk);
}

// What can follow a deed. A box is not dropped on its way, and nothing is begun that the goal does not need, or far
// from it.
bool may_follow(Deed now, Deed next, Deed goal, bool held, bool free, bool reachable) {
  if (next == now) return true;
  switch (next) {
    case Deed::kIdle:
    case Deed::kWalk:
      if (!free) return false;
      if (now == Deed::kCarry) return goal != Deed::kPutDown && goal != Deed::kLift;
      return now != Deed::kLift || !held;
    case Deed::kCarry:
      return now == Deed::kLift;
    case Deed::kPutDown:
      return now == Deed::kCarry && goal == Deed::kPutDown && reachable;
    default:
      return next == goal && reachable && (now == Deed::kIdle || now == Deed::kWalk);
  }
}

}  // namespace

Result<DeedColumns> find_deed_columns(const features::Layout& layout) {
  DeedColumns found;
  const auto find = [&](BlockKind kind, std::string_view name, int width, int& out) -> Result<void> {
    const auto& channels = layout.schema().block(kind).channels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].group != features::Group::kSignal || channels[i].name != name) continue;
      const features::Column& column = layout.columns(kind)[i];
      if (column.width != width) {
        return Error{ErrorCode::kInvalid,
                     fmt::format("the network senses props in another form ({}); train it again", name),
                     {}};
      }
      out = column.begin;
    }
    return {};
  };
  ZOE_TRY(find(BlockKind::kInput, kDeedSignal, kDeedStateWidth, found.state));
  ZOE_TRY(find(BlockKind::kInput, kSurroundingsSignal, kSurroundingsWidth, found.surroundings));
  ZOE_TRY(find(BlockKind::kInput, kInteractionSignal, kInteractionWidth, found.interaction));
  ZOE_TRY(find(BlockKind::kOutput, kDeedNextSignal, kDeedNextWidth, found.next));
  if (found.exist() && (found.surroundings < 0 || found.interaction < 0 || found.next < 0)) {
    return Error{ErrorCode::kInvalid, "the network knows deeds but lacks a sense of props, or their prediction", {}};
  }
  return found;
}

IntendedGoal goal_of(const Intent& intent, const PlanarRoot& root) noexcept {
  IntendedGoal out;
  float most = 0;
  for (std::size_t i = 0; i < kNumDeeds; ++i) {
    if (intent.actions[i] > most) most = intent.actions[i], out.goal.deed = static_cast<Deed>(i);
  }
  if (intent.goal) {
    const Vec3 to = intent.goal->position - root.position;
    const bool is_far = portable_hypot(to.x, to.z) > 0.3F;
    out.goal.place.position = intent.goal->position;
    out.goal.place.facing_rad = intent.goal->facing_rad.value_or(is_far ? portable_atan2(to.x, to.z) : root.facing_rad);
    out.given = true;
    return out;
  }
  const Vec3 way = way_of(intent);
  const bool moves = way != Vec3{};
  const float facing = intent.facing_at(0.3F).value_or(moves ? portable_atan2(way.x, way.z) : root.facing_rad);
  out.goal.place = {root.position + way * kAhead_m, facing};
  return out;
}

Vec3 way_of(const Intent& intent) noexcept {
  Vec3 sum = intent.velocity_at(0) + intent.velocity_at(0.3F) + intent.velocity_at(0.6F);
  sum.y = 0;
  const float far = length(sum);
  return far > 0.05F ? sum / far : Vec3{};
}

void write_root_in_goal(const PlanarRoot& root, const GoalPlace& goal, std::span<float, 4> out) noexcept {
  const GoalCode code = encode_goal(root, goal);
  std::copy_n(code.values.begin() + 4, 4, out.begin());
  const float far = portable_hypot(out[0], out[1]);
  if (far <= kRootInGoalReach_m) return;
  out[0] *= kRootInGoalReach_m / far;
  out[1] *= kRootInGoalReach_m / far;
}

void DeedState::set_goal(const IntendedGoal& goal, const PlanarRoot& root, const Prop* used,
                         float before_seat_m) noexcept {
  before_seat_m_ = before_seat_m;
  const bool same =
      started_ && goal.given == given_ && goal.goal.deed == goal_.deed && (!goal.given || same_goal(goal.goal, goal_));
  if (!same) clocks_.goal_changed(), rested_at_m_ = 0;
  started_ = true;
  given_ = goal.given;
  goal_ = goal.goal;
  clocks_.see(root, goal_);
  step_m_ = portable_hypot(root.position.x - last_.position.x, root.position.z - last_.position.z);
  turned_rad_ = std::abs(wrapped(root.facing_rad - last_.facing_rad));
  last_ = root;
  const bool is_seat = used != nullptr && used->type == PropType::kSeat;
  half_depth_m_ = is_seat ? used->seat_half_depth_m : 0;
  is_closed_ = used != nullptr && used->type == PropType::kDoor && used->open_rad < kClosed_rad;
  box_half_m_ = used != nullptr && used->type == PropType::kBox ? bounds_of(*used).half_size().z : 0;
  half_width_m_ = is_seat ? used->seat_half_width_m : 0;
  off_m_ = length(to_place(root));
  away_m_ = portable_hypot(goal_.place.position.x - root.position.x, goal_.place.position.z - root.position.z);
  // A body that came to rest beside its goal gets it anew: it takes the steps that are left.
  const Vec3 to = goal_.place.position - root.position;
  const bool beside = portable_hypot(to.x, to.z) > kBeside_m ||
                      std::abs(wrapped(goal_.place.facing_rad - root.facing_rad)) > kBeside_rad;
  if (given_ && goal_.deed == Deed::kIdle && deed_ == Deed::kIdle && beside && away_m_ < kReachable_m &&
      std::min(clocks_.goal_s, clocks_.deed_s) > kRests_s &&
      (rested_at_m_ == 0 || away_m_ < rested_at_m_ - kNearer_m)) {
    clocks_.goal_changed();
    rested_at_m_ = away_m_;
  }
}

Vec3 DeedState::beside(Vec3 way, const PlanarRoot& root) noexcept {
  if (way == Vec3{}) return way;
  float angle = wrapped(portable_atan2(way.x, way.z) - root.facing_rad);
  if (std::abs(angle) < kTurned_rad) side_ = 0;
  if (std::abs(angle) <= kBehind_rad) return way;
  if (side_ == 0) side_ = angle < 0 ? -1.0F : 1.0F;
  angle = root.facing_rad + side_ * kBehind_rad;
  return {portable_sin(angle), 0, portable_cos(angle)};
}

void DeedState::write(const DeedColumns& columns, const DeedSenses& senses, std::span<const Prop> props,
                      const PlanarRoot& root, Vec3 way, std::span<float> x) const noexcept {
  const auto part = [&](int begin, int width) {
    return x.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(width));
  };
  DeedSenses::write_state({root, deed_, goal_, clocks_, way}, part(columns.state, kDeedStateWidth));
  senses.write_surroundings(props, root, part(columns.surroundings, kSurroundingsWidth));
  senses.write_interaction(used_prop(props, goal_, root), root, part(columns.interaction, kInteractionWidth));
}

// Seats are sat on and boxes lifted from before their middle; a body that does not come there sits down where it is.
bool DeedState::in_place() const noexcept {
  if (!given_) return true;
  const bool stands = deed_ == Deed::kIdle || deed_ == Deed::kWalk;
  const bool is_off = (stands && ((goal_.deed == Deed::kSit && off_m_ > kOff_m) ||
                                  (goal_.deed == Deed::kLift && off_m_ > kBesideBox_m))) ||
                      (deed_ == Deed::kCarry && goal_.deed == Deed::kPutDown && off_m_ > kBesideBox_m);
  return away_m_ < kReachable_m && !(is_off && still_s_ < kMostWait_s);
}

// Hands have left a handle that they let go.
bool DeedState::is_free() const noexcept { return deed_ != Deed::kOpen || free_s_ > kLeaves_s; }

void DeedState::follow(std::span<const float> next, float dt_s, bool grips) noexcept {
  const auto deeds = next.first(kNumDeeds);
  auto best = static_cast<std::size_t>(deed_);
  for (std::size_t i = 0; i < deeds.size(); ++i)
    if (deeds[i] > deeds[best] &&
        may_follow(deed_, static_cast<Deed>(i), goal_.deed, held_ > 0.5F, is_free(), in_place()))
      best = i;
  const bool is_far = given_ && away_m_ > kReachable_m;
  if (is_far && deed_ == Deed::kWalk && static_cast<Deed>(best) == Deed::kIdle && clocks_.deed_s < kWalks_s)
    best = static_cast<std::size_t>(deed_);
  const bool switches = deeds[best] > deeds[static_cast<std::size_t>(deed_)] + kSwitch;
  held_ += (std::clamp(next[kHeldColumn], 0.0F, 1.0F) - held_) * kHeldFollow;
  const bool holds_door = deed_ == Deed::kOpen && goal_.deed == Deed::kOpen && held_ > 0.5F;
  free_s_ = holds_door || deed_ != Deed::kOpen ? 0 : std::min(free_s_ + dt_s, DeedClocks::kMost_s);
  const bool still = clocks_.near && step_m_ < kStill_mps * dt_s && turned_rad_ < kStill_rad_s * dt_s;
  still_s_ = still ? std::min(still_s_ + dt_s, kMostWait_s) : 0;
  const bool begins = !switches && given_ && still_s_ >= kWaits_s && in_place() && waits_for(deed_, goal_.deed);
  const bool sets_out = is_far && deed_ == Deed::kIdle && std::min(clocks_.goal_s, clocks_.deed_s) > kSetsOut_s;
  // A body that opens a door without its handle comes to it again.
  const bool misses = deed_ == Deed::kOpen && !grips && is_closed_ && clocks_.deed_s >= kTakes_s;
  if (misses) clocks_.goal_changed(), still_s_ = 0;
  // A body that shall leave its seat and does not get up.
  const bool stays = given_ && deed_ == Deed::kSit && goal_.deed != Deed::kSit && clocks_.goal_s >= kGetsUp_s;
  follow(misses              ? Deed::kIdle
         : switches          ? static_cast<Deed>(best)
         : begins            ? goal_.deed
         : sets_out || stays ? Deed::kWalk
                             : deed_,
         dt_s);
}

void DeedState::follow(Deed deed, float dt_s) noexcept {
  clocks_.advance(dt_s);
  if (deed != deed_) clocks_.deed_changed();
  deed_ = deed;
}

PlanarRoot DeedState::from_goal(std::span<const float> next, const PlanarRoot& root) const noexcept {
  PlanarRoot out = root_from_goal(goal_.place, next.subspan<kRootInGoalColumn, 4>());
  out.position.y = root.position.y;
  return out;
}

Vec3 DeedState::to_place(const PlanarRoot& root) const noexcept {
  const Vec3 to = goal_.place.position - root.position;
  const float s = portable_sin(goal_.place.facing_rad), c = portable_cos(goal_.place.facing_rad);
  Vec3 out = Vec3{c, 0, -s} * (c * to.x - s * to.z);
  const float before_m = -(s * to.x + c * to.z) - half_depth_m_ - before_seat_m_ - kNearEnough_m;
  if (goal_.deed == Deed::kSit && half_depth_m_ > 0 && before_m > 0) out -= Vec3{s, 0, c} * before_m;
  if (goal_.deed == Deed::kLift || goal_.deed == Deed::kPutDown) {
    const float ahead_m = s * to.x + c * to.z - box_half_m_;
    out += Vec3{s, 0, c} * (ahead_m - std::clamp(ahead_m, kBeforeBox_m, kMostBeforeBox_m));
  }
  // A door needs room for the toes, and a hand that reaches its handle; within that the network decides.
  if (goal_.deed == Deed::kOpen) {
    const float ahead_m = s * to.x + c * to.z, aside_m = c * to.x - s * to.z;
    out = Vec3{s, 0, c} * (ahead_m - std::clamp(ahead_m, kBeforeDoor_m, kMostBeforeDoor_m)) +
          Vec3{c, 0, -s} * (aside_m - std::clamp(aside_m, -kBesideHandle_m, kMostBesideHandle_m));
  }
  return out;
}

Vec3 DeedState::before_seat(Vec3 position) const noexcept {
  if (goal_.deed != Deed::kSit || half_depth_m_ <= 0 || (deed_ != Deed::kIdle && deed_ != Deed::kWalk)) return position;
  const Vec3 from = position - goal_.place.position;
  const float s = portable_sin(goal_.place.facing_rad), c = portable_cos(goal_.place.facing_rad);
  const float before_m = s * from.x + c * from.z, nearest_m = half_depth_m_ + before_seat_m_ - kTooNear_m;
  if (std::abs(c * from.x - s * from.z) > half_width_m_ + kTooNear_m || before_m < 0) return position;
  return position + Vec3{s, 0, c} * std::max(nearest_m - before_m, 0.0F);
}

float DeedState::share(const PlanarRoot& root) const noexcept {
  if (!given_) return 0;
  const Vec3 to = goal_.place.position - root.position;
  return goal_share(portable_hypot(to.x, to.z), kGoalNear_m, kGoalFar_m);
}

void DeedState::describe(StateArchive& archive) {
  archive.choice(deed_, Deed::kOpen);
  archive.choice(goal_.deed, Deed::kOpen);
  archive.finite(goal_.place);
  archive.flag(given_);
  archive.flag(started_);
  archive.number(clocks_.deed_s, 0, DeedClocks::kMost_s);
  archive.number(clocks_.goal_s, 0, DeedClocks::kMost_s);
  archive.number(clocks_.near_s, 0, DeedClocks::kMost_s);
  archive.flag(clocks_.near);
  archive.finite(held_);
  archive.finite(last_.position);
  archive.finite(last_.facing_rad);
  archive.number(still_s_, 0, kMostWait_s);
  archive.finite(rested_at_m_);
  archive.number(side_, -1, 1);
  archive.number(free_s_, 0, DeedClocks::kMost_s);
}

void DeedState::move_space(const PlanarRoot& offset) noexcept {
  goal_.place.position -= offset.position;
  goal_.place.facing_rad -= offset.facing_rad;
  control::move_space(offset, last_);
}

}  // namespace zoe::control
