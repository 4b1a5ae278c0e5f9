// SPDX-License-Identifier: MIT
// Part of Zoetrope. The meaning of a joint's name, in the conventions of Mixamo, Unreal, VRM, CMU, LAFAN, 3ds Max,
// Rigify, ….
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::anatomy {

enum class Role : std::uint8_t {
  kUnknown,
  kRoot,
  kHips,
  kSpine,
  kNeck,
  kHead,
  kHeadPart,
  kShoulder,
  kUpperArm,
  kForearm,
  kWrist,
  kHand,
  kFinger,
  kLeg,
  kUpperLeg,
  kLowerLeg,
  kFoot,
  kToe,
  kTail,
  kWing,
  kFeather,
  kFin,
  kHelper,  // Twist bones, IK targets, controls, props, cameras.
};

struct NameReading {
  Role role = Role::kUnknown;
  Side side = Side::kCenter;
  std::string stem;  // The tokens without the side: equal for the two joints of a pair.
};

// Lower-case words and numbers: "mixamorig:LeftForeArm" is mixamorig, left, fore, arm;
// "DEF-thigh.L.001" is def, thigh, l, 001.
std::vector<std::string> tokenise(std::string_view name);

NameReading read_name(std::string_view name);

}  // namespace zoe::anatomy
