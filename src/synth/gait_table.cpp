// SPDX-License-Identifier: MIT
// Duty factors and footfall orders after Hildebrand ("The quadrupedal gaits of vertebrates",
// BioScience 39, 1989) and Alexander ("Principles of animal locomotion", 2003); Froude numbers of
// the gaits after the latter.
#include "synth/gait_table.h"

#include <array>
#include <cmath>

namespace zoe::synth {

namespace {

GaitNumbers biped_numbers(Gait gait) {
  GaitNumbers n;
  n.travel = 0.85F;
  n.froude = 0.19F, n.duty = 0.62F, n.stride = 0.95F, n.step_height = 0.045F;
  n.bob = 0.022F, n.sway = 0.025F, n.yaw = 0.09F, n.roll = 0.045F, n.arm_swing = 0.42F, n.lean = 0.03F;
  if (gait == Gait::kRun) {
    n.froude = 1.1F, n.duty = 0.34F, n.stride = 0.88F, n.step_height = 0.17F;
    n.sway = 0.01F, n.yaw = 0.14F, n.roll = 0.05F, n.arm_swing = 0.8F, n.lean = 0.14F, n.crouch = 0.06F,
    n.flight = true;
  } else if (gait == Gait::kHop) {
    n.froude = 0.35F, n.duty = 0.45F, n.stride = 0.62F, n.step_height = 0.15F;
    n.sway = 0, n.yaw = 0, n.roll = 0, n.arm_swing = 0.5F, n.lean = 0.12F, n.crouch = 0.1F, n.flight = true;
  } else if (gait == Gait::kJump) {
    n.crouch = 0.05F;
  }
  return n;
}

GaitNumbers quadruped_numbers(Gait gait) {
  GaitNumbers n;
  n.froude = 0.14F, n.duty = 0.66F, n.stride = 0.82F, n.step_height = 0.11F;
  n.bob = 0.01F, n.sway = 0.02F, n.yaw = 0.05F, n.roll = 0.03F, n.pitch = 0.015F, n.crouch = 0.02F;
  switch (gait) {
    case Gait::kRun:
    case Gait::kTrot:
      n.froude = 0.6F, n.duty = 0.42F, n.stride = 0.85F, n.step_height = 0.18F, n.sway = 0.008F, n.flight = true,
      n.crouch = 0.04F, n.yaw = 0.04F;
      break;
    case Gait::kPace:
      n.froude = 0.5F, n.duty = 0.44F, n.stride = 0.85F, n.step_height = 0.15F, n.sway = 0.03F, n.roll = 0.05F,
      n.flight = true, n.crouch = 0.04F;
      break;
    case Gait::kCanter:
      n.froude = 1.2F, n.duty = 0.38F, n.stride = 0.8F, n.step_height = 0.2F, n.pitch = 0.09F, n.flex = 0.2F,
      n.flight = true, n.crouch = 0.06F, n.sway = 0, n.yaw = 0.03F, n.roll = 0;
      break;
    case Gait::kGallop:
      n.froude = 2.4F, n.duty = 0.26F, n.stride = 0.88F, n.step_height = 0.24F, n.pitch = 0.11F, n.flex = 0.45F,
      n.flight = true, n.crouch = 0.08F, n.sway = 0, n.yaw = 0, n.roll = 0;
      break;
    case Gait::kJump:
      n.crouch = 0.09F;
      break;  // Nearly straight legs would snap at take-off.
    case Gait::kBound:
      n.froude = 1.3F, n.duty = 0.3F, n.stride = 0.75F, n.step_height = 0.24F, n.pitch = 0.16F, n.flex = 0.5F,
      n.flight = true, n.crouch = 0.08F, n.sway = 0, n.yaw = 0, n.roll = 0;
      break;
    default:
      break;
  }
  return n;
}

GaitNumbers many_legs_numbers(BodyFamily family, Gait gait) {
  GaitNumbers n;
  n.bob = 0.02F, n.sway = 0.015F, n.yaw = 0.03F, n.roll = 0.02F, n.step_height = 0.3F, n.crouch = 0;
  n.froude = 0.12F, n.duty = 0.55F, n.stride = 0.9F;
  if (gait == Gait::kWalk) n.froude = 0.06F, n.duty = 0.62F;
  if (gait == Gait::kRipple) n.froude = 0.06F, n.duty = 0.68F, n.stride = 0.9F;
  if (gait == Gait::kWave) n.froude = 0.02F, n.duty = 0.8F, n.stride = 0.9F;
  if (gait == Gait::kRun) n.froude = 0.45F, n.duty = 0.5F, n.stride = 0.85F;
  if (family == BodyFamily::kMillipede)
    n.froude *= 1.5F, n.duty = gait == Gait::kRun ? 0.55F : 0.66F, n.stride = 0.85F, n.bob = 0, n.sway = 0;
  return n;
}

int rows_of(const Body& body) {
  int rows = 0;
  for (const Leg& leg : body.legs) rows = std::max(rows, leg.row + 1);
  return rows;
}

}  // namespace

GaitNumbers gait_numbers(BodyFamily family, Gait gait) {
  switch (family) {
    case BodyFamily::kQuadruped:
      return quadruped_numbers(gait);
    case BodyFamily::kHexapod:
    case BodyFamily::kOctopod:
    case BodyFamily::kMillipede:
      return many_legs_numbers(family, gait);
    case BodyFamily::kFlyer:
      return quadruped_numbers(gait);
    case BodyFamily::kSnake:
    case BodyFamily::kFish: {
      // No steps: the speed is what counts.
      GaitNumbers n;
      n.froude = family == BodyFamily::kSnake ? (gait == Gait::kSidewind ? 0.2F : 0.1F)
                 : gait == Gait::kSwim        ? 0.3F
                                              : 0.5F;
      return n;
    }
    case BodyFamily::kBird: {
      GaitNumbers n = biped_numbers(gait);
      n.crouch = gait == Gait::kWalk ? 0.02F : 0.06F, n.lean = 0, n.yaw *= 0.5F,
      n.step_height = gait == Gait::kWalk ? 0.13F : 0.2F, n.stride *= 0.85F;
      return n;
    }
    default:
      return biped_numbers(gait);
  }
}

float touchdown_phase(BodyFamily family, Gait gait, Side on, int row, int rows) {
  const float side = on == Side::kLeft ? 0.0F : 0.5F;
  if (rows == 1) return gait == Gait::kHop ? 0.0F : side;
  if (rows == 2) {
    const bool left = on == Side::kLeft, front = row == 0;
    switch (gait) {
      case Gait::kTrot:
      case Gait::kRun:
        return left == front ? 0.0F : 0.5F;
      case Gait::kPace:
        return side;
      case Gait::kCanter:
        return !front ? (left ? 0.0F : 0.3F) : (left ? 0.3F : 0.58F);
      case Gait::kGallop:
        return !front ? (left ? 0.0F : 0.12F) : (left ? 0.32F : 0.46F);
      case Gait::kBound:
        return front ? 0.45F : 0.0F;
      default:
        return !front ? (left ? 0.0F : 0.5F) : (left ? 0.25F : 0.75F);  // Lateral sequence.
    }
  }
  const auto from_rear = static_cast<float>(rows - 1 - row);
  const auto wrapped = [](float x) { return x - std::floor(x); };
  if (family == BodyFamily::kMillipede) return wrapped(from_rear * (gait == Gait::kRun ? 0.16F : 0.11F) + side);
  switch (gait) {
    case Gait::kWave:
      return wrapped(from_rear / static_cast<float>(rows) * 0.5F + side);
    case Gait::kRipple:
      return wrapped(from_rear / 3.0F * 0.8F + side);
    default:
      return wrapped(0.5F * from_rear + side);  // Tripod, alternating tetrapod.
  }
}

float touchdown_phase(const Body& body, Gait gait, const Leg& leg) {
  return touchdown_phase(body.family, gait, leg.side, leg.row, rows_of(body));
}

bool is_spared(const Body& body, const StyleNumbers& style, const Leg& leg) {
  return style.limp > 0 && leg.side == Side::kRight && leg.upper == body.legs.back().upper;
}

StyleNumbers style_numbers(Style style) {
  StyleNumbers s;
  switch (style) {
    case Style::kNeutral:
      break;
    case Style::kTired:
      s.speed = 0.72F, s.frequency = 0.9F, s.step_height = 0.55F, s.spine_pitch = 0.18F, s.head_pitch = 0.65F,
      s.arm_swing = 0.6F, s.elbow = -0.1F, s.shrug = -0.12F, s.sway = 1.9F, s.bob = 1.1F, s.crouch = 0.03F,
      s.tail_lift = -0.5F, s.look_around = 0.3F;
      break;
    case Style::kSneaky:
      s.speed = 0.5F, s.frequency = 0.6F, s.step_height = 1.7F, s.spine_pitch = 0.38F, s.head_pitch = -0.15F,
      s.arm_swing = 0.4F, s.elbow = 1.2F, s.arm_out = 0.25F, s.shrug = 0.15F, s.crouch = 0.17F, s.bob = 0.3F,
      s.sway = 0.6F, s.tail_lift = -0.2F, s.look_around = 1.8F;
      break;
    case Style::kProud:
      s.speed = 0.7F, s.frequency = 0.9F, s.step_height = 1.2F, s.step_width = 0.6F, s.spine_pitch = -0.18F,
      s.head_pitch = -0.45F, s.arm_swing = 0.75F, s.elbow = 0.85F, s.arm_out = 0.14F, s.shrug = -0.1F, s.bob = 1.1F,
      s.tail_lift = 0.6F, s.hip_sway = 0.03F;
      break;
    case Style::kInjured:
      s.speed = 0.6F, s.frequency = 0.9F, s.limp = 1, s.guard = 1, s.spine_pitch = 0.2F, s.head_pitch = 0.15F,
      s.arm_swing = 0.5F, s.elbow = 0.3F, s.shrug = 0.08F, s.crouch = 0.04F, s.tail_lift = -0.4F, s.bob = 1.2F;
      break;
    case Style::kHappy:
      s.speed = 1.15F, s.frequency = 1.08F, s.step_height = 1.5F, s.spine_pitch = -0.03F, s.head_pitch = -0.12F,
      s.arm_swing = 1.35F, s.elbow = 0.6F, s.arm_out = 0.15F, s.shrug = 0.04F, s.bob = 2.6F, s.sway = 1.6F,
      s.tail_lift = 0.7F, s.hip_sway = 0.08F, s.look_around = 1.5F;
      break;
    case Style::kAngry:
      s.speed = 1.1F, s.frequency = 1.25F, s.step_height = 1.0F, s.step_width = 0.65F, s.spine_pitch = 0.3F,
      s.head_pitch = 0.15F, s.arm_swing = 1.05F, s.elbow = 0.35F, s.arm_out = 0.08F, s.shrug = 0.2F, s.bob = 1.2F,
      s.tail_lift = 0.2F, s.look_around = 0.3F;
      break;
    case Style::kOld:
      s.speed = 0.5F, s.frequency = 0.95F, s.step_height = 0.45F, s.spine_pitch = 0.55F, s.head_pitch = 0.1F,
      s.arm_swing = 0.4F, s.elbow = 0.5F, s.shrug = 0.1F, s.crouch = 0.09F, s.tremble = 0.02F, s.tail_lift = -0.4F,
      s.sway = 1.4F, s.bob = 0.6F;
      break;
    case Style::kHeavy:
      s.speed = 0.8F, s.frequency = 0.85F, s.step_height = 0.9F, s.step_width = 1.5F, s.spine_pitch = -0.05F,
      s.arm_out = 0.42F, s.arm_swing = 0.7F, s.elbow = 0.15F, s.shrug = 0.06F, s.bob = 1.8F, s.sway = 2.8F,
      s.crouch = 0.05F, s.hip_sway = 0.05F;
      break;
  }
  return s;
}

}  // namespace zoe::synth
