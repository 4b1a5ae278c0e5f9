// SPDX-License-Identifier: MIT
#include "anatomy/retarget_goals.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "anatomy/foot_offsets.h"

namespace zoe::anatomy_detail {
namespace {

constexpr float kNearGround = 0.065F;  // Leg lengths; ContactOptions::height_leave.

constexpr float kMostRoll = 0.2F;  // Leg lengths.

struct Contact {
  std::size_t begin, end;  // One behind the last frame.
};

std::vector<Contact> contacts_of(std::span<const std::uint8_t> touching) {
  std::vector<Contact> contacts;
  for (std::size_t f = 0; f < touching.size(); ++f) {
    if (touching[f] == 0) continue;
    if (f == 0 || touching[f - 1] == 0) contacts.push_back({f, f});
    contacts.back().end = f + 1;
  }
  return contacts;
}

// Offsets between two contacts run from one's to the other's; before the first and after the last
// they stay.
void bridge(std::vector<Vec3>& offsets, std::span<const Contact> contacts) {
  for (std::size_t i = 0; i <= contacts.size() && !contacts.empty(); ++i) {
    const std::size_t begin = i == 0 ? 0 : contacts[i - 1].end;
    const std::size_t end = i == contacts.size() ? offsets.size() : contacts[i].begin;
    const Vec3 to = offsets[i == contacts.size() ? begin - 1 : end],
               from = i == 0 ? to : offsets[begin - 1];
    for (std::size_t k = begin; k < end; ++k) {
      const float t = static_cast<float>(k + 1 - begin) / static_cast<float>(end + 1 - begin);
      offsets[k] = lerp(from, to, smooth_step(t));
    }
  }
}

// Held over every contact, but for what the foot itself moves on (`moved`: [frames] way since the
// frame before): feet that shuffle may follow their hips a little. Between two contacts the track
// itself, bent onto both.
void hold_in_contacts(std::vector<Vec3>& track, std::span<const std::uint8_t> touching,
                      std::span<const float> moved, double fps) {
  constexpr float kFollow = 0.1F;   // Of the foot's own way.
  constexpr double kFirst_s = 1.5;  // Of a long contact, which says where to begin.
  const std::size_t first_frames = static_cast<std::size_t>(std::lround(kFirst_s * fps)) + 1;
  const std::vector<Contact> contacts = contacts_of(touching);
  std::vector<Vec3> offsets(track.size());
  for (const Contact& contact : contacts) {
    const std::size_t count = std::min(contact.end - contact.begin, first_frames);
    Vec3 held{};
    for (std::size_t k = contact.begin; k < contact.begin + count; ++k)
      held += track[k] / static_cast<float>(count);
    for (std::size_t k = contact.begin; k < contact.end; ++k) {
      const Vec3 behind = track[k] - held;
      const float way = length(behind), most = k > contact.begin ? kFollow * moved[k] : 0.0F;
      if (way > 0) held += behind * std::min(1.0F, most / way);
      offsets[k] = held - track[k];
    }
  }
  bridge(offsets, contacts);
  for (std::size_t f = 0; f < track.size(); ++f) track[f] += offsets[f];
}

// [frames] what is added to a foot so that what is down of it moves over the ground as what is down
// of the source's does: a foot of another length rolls about other points. `excess`: [frames] how
// much further it went since the frame before.
std::vector<Vec3> roll_offsets(std::span<const Vec3> excess, std::span<const std::uint8_t> touching,
                               float most) {
  std::vector<Vec3> offsets(excess.size());
  const std::vector<Contact> contacts = contacts_of(touching);
  for (const Contact& contact : contacts) {
    Vec3 sum{}, mean{};
    for (std::size_t k = contact.begin; k < contact.end; ++k) {
      if (k > contact.begin) sum -= excess[k];
      offsets[k] = sum;
      mean += sum / static_cast<float>(contact.end - contact.begin);
    }
    float farthest = 0;
    for (std::size_t k = contact.begin; k < contact.end; ++k)
      farthest = std::max(farthest, length(offsets[k] -= mean));
    if (farthest <= most) continue;
    for (std::size_t k = contact.begin; k < contact.end; ++k) offsets[k] *= most / farthest;
  }
  bridge(offsets, contacts);
  return offsets;
}

// Level length from ankle to ball of a foot that stands flat.
float sole_length(const RetargetBody& body, const BodyLeg& leg) {
  const float foot = distance(body.at(leg.ball), body.at(leg.joints->back())),
              drop = leg.standing_ankle - leg.standing_ball;
  return std::sqrt(std::max(0.0F, foot * foot - drop * drop));
}

}  // namespace

void smooth_over_second(std::vector<Vec3>& track, double fps) {
  const auto half = static_cast<std::ptrdiff_t>(std::lround(0.5 * fps)),
             n = static_cast<std::ptrdiff_t>(track.size());
  std::vector<Vec3d> sums(track.size() + 1);
  for (std::size_t f = 0; f < track.size(); ++f) sums[f + 1] = sums[f] + to_double(track[f]);
  for (std::ptrdiff_t f = 0; f < n; ++f) {
    const std::ptrdiff_t near =
        std::min({half, f, n - 1 - f});  // As far to both sides: ends do not lag.
    const Vec3d sum =
        sums[static_cast<std::size_t>(f + near + 1)] - sums[static_cast<std::size_t>(f - near)];
    track[static_cast<std::size_t>(f)] = to_float(sum / static_cast<double>(2 * near + 1));
  }
}

std::vector<Vec3> foot_headings(std::span<const Vec3> feet, Vec3 up, float drop, float near,
                                double fps) {
  std::vector<Vec3> headings;
  for (const Vec3 foot : feet) {
    const float off = (-dot(foot, up) - drop) / std::max(near, 1e-9F),
                flat = 1 / ((1 + off * off) * (1 + off * off));
    headings.push_back((foot - up * dot(foot, up)) * flat);
  }
  smooth_over_second(headings, fps);
  for (Vec3& heading : headings) heading = normalized(heading);
  return headings;
}

float smooth_step(float t) {
  t = std::clamp(t, 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

float off_the_ground(float height_in_legs) { return smooth_step((height_in_legs - 0.15F) / 0.35F); }

std::vector<Vec3> foot_goals(const ClipPair& clips, std::size_t leg,
                             std::span<const std::uint8_t> touching) {
  const BodyLeg &a = clips.source_body.legs[leg], &b = clips.target_body.legs[leg];
  const Vec3 up = clips.target_body.analysis.up;
  const std::size_t frames = clips.source.num_frames();
  const bool has_ball = a.ball != kNoJoint;
  const float ratio = row_ratio(clips.source_body, clips.target_body, a.row);
  const auto scaled = [&](Vec3 p) {
    return rotate(clips.target_from_source, clips.source_body.level(p)) * clips.scale;
  };
  const int ankle_a = a.joints->back(), ankle_b = b.joints->back();

  // What the level places of hip, ankle and ball differ by between the bodies, and the heights of
  // the hips.
  std::vector<Vec3> limb_shift(frames), ankle_shift(frames), ball_shift(has_ball ? frames : 0);
  std::vector<float> rise(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const Vec3 hip_a = clips.source.at(f, a.joints->front()),
               hip_b = clips.target.at(f, b.joints->front());
    limb_shift[f] = clips.target_body.level(hip_b) - scaled(hip_a);
    rise[f] = clips.target_body.height(hip_b) - b.standing() -
              (clips.source_body.height(hip_a) - a.standing()) * ratio;
  }
  smooth_over_second(limb_shift, clips.fps);
  // Longer soles reach further ahead of the ankle.
  const float longer =
      has_ball ? sole_length(clips.target_body, b) - clips.scale * sole_length(clips.source_body, a)
               : 0.0F;
  std::vector<Vec3> feet(has_ball ? frames : 0);
  for (std::size_t f = 0; f < feet.size(); ++f)
    feet[f] = clips.target.at(f, b.ball) - clips.target.at(f, ankle_b);
  const std::vector<Vec3> ahead = foot_headings(feet, up, b.standing_ankle - b.standing_ball,
                                                kNearGround * b.length, clips.fps);
  std::vector<float> moved(frames, 0);
  for (std::size_t f = 0; f < frames; ++f) {
    ankle_shift[f] = limb_shift[f];
    const int down = b.on_toes ? a.ball : ankle_a;
    if (f > 0) moved[f] = length(scaled(clips.source.at(f, down) - clips.source.at(f - 1, down)));
    if (!has_ball) continue;
    ball_shift[f] = limb_shift[f] + (b.on_toes ? Vec3{} : ahead[f] * longer);
  }
  hold_in_contacts(ankle_shift, touching, moved, clips.fps);
  if (has_ball) hold_in_contacts(ball_shift, touching, moved, clips.fps);

  std::vector<Vec3> goals(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const auto goal = [&](int joint, float standing_a, float standing_b, Vec3 shift) {
      const Vec3 p = clips.source.at(f, joint);
      const float height = clips.source_body.height(p) - standing_a;
      return scaled(p) + shift +
             up * (standing_b + height * ratio + rise[f] * off_the_ground(height / a.length));
    };
    goals[f] = goal(ankle_a, a.standing_ankle, b.standing_ankle, ankle_shift[f]);
    if (!has_ball) continue;
    std::array<float, 2> weights{0, 1};
    const Vec3 foot = feet[f];
    if (!b.on_toes) {
      // Heel up: the ball carries; toes up: the heel does.
      const float heel_up = b.standing_ball - b.standing_ankle - clips.target_body.height(foot);
      carrying_weights(std::array{std::max(heel_up, 0.0F), std::max(-heel_up, 0.0F)},
                       kNearGround * b.length, weights);
    }
    goals[f] = goals[f] * weights[0] +
               (goal(a.ball, a.standing_ball, b.standing_ball, ball_shift[f]) - foot) * weights[1];
  }
  if (!has_ball || b.on_toes) return goals;

  // Ankle and ball in both bodies, level, and how much each carries.
  struct Part {
    Vec3 a, b;
    float weight_a, weight_b;
  };
  std::vector<std::array<Part, 2>> parts(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::array<Vec3, 2> at_a{clips.source.at(f, ankle_a), clips.source.at(f, a.ball)},
        at_b{goals[f], goals[f] + feet[f]};
    const RetargetBody &body_a = clips.source_body, &body_b = clips.target_body;
    std::array<float, 2> wa{}, wb{};
    carrying_weights(std::array{body_a.height(at_a[0]) - a.standing_ankle,
                                body_a.height(at_a[1]) - a.standing_ball},
                     kNearGround * a.length, wa);
    carrying_weights(std::array{body_b.height(at_b[0]) - b.standing_ankle,
                                body_b.height(at_b[1]) - b.standing_ball},
                     kNearGround * b.length, wb);
    for (std::size_t p = 0; p < 2; ++p)
      parts[f][p] = {scaled(at_a[p]), body_b.level(at_b[p]), wa[p], wb[p]};
  }
  std::vector<Vec3> excess(frames);
  for (std::size_t f = 1; f < frames; ++f) {
    for (std::size_t p = 0; p < 2; ++p) {
      const Part &here = parts[f][p], &before = parts[f - 1][p];
      excess[f] += (here.b - before.b) * (0.5F * (here.weight_b + before.weight_b)) -
                   (here.a - before.a) * (0.5F * (here.weight_a + before.weight_a));
    }
  }
  const std::vector<Vec3> offsets = roll_offsets(excess, touching, kMostRoll * b.length);
  for (std::size_t f = 0; f < frames; ++f) goals[f] += offsets[f];
  return goals;
}

std::vector<Vec3> hand_goals(const ClipPair& clips, const LimbMatch& arm,
                             std::optional<float> lowest) {
  const auto length_of = [](const RetargetBody& body, const std::vector<int>& joints) {
    float sum = 0;
    for (std::size_t i = 1; i < joints.size(); ++i)
      sum += distance(body.at(joints[i]), body.at(joints[i - 1]));
    return sum;
  };
  const float a = length_of(clips.source_body, arm.source),
              b = length_of(clips.target_body, arm.target);
  const float ratio = a > 0 ? b / a : 1.0F;
  const Vec3 up = clips.target_body.analysis.up;
  std::vector<Vec3> goals;
  for (std::size_t f = 0; f < clips.source.num_frames(); ++f) {
    const Vec3 hand =
        clips.source.at(f, arm.source.back()) - clips.source.at(f, arm.source.front());
    Vec3 goal =
        clips.target.at(f, arm.target.front()) + rotate(clips.target_from_source, hand) * ratio;
    if (lowest) goal += up * std::max(0.0F, *lowest - dot(goal, up));
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace zoe::anatomy_detail
