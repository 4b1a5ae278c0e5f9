// SPDX-License-Identifier: MIT
#include "stream/vmc_bones.h"

#include <algorithm>
#include <vector>

namespace zoe::stream {
namespace {

// The thumb's three bones have other names in VRM 1.0: metacarpal, proximal, distal.
std::string unity_name(std::string_view vrm) {
  std::string out(vrm);
  out[0] = static_cast<char>(out[0] - 'a' + 'A');
  const auto replace = [&](std::string_view from, std::string_view to) {
    const std::size_t at = out.find(from);
    if (at == std::string::npos) return false;
    out.replace(at, from.size(), to);
    return true;
  };
  if (!replace("ThumbProximal", "ThumbIntermediate")) replace("ThumbMetacarpal", "ThumbProximal");
  return out;
}

struct Named {
  std::string_view name, parent;
};
constexpr Named kCentre[] = {{"hips", ""},           {"spine", "hips"}, {"chest", "spine"}, {"upperChest", "chest"},
                             {"neck", "upperChest"}, {"head", "neck"},  {"jaw", "head"}};
// Of one side; a parent that begins with a capital letter is of the same side.
constexpr Named kSide[] = {{"Eye", "head"},
                           {"UpperLeg", "hips"},
                           {"LowerLeg", "UpperLeg"},
                           {"Foot", "LowerLeg"},
                           {"Toes", "Foot"},
                           {"Shoulder", "upperChest"},
                           {"UpperArm", "Shoulder"},
                           {"LowerArm", "UpperArm"},
                           {"Hand", "LowerArm"},
                           {"ThumbMetacarpal", "Hand"},
                           {"ThumbProximal", "ThumbMetacarpal"},
                           {"ThumbDistal", "ThumbProximal"},
                           {"IndexProximal", "Hand"},
                           {"IndexIntermediate", "IndexProximal"},
                           {"IndexDistal", "IndexIntermediate"},
                           {"MiddleProximal", "Hand"},
                           {"MiddleIntermediate", "MiddleProximal"},
                           {"MiddleDistal", "MiddleIntermediate"},
                           {"RingProximal", "Hand"},
                           {"RingIntermediate", "RingProximal"},
                           {"RingDistal", "RingIntermediate"},
                           {"LittleProximal", "Hand"},
                           {"LittleIntermediate", "LittleProximal"},
                           {"LittleDistal", "LittleIntermediate"}};

struct BoneTable {
  std::vector<std::string> names;  // Owns the texts of `bones`.
  std::vector<VmcBone> bones;

  BoneTable() {
    names.reserve(std::size(kCentre) + 2 * std::size(kSide));
    for (const Named& one : kCentre) add(std::string(one.name), one.parent);
    for (const std::string side : {"left", "right"}) {
      for (const Named& one : kSide) {
        const bool is_same_side = one.parent[0] >= 'A' && one.parent[0] <= 'Z';
        add(side + std::string(one.name), (is_same_side ? side : "") + std::string(one.parent));
      }
    }
  }
  void add(std::string name, std::string_view parent) {
    names.push_back(std::move(name));
    bones.push_back({names.back(), unity_name(names.back()), find(parent)});
  }
  int find(std::string_view name) const {
    const auto found = std::find_if(bones.begin(), bones.end(), [&](const VmcBone& bone) { return bone.vrm == name; });
    return found == bones.end() ? -1 : static_cast<int>(found - bones.begin());
  }
};

const BoneTable& bone_table() {
  static const BoneTable table;
  return table;
}

}  // namespace

std::span<const VmcBone> vmc_bones() { return bone_table().bones; }
int find_vrm_bone(std::string_view name) { return bone_table().find(name); }
int find_vmc_bone(std::string_view name) {
  const auto& bones = bone_table().bones;
  const auto found = std::find_if(bones.begin(), bones.end(), [&](const VmcBone& bone) { return bone.vmc == name; });
  return found == bones.end() ? -1 : static_cast<int>(found - bones.begin());
}

}  // namespace zoe::stream
