// SPDX-License-Identifier: MIT
#include "zoe/eval/damage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/math/filter.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/sample.h"

#include "eval/body_parts.h"

namespace zoe::eval {
namespace {

constexpr std::array<const char*, kNumDamages> kNames{"jitter", "noise", "foot_skate", "freeze",
                                                      "smooth", "slow",  "reverse",    "swap"};
constexpr std::array<Damage, kNumDamages> kAll{Damage::kJitter, Damage::kNoise, Damage::kFootSkate, Damage::kFreeze,
                                               Damage::kSmooth, Damage::kSlow,  Damage::kReverse,   Damage::kSwap};

// Rows of normal numbers of deviation 1, [frames × columns], below cutoff_hz (0: white).
std::vector<float> noise_rows(std::size_t frames, std::size_t columns, double cutoff_hz, double fps, Random random) {
  std::vector<float> rows(frames * columns);
  for (float& value : rows) value = static_cast<float>(random.normal());
  if (!(cutoff_hz > 0) || cutoff_hz >= fps / 2) return rows;
  for (std::size_t c = 0; c < columns; ++c) {
    low_pass_zero_phase(std::span(rows).subspan(c), cutoff_hz, fps, columns);
    double squares = 0;
    for (std::size_t f = 0; f < frames; ++f) squares += std::pow(static_cast<double>(rows[f * columns + c]), 2);
    const auto scale = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(frames) + 1e-12));
    for (std::size_t f = 0; f < frames; ++f) rows[f * columns + c] *= scale;
  }
  return rows;
}

void turn_joints(Motion& motion, double deviation_deg, double cutoff_hz, Random random) {
  const std::size_t frames = idx(motion.num_frames), joints = idx(motion.num_joints());
  const std::vector<float> rows = noise_rows(frames, joints * 3, cutoff_hz, motion.fps, random);
  const auto scale = static_cast<float>(deviation_deg * std::numbers::pi / 180);
  for (std::size_t i = 0; i < frames * joints; ++i) {
    const Vec3 turn = Vec3{rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]} * scale;
    const float angle = length(turn);
    if (angle > 1e-9F) motion.rotations[i] = normalized(motion.rotations[i] * from_axis_angle(turn / angle, angle));
  }
  make_continuous(motion);
}

void glide(Motion& motion, float speed, Random random) {
  const std::size_t frames = idx(motion.num_frames), joints = idx(motion.num_joints());
  const std::vector<float> rows = noise_rows(frames, 2, 1.0, motion.fps, random);
  Vec3 offset{};
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      if (motion.skeleton->parent(static_cast<int>(j)) == kNoJoint) motion.translations[f * joints + j] += offset;
    }
    offset += Vec3{rows[2 * f], 0, rows[2 * f + 1]} * (speed / static_cast<float>(motion.fps));
  }
}

// The frame whose pose each frame takes.
std::vector<std::size_t> frozen_frames(std::size_t frames, double share, double fps, Random random) {
  std::vector<std::size_t> from(frames);
  for (std::size_t f = 0; f < frames;) {
    const auto block =
        static_cast<std::size_t>(std::max(2.0, fps * (0.3 + 0.5 * static_cast<double>(random.uniform()))));
    const auto still = static_cast<std::size_t>(share * static_cast<double>(block));
    for (std::size_t i = 0; i < block && f + i < frames; ++i) from[f + i] = f + (i < still ? 0 : i);
    f += block;
  }
  return from;
}

Motion with_frames(const Motion& motion, const std::vector<std::size_t>& from) {
  Motion out = motion;
  const std::size_t joints = idx(motion.num_joints());
  for (std::size_t f = 0; f < from.size(); ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      out.translations[f * joints + j] = motion.translations[from[f] * joints + j];
      out.rotations[f * joints + j] = motion.rotations[from[f] * joints + j];
    }
  }
  return out;
}

void smooth(Motion& motion, double cutoff_hz) {
  const std::size_t joints = idx(motion.num_joints());
  auto* numbers = &motion.rotations[0].x;
  const std::span<float> all(numbers, motion.rotations.size() * 4);
  for (std::size_t c = 0; c < 4 * joints; ++c) low_pass_zero_phase(all.subspan(c), cutoff_hz, motion.fps, 4 * joints);
  for (Quat& q : motion.rotations) q = normalized(q);
}

Motion slowed(const Motion& motion, double rate) {
  Motion longer = motion;
  longer.fps = motion.fps * rate;
  Result<Motion> out = resample(longer, motion.fps);
  return out ? std::move(*out) : motion;
}

// Arms, wings, fins and tail play what they did `late_s` before.
Motion late_limbs(const Motion& motion, const SkeletonAnalysis& analysis, double late_s) {
  const BodyParts body = find_body_parts(*motion.skeleton, analysis);
  Motion out = motion;
  const std::size_t joints = idx(motion.num_joints());
  const auto frames = static_cast<std::ptrdiff_t>(motion.num_frames);
  const auto late = static_cast<std::ptrdiff_t>(std::lround(late_s * motion.fps));
  // A body of legs alone gets every second pair late.
  const bool has_others = body.shares[static_cast<std::size_t>(Part::kArms)] > 0;
  std::vector<std::uint8_t> is_late(joints, 0);
  for (std::size_t j = 0; j < joints; ++j) is_late[j] = has_others && body.part_of[j] == Part::kArms ? 1 : 0;
  for (std::size_t l = 0; l < analysis.limbs.size() && !has_others; l += 2) {
    for (const int j : analysis.limbs[l].joints) is_late[idx(j)] = 1;
  }
  if (!has_others && analysis.limbs.empty()) {  // Snakes and worms: the hind half.
    for (std::size_t j = joints / 2; j < joints; ++j) is_late[j] = 1;
  }
  for (std::ptrdiff_t f = 0; f < frames; ++f) {
    const auto from = static_cast<std::size_t>(((f - late) % frames + frames) % frames);
    for (std::size_t j = 0; j < joints; ++j) {
      if (is_late[j] != 0)
        out.rotations[static_cast<std::size_t>(f) * joints + j] = motion.rotations[from * joints + j];
    }
  }
  make_continuous(out);
  return out;
}

}  // namespace

const char* to_string(Damage damage) { return kNames[static_cast<std::size_t>(damage)]; }
std::span<const Damage> damages() { return kAll; }

Motion damaged(const Motion& motion, const SkeletonAnalysis& analysis, Damage damage, double level,
               std::uint64_t seed) {
  ZOE_CHECK(motion.num_frames >= 2 && level >= 0 && level <= 1, "damaged(): two frames, and a level of 0 to 1");
  if (level == 0) return motion;
  const Random random = Random(seed).split(static_cast<std::uint64_t>(damage));
  Motion out = motion;
  switch (damage) {
    case Damage::kJitter:
      turn_joints(out, 4 * level, 0, random);
      return out;
    case Damage::kNoise:
      turn_joints(out, 25 * level, 2, random);
      return out;
    case Damage::kFootSkate:
      glide(out, static_cast<float>(0.4 * level) * find_body_parts(*motion.skeleton, analysis).length, random);
      return out;
    case Damage::kFreeze:
      return with_frames(motion, frozen_frames(idx(motion.num_frames), 0.8 * level, motion.fps, random));
    case Damage::kSmooth:
      smooth(out, 6 * std::pow(0.1, level));
      return out;
    case Damage::kSlow:
      return slowed(motion, 1 - 0.7 * level);
    case Damage::kReverse:
      return reverse(motion);
    case Damage::kSwap:
      return late_limbs(motion, analysis, 0.5 * level);
  }
  return out;
}

}  // namespace zoe::eval
