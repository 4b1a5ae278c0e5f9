// SPDX-License-Identifier: MIT
#include "zoe/style/procedural.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "style/mood.h"

namespace zoe::style {
namespace {

using Pose21 = std::array<Quat, kNumRoles>;

Quat turned(Vec3 axis, float angle) { return from_axis_angle(axis, angle); }
constexpr Vec3 kLeftward{1, 0, 0}, kUp{0, 1, 0}, kForward{0, 0, 1};

// Each number's distance from what changes nothing times factor().
template <class Factor>
ProceduralStyle with_factors(const ProceduralStyle& style, const Factor& factor) {
  ProceduralStyle out = style;
  for (float* value : {&out.spine_pitch, &out.head_pitch, &out.arm_out, &out.elbow, &out.shrug, &out.crouch, &out.sway,
                       &out.sharpness, &out.tremble, &out.stomp, &out.arm_forward, &out.stance})
    *value *= factor();
  out.arm_swing = std::max(0.0F, 1 + (style.arm_swing - 1) * factor());
  out.leg_swing = std::max(0.2F, 1 + (style.leg_swing - 1) * factor());
  return out;
}

// One performer's numbers.
ProceduralStyle performed(const ProceduralStyle& style, Random random) {
  constexpr float kSpread = 0.25F;
  return with_factors(style,
                      [&] { return 1 + kSpread * std::clamp(static_cast<float>(random.normal()), -2.0F, 2.0F); });
}

bool is_arm(int role) { return role >= kLeftShoulder && role < kLeftUpperLeg; }

std::vector<Pose21> poses_of(std::span<const float> rows) {
  std::vector<Pose21> poses(rows.size() / kNumColumns);
  for (std::size_t f = 0; f < poses.size(); ++f)
    for (int role = 0; role < kNumRoles; ++role) {
      poses[f][idx(role)] = rotation_of(rows.subspan(f * kNumColumns, kNumColumns), role);
      if (f > 0) poses[f][idx(role)] = nearest_to(poses[f - 1][idx(role)], poses[f][idx(role)]);
    }
  return poses;
}

Quat mean_of(std::span<const Pose21> poses, std::size_t role) {
  Quat sum{0, 0, 0, 0};
  for (const Pose21& pose : poses) {
    const Quat q = nearest_to(poses[0][role], pose[role]);
    sum = Quat{sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  return normalized(sum);
}

// From `middle` to q and `factor` times as far.
Quat exaggerated(Quat middle, Quat q, float factor) {
  const Vec3 turn = to_rotation_vector(normalized(conjugate(middle) * nearest_to(middle, q)));
  return normalized(middle * from_rotation_vector(turn * factor));
}

// Follows the poses with a half-life; causal, and the same for every number of frames before.
void smooth(std::vector<Pose21>& poses, double half_life_s) {
  const auto rate = static_cast<float>(1 - std::exp2(-1 / (kRowsPerSecond * half_life_s)));
  for (std::size_t f = 1; f < poses.size(); ++f)
    for (std::size_t role = 0; role < kNumRoles; ++role)
      poses[f][role] = slerp(poses[f - 1][role], nearest_to(poses[f - 1][role], poses[f][role]), rate);
}

// What a moment has besides its pose.
struct Moment {
  float strength = 1;  // Of the style.
  float side = 0;      // -1: the right foot carries, 1: the left one; smooth.
  float noise = 0;
};

void change_pose(const ProceduralStyle& s, const Moment& m, Pose21& pose) {
  const float k = m.strength;
  const auto before = [&](int role, Quat by) { pose[idx(role)] = normalized(by * pose[idx(role)]); };
  const float roll = k * (s.sway * m.side);
  for (const int role : {kSpine, kChest}) before(role, turned(kLeftward, 0.5F * k * s.spine_pitch));
  before(kSpine, turned(kForward, roll));
  for (const int role : {kNeck, kHead})
    before(role, turned(kLeftward, 0.5F * (k * s.head_pitch + s.tremble * m.noise)));
  before(kHips, turned(kForward, -k * s.stomp * m.side));
  for (const float side : {1.0F, -1.0F}) {
    const int shoulder = side > 0 ? kLeftShoulder : kRightShoulder, thigh = side > 0 ? kLeftUpperLeg : kRightUpperLeg;
    before(shoulder, turned(kForward, side * k * s.shrug));
    before(shoulder + 1, turned(kForward, side * (k * s.arm_out + 0.5F * s.tremble * m.noise)));
    before(shoulder + 1, turned(kLeftward, -k * s.arm_forward));
    before(shoulder + 2, turned(kUp, -side * (k * s.elbow + s.tremble * m.noise)));
    // Thigh forward, shin back and foot level: a straight leg loses 1 - cos of the angle.
    const float bend = std::acos(std::clamp(1 - k * s.crouch, 0.2F, 1.0F));
    before(thigh, turned(kLeftward, -bend));
    before(thigh + 1, turned(kLeftward, 2 * bend));
    before(thigh + 2, turned(kLeftward, -bend));
    before(thigh, turned(kForward, side * k * s.stance));
    before(thigh + 2, turned(kForward, -side * k * s.stance));
    before(thigh, turned(kForward, k * s.stomp * m.side));  // Legs stay upright below hips that roll.
  }
}

// Where the soles are, around the hips: ankle and toes of both sides.
struct Feet {
  std::array<Vec3, 2> toes;
  float lowest = 0;
};
Feet feet_of(std::span<const float> row, std::span<const Vec3> offsets) {
  std::array<Vec3, kNumRoles> at;
  role_positions(row, offsets, at);
  Feet feet{{at[kLeftToes], at[kRightToes]}, at[kLeftToes].y};
  for (const int role : {kLeftToes, kRightToes, kLeftToes - 1, kRightToes - 1})
    feet.lowest = std::min(feet.lowest, at[idx(role)].y);
  return feet;
}

std::vector<ProceduralStyle> all_styles() {
  const auto style = [](const char* name) {
    ProceduralStyle out;
    out.name = name;
    return out;
  };
  ProceduralStyle proud = style("proud"), tired = style("tired"), sneaky = style("sneaky"), angry = style("angry"),
                  cheerful = style("cheerful"), heavy = style("heavy"), shy = style("shy"), stiff = style("stiff");
  proud.spine_pitch = -0.18F, proud.head_pitch = -0.22F, proud.arm_out = 0.16F, proud.arm_swing = 1.2F;
  proud.leg_swing = 1.12F, proud.shrug = -0.08F, proud.elbow = 0.25F;
  tired.spine_pitch = 0.3F, tired.head_pitch = 0.5F, tired.arm_swing = 0.5F, tired.leg_swing = 0.75F;
  tired.crouch = 0.03F, tired.sway = 0.08F, tired.sharpness = -0.6F, tired.shrug = -0.12F;
  sneaky.spine_pitch = 0.42F, sneaky.head_pitch = -0.3F, sneaky.crouch = 0.14F, sneaky.elbow = 0.9F;
  sneaky.arm_out = 0.2F, sneaky.arm_swing = 0.5F, sneaky.sharpness = -0.3F, sneaky.leg_swing = 0.9F;
  angry.spine_pitch = 0.22F, angry.head_pitch = 0.1F, angry.elbow = 0.5F, angry.shrug = 0.16F, angry.arm_swing = 1.3F;
  angry.sharpness = 0.7F, angry.arm_out = 0.12F, angry.leg_swing = 1.1F;
  cheerful.spine_pitch = -0.06F, cheerful.head_pitch = -0.12F, cheerful.arm_swing = 1.6F, cheerful.elbow = 0.35F;
  cheerful.sway = 0.1F, cheerful.arm_out = 0.1F, cheerful.stomp = 0.06F, cheerful.sharpness = 0.3F;
  heavy.arm_out = 0.4F, heavy.sway = 0.16F, heavy.crouch = 0.05F, heavy.leg_swing = 0.85F, heavy.arm_swing = 0.7F;
  heavy.spine_pitch = -0.06F, heavy.stomp = 0.05F, heavy.sharpness = -0.3F;
  shy.spine_pitch = 0.16F, shy.head_pitch = 0.4F, shy.shrug = 0.2F, shy.arm_out = -0.06F, shy.elbow = 0.6F;
  shy.arm_swing = 0.3F, shy.leg_swing = 0.7F, shy.crouch = 0.02F;
  stiff.arm_swing = 0.2F, stiff.elbow = 0.7F, stiff.arm_out = 0.1F, stiff.sharpness = 0.5F, stiff.leg_swing = 0.8F;
  stiff.head_pitch = -0.05F, stiff.tremble = 0.03F;
  return {proud, tired, sneaky, angry, cheerful, heavy, shy, stiff};
}

}  // namespace

std::span<const ProceduralStyle> procedural_styles() {
  static const std::vector<ProceduralStyle> styles = all_styles();
  return styles;
}

const ProceduralStyle* find_procedural_style(const std::string& name) {
  const auto styles = procedural_styles();
  const auto found = std::ranges::find(styles, name, &ProceduralStyle::name);
  return found == styles.end() ? nullptr : &*found;
}

ProceduralStyle random_procedural_style(const std::string& name, Random random) {
  constexpr float kUsed = 0.65F;  // Fraction of the numbers that a style changes.
  const auto drawn = [&](float least, float most, float neutral = 0) {
    const float value = random.uniform(least, most);
    return random.uniform() < kUsed ? value : neutral;
  };
  ProceduralStyle out;
  out.name = name;
  out.spine_pitch = drawn(-0.25F, 0.55F), out.head_pitch = drawn(-0.35F, 0.55F);
  out.arm_out = drawn(-0.08F, 0.45F), out.arm_forward = drawn(-0.3F, 0.5F), out.elbow = drawn(0.0F, 1.0F);
  out.shrug = drawn(-0.15F, 0.25F), out.arm_swing = drawn(0.15F, 1.8F, 1), out.leg_swing = drawn(0.6F, 1.25F, 1);
  out.crouch = drawn(0.0F, 0.15F), out.stance = drawn(-0.04F, 0.14F), out.sway = drawn(-0.05F, 0.18F);
  out.sharpness = drawn(-0.7F, 0.8F), out.tremble = std::max(0.0F, drawn(-0.06F, 0.05F));
  out.stomp = drawn(0.0F, 0.07F);
  return out;
}

ProceduralStyle scaled(const ProceduralStyle& style, float strength) {
  return with_factors(style, [&] { return strength; });
}

std::vector<float> perform(std::span<const float> rows, std::span<const Vec3> offsets, const ProceduralStyle& style,
                           Random random) {
  constexpr float kMomentSpread = 0.25F, kSlowest_hz = 0.12F, kTremble_hz = 4.5F;
  const ProceduralStyle own = performed(style, random.split(1));
  const Mood mood(random.split(2), kSlowest_hz), tremble(random.split(3), kTremble_hz);
  std::vector<float> out(rows.begin(), rows.end());
  if (rows.empty()) return out;
  std::vector<Pose21> poses = poses_of(rows), slow = poses;
  smooth(slow, 0.12);
  Pose21 mean;
  for (std::size_t role = 0; role < kNumRoles; ++role) mean[role] = mean_of(poses, role);
  float side = 0;
  Vec3 drift;  // What the hips' velocity needs so that feet in contact keep their speed.
  Feet was_before, was_after;
  for (std::size_t f = 0; f < poses.size(); ++f) {
    const std::span<const float> from = rows.subspan(f * kNumColumns, kNumColumns);
    const std::span<float> to = std::span(out).subspan(f * kNumColumns, kNumColumns);
    const float time_s = static_cast<float>(f) / static_cast<float>(kRowsPerSecond);
    side += 0.25F * (from[kContacts] - from[kContacts + 1] - side);
    const Moment moment{1 + kMomentSpread * mood.at(time_s), side, tremble.at(time_s)};
    Pose21 pose = poses[f];
    for (int role = 1; role < kNumRoles; ++role) {
      Quat& q = pose[idx(role)];
      const bool thigh = role == kLeftUpperLeg || role == kRightUpperLeg;
      if (is_arm(role)) q = exaggerated(mean[idx(role)], q, 1 + moment.strength * (own.arm_swing - 1));
      if (thigh) q = exaggerated(mean[idx(role)], q, 1 + moment.strength * (own.leg_swing - 1));
      if (is_arm(role) || role < kLeftShoulder) {
        // The part of the change that slow poses lack, more or less of it.
        const Quat lag =
            is_arm(role) ? exaggerated(mean[idx(role)], slow[f][idx(role)], 1 + moment.strength * (own.arm_swing - 1))
                         : slow[f][idx(role)];
        q = exaggerated(lag, q, std::max(0.0F, 1 + moment.strength * own.sharpness));
      }
    }
    change_pose(own, moment, pose);
    for (int role = 0; role < kNumRoles; ++role) put_rotation(to, role, pose[idx(role)]);
    const Feet before = feet_of(from, offsets), after = feet_of(to, offsets);
    to[kHeight] = from[kHeight] + before.lowest - after.lowest;
    if (f > 0) {
      Vec3 missing;
      float touching = 0;
      for (std::size_t foot = 0; foot < 2; ++foot) {
        if (from[kContacts + foot] < 0.5F) continue;
        const Vec3 was = before.toes[foot] - was_before.toes[foot], is = after.toes[foot] - was_after.toes[foot];
        missing += (was - is) * static_cast<float>(kRowsPerSecond);
        touching += 1;
      }
      if (touching > 0) drift += (missing / touching - drift) * 0.5F;
      to[kSpeedAcross] += drift.x;
      to[kSpeedAlong] += drift.z;
    }
    was_before = before;
    was_after = after;
  }
  return out;
}

}  // namespace zoe::style
