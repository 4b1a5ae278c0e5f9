// SPDX-License-Identifier: MIT
#include "certify/sabotage_limbs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/random.h"

#include "certify/angle.h"
#include "certify/sides.h"

namespace zoe::certify {
namespace {

Quat shortest_turn(Vec3 from, Vec3 to) {
  const Vec3 a = normalized(from), b = normalized(to);
  const Vec3 axis = cross(a, b);
  return normalized(Quat{axis.x, axis.y, axis.z, 1 + dot(a, b)});
}

double rms_deg(const Motion& a, const Motion& b, const std::vector<int>& joints, const std::vector<int>& of_b, int f) {
  double sum = 0;
  const std::size_t row = idx(f) * idx(a.num_joints());
  for (std::size_t i = 0; i < joints.size(); ++i)
    sum += std::pow(
        static_cast<double>(angle_between(a.rotations[row + idx(joints[i])], b.rotations[row + idx(of_b[i])])), 2);
  return kDegrees * std::sqrt(sum / static_cast<double>(joints.size()));
}

}  // namespace

double bend_deg(const ClipTrack& track, const Hinge& hinge, int frame) {
  const Vec3 upper = track.at(frame, hinge.middle) - track.at(frame, hinge.upper);
  const Vec3 lower = track.at(frame, hinge.end) - track.at(frame, hinge.middle);
  return angle_deg(upper, lower);
}

void flip_hinge(Motion& motion, const ClipTrack& track, const Hinge& hinge, int frame, bool about_line) {
  const Vec3 upper = track.at(frame, hinge.upper), middle = track.at(frame, hinge.middle),
             end = track.at(frame, hinge.end);
  const Vec3 along = normalized(end - upper);
  const Vec3 offset = (middle - upper) - along * dot(middle - upper, along);
  const Vec3 flipped = middle - offset * 2.0F;
  const Quat half_turn = from_axis_angle(along, std::numbers::pi_v<float>);
  const Quat upper_turn = about_line ? half_turn : shortest_turn(middle - upper, flipped - upper);
  const Quat lower_turn = about_line ? half_turn : shortest_turn(end - middle, end - flipped);
  const Skeleton& skeleton = track.skeleton();
  // Rotation of the parent after what happened above it.
  const auto set = [&](int joint, Quat parent_turn, Quat own_turn) {
    const int parent = skeleton.parent(joint);
    const Quat above = parent == kNoJoint ? Quat{} : parent_turn * track.model(frame, parent);
    motion.rotations[idx(frame) * idx(track.joints) + idx(joint)] =
        normalized(conjugate(above) * own_turn * track.model(frame, joint));
  };
  set(hinge.upper, {}, upper_turn);
  set(hinge.middle, upper_turn, lower_turn);
  set(hinge.end, lower_turn, {});
}

std::optional<Sabotaged> sabotage_hinge(const Motion& motion, const ClipTrack& track, bool leg, std::uint64_t seed,
                                        const SabotageSizes& sizes) {
  std::vector<Hinge> hinges;
  for (const Hinge& hinge : find_hinges(track.skeleton(), *track.body))
    if (hinge.is_leg == leg) hinges.push_back(hinge);
  if (hinges.empty()) return std::nullopt;
  Random(seed).shuffle(hinges);
  for (const Hinge& hinge : hinges) {
    int best = 0;
    for (int f = 0; f < track.frames; ++f)
      if (bend_deg(track, hinge, f) > bend_deg(track, hinge, best)) best = f;
    if (bend_deg(track, hinge, best) < sizes.least_bend_deg) continue;
    Sabotaged out{motion, 0, 0, hinge.middle};
    const int half = track.frames_of(0.2, 2);
    // Where the limb is nearly straight nothing would be seen.
    const auto is_bent = [&](int f) { return bend_deg(track, hinge, f) > sizes.least_bend_deg - 10; };
    out.first_frame = out.last_frame = best;
    while (out.first_frame > std::max(0, best - half) && is_bent(out.first_frame - 1)) --out.first_frame;
    while (out.last_frame < std::min(track.frames - 1, best + half) && is_bent(out.last_frame + 1)) ++out.last_frame;
    for (int f = out.first_frame; f <= out.last_frame; ++f) flip_hinge(out.motion, track, hinge, f, !leg);
    make_continuous(out.motion);
    return out;
  }
  return std::nullopt;
}

std::optional<Sabotaged> sabotage_sides(const Motion& motion, const ClipTrack& track, std::uint64_t seed,
                                        const SabotageSizes& sizes) {
  const std::optional<Sides> sides = find_sides(motion, *track.body);
  if (!sides) return std::nullopt;
  // Every second clip has swapped labels, the others a mirror of a part.
  const bool raw = seed % 2 == 1;
  const Motion& other = raw ? motion : sides->mirrored;
  const std::vector<int>& from = raw ? sides->partners : sides->joints;
  std::vector<std::pair<double, int>> asymmetries;
  for (int f = 3; f + 3 < track.frames; ++f)
    asymmetries.emplace_back(rms_deg(motion, other, sides->joints, from, f), f);
  std::ranges::sort(asymmetries, [](const auto& x, const auto& y) { return x.first > y.first; });
  if (asymmetries.empty() || asymmetries.front().first < sizes.least_asymmetry_deg) return std::nullopt;
  // Any frame of the clearest third.
  std::vector<int> clear;
  for (std::size_t i = 0; i < (asymmetries.size() + 2) / 3; ++i)
    if (asymmetries[i].first >= sizes.least_asymmetry_deg) clear.push_back(asymmetries[i].second);
  std::ranges::sort(clear);
  Random random(seed);
  const int first = clear[random.below(clear.size())];
  const int wanted = first + track.frames_of(0.5, 4);
  int last = first;
  for (const int f : clear)
    if (f > first + 3 && (last == first || std::abs(f - wanted) < std::abs(last - wanted))) last = f;
  if (last == first) last = track.frames - 1;  // To the end.
  Sabotaged out{motion, first, last, kNoJoint};
  for (int f = first; f <= last; ++f) {
    const std::size_t row = idx(f) * idx(track.joints);
    for (std::size_t i = 0; i < sides->joints.size(); ++i)
      out.motion.rotations[row + idx(sides->joints[i])] = other.rotations[row + idx(from[i])];
  }
  make_continuous(out.motion);
  return out;
}

}  // namespace zoe::certify
