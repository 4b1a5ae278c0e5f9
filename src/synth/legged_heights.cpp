// SPDX-License-Identifier: MIT
// Part of Zoetrope. Height of the centre of mass for gaits with moments of flight.
#include <algorithm>

#include "synth/legged.h"

namespace zoe::synth {

// Free fall while no foot is in contact. Between flights a quintic continues position, speed and acceleration, so that
// the force on the feet grows from zero and returns to zero. Jumps stand still between landing and push.
void LeggedAnimator::plan_heights() {
  std::vector<std::pair<double, double>> loads, flights;
  for (const auto& stances : falls_.stances) {
    for (const Stance& s : stances) loads.emplace_back(s.down_s, s.up_s);
  }
  std::sort(loads.begin(), loads.end());
  double until = loads.front().second;
  for (const auto& [down, up] : loads) {
    if (down > until + 1e-3) flights.emplace_back(until, down);
    until = std::max(until, up);
  }
  struct Node {
    double t;
    Motion1 is;
    enum class Then { kFall, kPush, kStand } then;
  };
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < flights.size(); ++i) {
    const auto [from, to] = flights[i];
    const auto span = static_cast<float>(to - from);
    const float y0 = standing_height(from), y1 = standing_height(to), v0 = (y1 - y0) / span + 0.5F * kGravity * span;
    const Jump* jump = i < actions_.jumps.size() ? &actions_.jumps[i] : nullptr;
    if (jump != nullptr) nodes.push_back({jump->push_s, {standing_height(jump->push_s), 0, 0}, Node::Then::kPush});
    nodes.push_back({from, {y0, v0, -kGravity}, Node::Then::kFall});
    nodes.push_back({to, {y1, v0 - kGravity * span, -kGravity}, Node::Then::kPush});
    if (jump != nullptr) nodes.push_back({jump->end_s, {standing_height(jump->end_s), 0, 0}, Node::Then::kStand});
  }
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const double t = time_of(static_cast<int>(f) - pad_);
    const auto next =
        std::upper_bound(nodes.begin(), nodes.end(), t, [](double time, const Node& n) { return time < n.t; });
    float& height = frames_[f].height_m;
    if (next == nodes.begin() || next == nodes.end() || (next - 1)->then == Node::Then::kStand) {
      height = standing_height(t);
      continue;
    }
    const Node &a = *(next - 1), &b = *next;
    const auto x = static_cast<float>(t - a.t), span = static_cast<float>(b.t - a.t);
    height = a.then == Node::Then::kFall ? a.is.place + a.is.speed * x - 0.5F * kGravity * x * x
                                         : quintic(a.is, b.is, span, x / span);
  }
}

}  // namespace zoe::synth
