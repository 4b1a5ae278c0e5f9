// SPDX-License-Identifier: MIT
#include "retarget/stands.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/standing.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::retarget_detail {
namespace {

// In Froude speeds √(g L): 0.2 and 0.36 m/s for legs of 0.9 m. Feet in contact in captures move at 0.02 to 0.1 m/s.
constexpr double kEnter = 0.07, kLeave = 0.12, kGravity = 9.81;
constexpr double kSpan_s = 0.04;  // Time span of the speed: captures jitter between frames.
constexpr double kLeast_s = 0.1;

constexpr float kFlat = 0.02F;  // Leg lengths: distance from the flat position.

// √(g L), in the motion's unit per second.
double froude_speed(float leg_length, double metres_per_unit) {
  return std::sqrt(kGravity * leg_length * metres_per_unit) / metres_per_unit;
}

// Over kSpan_s around a frame, in the motion's unit per second. At least two frames.
double speed_at(std::span<const Vec3> track, std::size_t frame, double fps) {
  const auto half = static_cast<std::size_t>(std::max(1L, std::lround(0.5 * kSpan_s * fps)));
  const std::size_t before = frame > half ? frame - half : 0, after = std::min(track.size() - 1, frame + half);
  return distance(track[before], track[after]) * fps / static_cast<double>(after - before);
}

}  // namespace

std::vector<std::uint8_t> find_stands(std::span<const std::vector<Vec3>> parts, float leg_length,
                                      double metres_per_unit, double fps) {
  const std::size_t n = parts.empty() ? 0 : parts[0].size();
  std::vector<std::uint8_t> stands(n, 0);
  if (n < 2 || !(leg_length * metres_per_unit > 0)) return stands;
  const double unit = froude_speed(leg_length, metres_per_unit);
  bool stood = false;
  for (std::size_t f = 0; f < n; ++f) {
    double slowest = 1e30;
    for (const auto& part : parts) slowest = std::min(slowest, speed_at(part, f, fps));
    stood = slowest < (stood ? kLeave : kEnter) * unit;
    stands[f] = stood ? 1 : 0;
  }
  const auto least = static_cast<std::size_t>(std::lround(kLeast_s * fps));
  for (std::size_t begin = 0, end = 0; begin < n; begin = end + 1) {
    for (end = begin; end < n && stands[end] != 0; ++end) {
    }
    const bool inside = begin > 0 && end < n;  // A clip may begin or end in the middle.
    if (inside && end - begin < least)
      std::fill(stands.begin() + static_cast<long>(begin), stands.begin() + static_cast<long>(end), 0);
  }
  return stands;
}

std::vector<std::uint8_t> find_flat(std::span<const Vec3> ankles, std::span<const Vec3> balls,
                                    std::span<const std::uint8_t> stands, Vec3 up, float leg_length,
                                    double metres_per_unit, double fps) {
  constexpr long kFew = 3;
  const std::size_t n = ankles.size();
  std::vector<std::uint8_t> flat(stands.begin(), stands.end());
  if (n < 2 || !(leg_length * metres_per_unit > 0)) return flat;
  const double limit = kEnter * froude_speed(leg_length, metres_per_unit);
  for (std::size_t f = 0; f < n; ++f)
    flat[f] = stands[f] != 0 && speed_at(ankles, f, fps) < limit && speed_at(balls, f, fps) < limit;
  if (std::ranges::count(flat, 1) < kFew) flat.assign(stands.begin(), stands.end());
  const float low = anatomy::standing_height(ankles, flat, up, 0), near = kFlat * leg_length;
  std::vector<float> drops;
  for (std::size_t f = 0; f < n; ++f) {
    if (flat[f] == 0) continue;
    flat[f] = std::abs(dot(ankles[f], up) - low) <= near ? 1 : 0;
    if (flat[f] != 0) drops.push_back(dot(ankles[f] - balls[f], up));
  }
  if (drops.empty()) return flat;
  const auto middle = drops.begin() + static_cast<long>(drops.size() / 2);
  std::ranges::nth_element(drops, middle);
  for (std::size_t f = 0; f < n; ++f)
    if (flat[f] != 0 && std::abs(dot(ankles[f] - balls[f], up) - *middle) > near) flat[f] = 0;
  return flat;
}

std::vector<std::uint8_t> upright_frames(const Motion& motion, const SkeletonAnalysis& body, int ankle,
                                         float leg_length) {
  constexpr float kTrunk = 0.7F, kLeg = 0.6F;
  std::vector<std::uint8_t> upright(idx(motion.num_frames), 1);
  if (body.family != BodyFamily::kBiped || body.head == kNoJoint || body.hips == kNoJoint) return upright;
  const int joints[] = {body.hips, body.head, ankle};
  const std::vector<Vec3> tracks = model_positions(motion, joints);
  for (std::size_t f = 0; f < upright.size(); ++f) {
    const Vec3 trunk = tracks[3 * f + 1] - tracks[3 * f], leg = tracks[3 * f] - tracks[3 * f + 2];
    upright[f] = dot(trunk, body.up) > kTrunk * length(trunk) && dot(leg, body.up) > kLeg * leg_length ? 1 : 0;
  }
  return upright;
}

Stands::Stands(const Motion& motion, const SkeletonAnalysis& body) : feet_(body.feet) {
  const std::vector<std::vector<int>> parts = foot_parts(body);
  Result<Contacts> contacts = Error{};
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    float leg_length = 0;
    for (const Limb& limb : body.limbs) {
      const auto end = std::ranges::find(limb.joints, feet_[i]);
      for (auto j = limb.joints.begin(); end != limb.joints.end() && j != end; ++j)
        leg_length += distance(body.reference_positions[idx(*j)], body.reference_positions[idx(*(j + 1))]);
    }
    std::vector<std::vector<Vec3>> tracks;
    for (std::size_t p = 0; p < std::min<std::size_t>(2, parts[i].size()); ++p)
      tracks.push_back(model_positions(motion, {&parts[i][p], 1}));
    columns_.push_back(find_stands(tracks, leg_length, body.metres_per_unit, motion.fps));
    if (motion.num_frames == 0 || std::ranges::find(columns_.back(), 1) != columns_.back().end()) continue;
    if (!contacts) contacts = find_foot_contacts(motion, body);
    for (int f = 0; contacts && f < motion.num_frames; ++f)
      columns_.back()[idx(f)] = contacts->at(f, static_cast<int>(i)) ? 1 : 0;
  }
  columns_.emplace_back(idx(motion.num_frames), 0);
}

const std::vector<std::uint8_t>& Stands::of(int foot) const {
  const auto at = std::ranges::find(feet_, foot) - feet_.begin();
  return columns_[static_cast<std::size_t>(at)];
}

}  // namespace zoe::retarget_detail
