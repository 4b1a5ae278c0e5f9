// SPDX-License-Identifier: MIT
// Each frame has a likelihood of every action, products of smooth steps in the signals. The sequence of actions with
// the least sum of -log likelihoods over time plus a cost for each change is found exactly (Viterbi).
#include "zoe/anatomy/segments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "anatomy/action_signals.h"

namespace zoe {
namespace {

using anatomy::ActionSignals;

constexpr std::size_t kNumActions = 9;
using Shares = std::array<double, kNumActions>;
constexpr double kLeastShare = 0.02;  // No frame excludes an action.

std::size_t index(Action action) { return static_cast<std::size_t>(action); }

// 0.5 at `middle`, 0.88 one `width` above it.
double above(double value, double middle, double width) { return 1 / (1 + std::exp(-2 * (value - middle) / width)); }

Shares shares_of(const ActionSignals& s, std::size_t frame) {
  Shares p{};
  const double froude = s.speed[frame] / std::sqrt(9.81 * s.leg_m);
  const double moves = above(froude, 0.12, 0.04);
  const double turns = above(std::abs(s.turn[frame]), 0.8, 0.25);
  p[index(Action::kTurn)] = (1 - moves) * turns;
  p[index(Action::kIdle)] = (1 - moves) * (1 - turns);
  if (!s.has_feet) {
    p[index(Action::kMove)] = moves;
    return p;
  }
  // People walk up to about 0.7 √(g L); a body that leaves the ground with each step runs, or hops,
  // at any speed.
  const double runs = std::max(above(froude, 0.6, 0.08), above(s.flight_share[frame], 0.14, 0.06));
  p[index(Action::kRun)] = moves * runs;
  p[index(Action::kWalk)] = moves * (1 - runs);

  const double hips = s.hip_height[frame] / s.standing_hip_m, top = s.top_height[frame] / s.standing_top_m;
  const double hips_down = 1 - above(hips, 0.7, 0.08);
  // A dog that lies with its head up has hips and chest at 0.4 of their height; one that sits has
  // only the hips down.
  const double lying = s.quadruped ? 0.6 : 0.42;
  const double lies = (1 - above(hips, lying, 0.08)) * (1 - above(top, lying, 0.08));
  const double sits = s.quadruped ? (1 - lies) * hips_down * above(top, 0.75, 0.05) : 0;
  const double crouches = (1 - lies) * (1 - sits) * hips_down;
  for (double& share : p) share *= (1 - lies) * (1 - sits) * (1 - crouches);
  p[index(Action::kLie)] = lies;
  p[index(Action::kSit)] = (1 - lies) * sits;
  p[index(Action::kCrouch)] = crouches;
  if (s.jumps[frame]) {
    for (double& share : p) share *= 0.1;
    p[index(Action::kJump)] = 0.9;
  }
  return p;
}

// [frames] the cheapest sequence.
std::vector<std::uint8_t> cheapest(const std::vector<Shares>& shares, double frame_s, double change_price) {
  const std::size_t frames = shares.size();
  std::vector<std::array<std::uint8_t, kNumActions>> from(frames);
  Shares cost{};
  for (std::size_t f = 0; f < frames; ++f) {
    const auto least = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
    const double base = cost[least];
    for (std::size_t a = 0; a < kNumActions; ++a) {
      const bool stays = f == 0 || cost[a] <= base + change_price;
      from[f][a] = static_cast<std::uint8_t>(stays ? a : least);
    }
    for (std::size_t a = 0; a < kNumActions; ++a) {
      const double before = from[f][a] == a ? cost[a] : base + change_price;
      // Subtracting the smallest cost keeps sums small over hours.
      cost[a] = before - base - frame_s * std::log(std::max(shares[f][a], kLeastShare));
    }
  }
  std::vector<std::uint8_t> path(frames);
  auto state = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
  for (std::size_t f = frames; f-- > 0;) {
    path[f] = static_cast<std::uint8_t>(state);
    state = from[f][state];
  }
  return path;
}

ActionSegment describe(const ActionSignals& s, const std::vector<Shares>& shares, std::size_t action, std::size_t begin,
                       std::size_t end, double frame_s) {
  ActionSegment segment;
  segment.action = static_cast<Action>(action);
  segment.first_frame = static_cast<int>(begin);
  segment.last_frame = static_cast<int>(end) - 1;
  const double count = static_cast<double>(end - begin);
  for (std::size_t f = begin; f < end; ++f) {
    segment.confidence += shares[f][action] / count;
    segment.distance_m += s.speed[f] * frame_s;
    segment.mean_speed_m_s += s.speed[f] / count;
    segment.max_speed_m_s = std::max<double>(segment.max_speed_m_s, s.speed[f]);
    segment.turn_rad += s.turn[f] * frame_s;
    segment.hip_height_m += s.hip_height[f] / count;
  }
  segment.hip_height_share = segment.hip_height_m / s.standing_hip_m;
  return segment;
}

}  // namespace

const char* to_string(Action action) {
  constexpr std::array<const char*, kNumActions> kWords{"idle",   "walk", "run", "turn", "jump",
                                                        "crouch", "sit",  "lie", "move"};
  return kWords[index(action)];
}

Result<std::vector<ActionSegment>> segment_actions(const Motion& motion, const SkeletonAnalysis& analysis,
                                                   const SegmentOptions& options) {
  if (!(options.min_duration_s >= 0)) return Error{ErrorCode::kUsage, "segments: min_duration_s must be 0 or more", {}};
  ZOE_TRY_ASSIGN(const ActionSignals signals, anatomy::measure_actions(motion, analysis));
  std::vector<Shares> shares;
  for (std::size_t f = 0; f < static_cast<std::size_t>(motion.num_frames); ++f) shares.push_back(shares_of(signals, f));
  // A part that certainly is another action, of half the least duration, pays for two changes.
  const double price = 0.25 * options.min_duration_s * -std::log(kLeastShare);
  const double frame_s = 1 / motion.fps;
  const std::vector<std::uint8_t> path = cheapest(shares, frame_s, price);
  std::vector<ActionSegment> segments;
  for (std::size_t begin = 0; begin < path.size();) {
    std::size_t end = begin + 1;
    while (end < path.size() && path[end] == path[begin]) ++end;
    segments.push_back(describe(signals, shares, path[begin], begin, end, frame_s));
    begin = end;
  }
  return segments;
}

}  // namespace zoe
