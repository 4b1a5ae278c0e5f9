// SPDX-License-Identifier: MIT
#include "retarget/goals.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/anatomy/smooth_track.h"
#include "zoe/anatomy/standing.h"
#include "zoe/math/smooth_step.h"

#include "retarget/shift.h"

namespace zoe::retarget_detail {
namespace {

constexpr float kNearGround = 0.065F;  // Leg lengths; ContactOptions::height_leave.
// Sine of the pitch at which a foot is carried by its ball or heel alone. It is a pitch, not a height, so that long and
// short feet are treated alike on the way there and back.
constexpr float kPitched = 0.25F;
// Leg lengths of the lower part above its contact height: below the first a foot is placed by the part that carries it,
// above the second by its ankle.
constexpr float kLow = 0.02F, kHigh = 0.12F;
constexpr float kClear = 0.35F;  // The same, above which long hanging toes are clear of the ground.

// Horizontal length from ankle to ball of a flat foot.
float sole_length(const RetargetBody& body, const BodyLeg& leg) {
  const float foot = distance(body.at(leg.ball), body.at(leg.joints->back())),
              drop = leg.standing_ankle - leg.standing_ball;
  return std::sqrt(std::max(0.0F, foot * foot - drop * drop));
}

// One foot over a clip.
class FootPlacer {
 public:
  FootPlacer(const ClipPair& clips, std::size_t leg)
      : clips_(clips),
        from_(clips.source_body),
        to_(clips.target_body),
        a_(from_.legs[leg]),
        b_(to_.legs[leg]),
        has_ball_(a_.ball != kNoJoint),
        ratio_(row_ratio(from_, to_, a_.row)),
        hip_ratio_(height_ratio(clips.match, from_, to_, a_.row)) {
    const std::size_t frames = clips.source.num_frames();
    feet_.resize(frames);
    for (std::size_t f = 0; has_ball_ && f < frames; ++f)
      feet_[f] = clips.target.at(f, b_.ball) - clips.target.at(f, b_.joints->back());
    ahead_ =
        foot_headings(feet_, to_.analysis.up, b_.standing_ankle - b_.standing_ball, kNearGround * b_.length, clips.fps);
    if (has_ball_ && !b_.on_toes) longer_ = sole_length(to_, b_) - clips.scale * sole_length(from_, a_);
  }

  std::vector<Vec3> run(std::span<const std::uint8_t> stands) {
    const std::size_t frames = feet_.size();
    FootShift shift{std::vector<Vec3>(frames), std::vector<Vec3>(frames), {}};
    std::vector<float> ways(frames);
    std::vector<Vec3> goals(frames);
    std::array<Part, 2> before{};
    for (std::size_t f = 0; f < frames; ++f) {
      const SourceFoot source = source_foot(f);
      const std::array<float, 2> carrying = carrying_of(f);
      shift.wanted[f] = wanted_shift(f, source, carrying[1], stands[f] != 0);
      const float height = ankle_height(f, source, carrying[1]);
      goals[f] = scaled(source.at[0]) + to_.analysis.up * height;
      const std::array<Part, 2> here = parts(f, source, height);
      if (f > 0) {
        const Vec3 way = way_of(before, here, &Part::a, &Part::weight_a);
        shift.excess[f] = way_of(before, here, &Part::b, &Part::weight_b) - scaled(way);
        ways[f] = length(way) / a_.length;
      }
      before = here;
    }
    shift.hold = hold_prices(ways, stands, clips_.fps);
    const std::vector<Vec3> shifts = solve_shift(shift);
    for (std::size_t f = 0; f < frames; ++f) goals[f] += shifts[f];
    return goals;
  }

 private:
  // Ankle and ball of the source, their heights above their contact heights, and the lower one's in leg lengths.
  struct SourceFoot {
    std::array<Vec3, 2> at{};
    std::array<float, 2> above{};
    float lowest = 0;
  };
  // Ankle or ball in both bodies, the target's without its offset, and how much it carries.
  struct Part {
    Vec3 a, b;
    float weight_a = 0, weight_b = 0;
  };

  Vec3 scaled(Vec3 p) const { return rotate(clips_.target_from_source, from_.level(p)) * clips_.scale; }

  SourceFoot source_foot(std::size_t f) const {
    SourceFoot foot;
    foot.at[0] = clips_.source.at(f, a_.joints->back());
    foot.above[0] = from_.height(foot.at[0]) - a_.standing_ankle;
    foot.lowest = foot.above[0] / a_.length;
    if (!has_ball_) return foot;
    foot.at[1] = clips_.source.at(f, a_.ball);
    foot.above[1] = from_.height(foot.at[1]) - a_.standing_ball;
    foot.lowest = std::min(foot.lowest, foot.above[1] / a_.length);
    return foot;
  }

  // Heel up: the ball carries. Toes up: the heel carries.
  std::array<float, 2> carrying_of(std::size_t f) const {
    if (!has_ball_) return {1, 0};
    if (b_.on_toes) return {0, 1};
    std::array<float, 2> weights{};
    const float heel_up = b_.standing_ball - b_.standing_ankle - to_.height(feet_[f]);
    anatomy::carrying_weights(std::array{std::max(heel_up, 0.0F), std::max(-heel_up, 0.0F)},
                              kPitched * length(feet_[f]), weights);
    return weights;
  }

  // Difference of hips, of soles and, off the ground, of the heights of hips.
  Vec3 wanted_shift(std::size_t f, const SourceFoot& source, float on_ball, bool stands) const {
    const Vec3 hip_a = clips_.source.at(f, a_.joints->front()), hip_b = clips_.target.at(f, b_.joints->front());
    const float rise = to_.height(hip_b) - b_.standing() - (from_.height(hip_a) - a_.standing()) * hip_ratio_;
    const float off = off_the_ground(source.lowest, stands ? 0.0F : rise / b_.length);
    Vec3 shift = to_.level(hip_b) - scaled(hip_a) + to_.analysis.up * (rise * off);
    if (!has_ball_) return shift;
    const float near = b_.on_toes ? 1.0F : near_the_ground(source.lowest);
    return shift + (ahead_[f] * longer_ - to_.level(feet_[f]) + scaled(source.at[1] - source.at[0])) * (on_ball * near);
  }

  // As high above the ground, in leg lengths, as the part that carries.
  float ankle_height(std::size_t f, const SourceFoot& source, float on_ball) const {
    const float height = b_.standing_ankle + source.above[0] * ratio_;
    if (!has_ball_) return height;
    const float ball = b_.standing_ball + source.above[1] * ratio_;
    const float low = b_.on_toes ? 1.0F : 1 - smooth_step(source.lowest / kClear);
    return height + (ball - to_.height(feet_[f]) - height) * (on_ball * low);
  }

  std::array<Part, 2> parts(std::size_t f, const SourceFoot& source, float height) const {
    std::array<float, 2> wa = carrying_of(f), wb = wa;
    if (has_ball_ && !b_.on_toes) {
      anatomy::carrying_weights(source.above, kNearGround * a_.length, wa);
      anatomy::carrying_weights(
          std::array{height - b_.standing_ankle, height + to_.height(feet_[f]) - b_.standing_ball},
          kNearGround * b_.length, wb);
    }
    const Vec3 ankle = scaled(source.at[0]);
    return {Part{source.at[0], ankle, wa[0], wb[0]}, Part{source.at[1], ankle + to_.level(feet_[f]), wa[1], wb[1]}};
  }

  // Displacement of the carrying part between frames.
  static Vec3 way_of(const std::array<Part, 2>& before, const std::array<Part, 2>& here, Vec3 Part::*at,
                     float Part::*weight) {
    Vec3 way{};
    for (std::size_t p = 0; p < 2; ++p)
      way += (here[p].*at - before[p].*at) * (0.5F * (here[p].*weight + before[p].*weight));
    return way;
  }

  const ClipPair& clips_;
  const RetargetBody &from_, &to_;
  const BodyLeg &a_, &b_;
  bool has_ball_;
  float ratio_, hip_ratio_;         // Of lengths, and of the heights of hips.
  float longer_ = 0;                // Longer soles reach further ahead of the ankle.
  std::vector<Vec3> feet_, ahead_;  // [frames] from ankle to ball; horizontal, as it points when flat.
};

}  // namespace

std::vector<Vec3> foot_headings(std::span<const Vec3> feet, Vec3 up, float drop, float near, double fps) {
  std::vector<Vec3> headings;
  for (const Vec3 foot : feet) {
    const float off = (-dot(foot, up) - drop) / std::max(near, 1e-9F), flat = 1 / ((1 + off * off) * (1 + off * off));
    headings.push_back((foot - up * dot(foot, up)) * flat);
  }
  anatomy::smooth_track(headings, std::lround(0.5 * fps));
  for (Vec3& heading : headings) heading = normalized(heading);
  return headings;
}

float near_the_ground(float height_in_legs) { return 1 - smooth_step((height_in_legs - kLow) / (kHigh - kLow)); }

float off_the_ground(float height_in_legs, float rise_in_legs) {
  return std::max(smooth_step((height_in_legs - 0.15F) / 0.35F), smooth_step((rise_in_legs - 0.15F) / 0.35F));
}

std::vector<Vec3> foot_goals(const ClipPair& clips, std::size_t leg, std::span<const std::uint8_t> stands) {
  return FootPlacer(clips, leg).run(stands);
}

std::vector<Vec3> hand_goals(const ClipPair& clips, const LimbMatch& arm, std::optional<float> lowest) {
  const auto length_of = [](const RetargetBody& body, const std::vector<int>& joints) {
    float sum = 0;
    for (std::size_t i = 1; i < joints.size(); ++i) sum += distance(body.at(joints[i]), body.at(joints[i - 1]));
    return sum;
  };
  const float a = length_of(clips.source_body, arm.source), b = length_of(clips.target_body, arm.target);
  const float ratio = a > 0 ? b / a : 1.0F;
  const Vec3 up = clips.target_body.analysis.up;
  std::vector<Vec3> goals;
  for (std::size_t f = 0; f < clips.source.num_frames(); ++f) {
    const Vec3 hand = clips.source.at(f, arm.source.back()) - clips.source.at(f, arm.source.front());
    Vec3 goal = clips.target.at(f, arm.target.front()) + rotate(clips.target_from_source, hand) * ratio;
    if (lowest) goal += up * std::max(0.0F, *lowest - dot(goal, up));
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace zoe::retarget_detail
