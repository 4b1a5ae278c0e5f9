// SPDX-License-Identifier: MIT
#include "zoe/style/row_edits.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::style {
namespace {

int other_side(int role) {
  if (role >= kLeftShoulder && role < kRightShoulder) return role + 4;
  if (role >= kRightShoulder && role < kLeftUpperLeg) return role - 4;
  if (role >= kLeftUpperLeg && role < kRightUpperLeg) return role + 4;
  return role >= kRightUpperLeg ? role - 4 : role;
}

}  // namespace

std::vector<float> mirrored_rows(std::span<const float> rows) {
  // M R M with M = diag(-1, 1, 1): signs of the first two columns of a rotation.
  constexpr float kSigns[6] = {1, -1, -1, -1, 1, 1};
  std::vector<float> out(rows.size());
  for (std::size_t begin = 0; begin < rows.size(); begin += kNumColumns) {
    const float* from = rows.data() + begin;
    float* to = out.data() + begin;
    for (int role = 0; role < kNumRoles; ++role)
      for (int i = 0; i < 6; ++i) to[kRotation + 6 * role + i] = kSigns[i] * from[kRotation + 6 * other_side(role) + i];
    to[kHeight] = from[kHeight];
    to[kSpeedAcross] = -from[kSpeedAcross];
    to[kSpeedAlong] = from[kSpeedAlong];
    to[kTurn] = -from[kTurn];
    to[kContacts] = from[kContacts + 1];
    to[kContacts + 1] = from[kContacts];
  }
  return out;
}

std::vector<float> retimed_rows(std::span<const float> rows, double speed) {
  ZOE_CHECK(speed > 0, "a speed is above 0");
  const std::size_t count = rows.size() / kNumColumns;
  if (count < 2) return {rows.begin(), rows.end()};
  const auto length = static_cast<std::size_t>(std::floor(static_cast<double>(count - 1) / speed)) + 1;
  std::vector<float> out(length * kNumColumns);
  for (std::size_t f = 0; f < length; ++f) {
    const double time = std::min(static_cast<double>(f) * speed, static_cast<double>(count - 1));
    const std::size_t before = std::min(static_cast<std::size_t>(time), count - 2);
    const auto part = static_cast<float>(time - static_cast<double>(before));
    for (std::size_t c = 0; c < kNumColumns; ++c) {
      // Rotations of neighbours differ by little: their six numbers are made orthonormal where they are read.
      const float a = rows[before * kNumColumns + c], b = rows[(before + 1) * kNumColumns + c];
      float value = a + part * (b - a);
      if (c == kSpeedAcross || c == kSpeedAlong || c == kTurn) value *= static_cast<float>(speed);
      if (c >= kContacts) value = value >= 0.5F ? 1.0F : 0.0F;
      out[f * kNumColumns + c] = value;
    }
  }
  return out;
}

}  // namespace zoe::style
