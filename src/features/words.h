// SPDX-License-Identifier: MIT
// Part of Zoetrope. The spelling of groups, parts and spaces in schemas.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/features/schema.h"

namespace zoe::features {

template <typename Enum>
struct Word {
  Enum value;
  std::string_view word;
};
template <typename Enum, std::size_t N>
using Words = std::array<Word<Enum>, N>;

template <typename Enum, std::size_t N>
constexpr std::string_view word_for(const Words<Enum, N>& words, Enum value) {
  for (const auto& entry : words)
    if (entry.value == value) return entry.word;
  return "?";
}

inline constexpr Words<Group, 14> kGroupWords{{{Group::kJoint, "joint"},
                                               {Group::kRoot, "root"},
                                               {Group::kRootDelta, "root.delta"},
                                               {Group::kContact, "contact"},
                                               {Group::kPhaseLocal, "phase.local"},
                                               {Group::kPhaseGlobal, "phase.global"},
                                               {Group::kPhaseDelta, "phase.delta"},
                                               {Group::kGuidance, "guidance"},
                                               {Group::kStyle, "style"},
                                               {Group::kAction, "action"},
                                               {Group::kTerrain, "terrain"},
                                               {Group::kGoal, "goal"},
                                               {Group::kGating, "gating"},
                                               {Group::kSignal, "signal"}}};

inline constexpr Words<Part, 15> kPartWords{{{Part::kPosition, "position"},
                                             {Part::kXAxis, "x_axis"},
                                             {Part::kYAxis, "y_axis"},
                                             {Part::kZAxis, "z_axis"},
                                             {Part::kRotationLog, "rotation_log"},
                                             {Part::kVelocity, "velocity"},
                                             {Part::kAngularVelocity, "angular_velocity"},
                                             {Part::kDirection, "direction"},
                                             {Part::kHeight, "height"},
                                             {Part::kSpeed, "speed"},
                                             {Part::kTurnSpeed, "turn_speed"},
                                             {Part::kStyle, "style"},
                                             {Part::kAction, "action"},
                                             {Part::kOwnVelocity, "own_velocity"},
                                             {Part::kContact, "contact"}}};

inline constexpr Words<Space, 5> kSpaceWords{{{Space::kRoot, "root"},
                                              {Space::kParent, "parent"},
                                              {Space::kTracking, "tracking"},
                                              {Space::kGoal, "goal"},
                                              {Space::kCanonical, "canonical"}}};

// Number of columns of a joint's part.
constexpr int part_width(Part part) { return part == Part::kContact ? 1 : 3; }
inline int part_widths(const std::vector<Part>& parts) {
  int width = 0;
  for (const Part part : parts) width += part_width(part);
  return width;
}

std::vector<std::string> split_list(std::string_view text);  // Splits at commas.
Result<SampleTimes> parse_times(std::string_view text);
std::string to_text(const SampleTimes& times);

}  // namespace zoe::features
