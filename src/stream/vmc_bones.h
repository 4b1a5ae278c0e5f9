// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bones of people in the Virtual Motion Capture Protocol, which has the names of Unity's
// HumanBodyBones, and in VRM 1.0.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace zoe::stream {

struct VmcBone {
  std::string_view vrm;  // "leftUpperArm"
  std::string vmc;       // "LeftUpperArm"
  int parent = -1;       // In this table; the hips have none. Parents come first.
};
std::span<const VmcBone> vmc_bones();
// Index in the table, or -1.
int find_vrm_bone(std::string_view name);
int find_vmc_bone(std::string_view name);

}  // namespace zoe::stream
