// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joint names in the conventions of common rigs.
#include <array>
#include <cctype>

#include "synth/plan.h"

namespace zoe::synth {
namespace {

struct Words {
  Part part;
  const char* plain;
  const char* mixamo;
  const char* bip01;
  const char* unreal;
  const char* blender;
};

constexpr std::array kWords{
    Words{Part::kRoot, "Root", "Root", "Root", "root", "root"},
    Words{Part::kHips, "Hips", "Hips", "Pelvis", "pelvis", "hips"},
    Words{Part::kSpine, "Spine", "Spine", "Spine", "spine", "spine"},
    Words{Part::kNeck, "Neck", "Neck", "Neck", "neck", "neck"},
    Words{Part::kHead, "Head", "Head", "Head", "head", "head"},
    Words{Part::kJaw, "Jaw", "Jaw", "Jaw", "jaw", "jaw"},
    Words{Part::kEar, "Ear", "Ear", "Ear", "ear", "ear"},
    Words{Part::kAntenna, "Antenna", "Antenna", "Antenna", "antenna", "antenna"},
    Words{Part::kAbdomen, "Abdomen", "Abdomen", "Abdomen", "abdomen", "abdomen"},
    Words{Part::kTail, "Tail", "Tail", "Tail", "tail", "tail"},
    Words{Part::kClavicle, "Shoulder", "Shoulder", "Clavicle", "clavicle", "shoulder"},
    Words{Part::kUpperArm, "UpperArm", "Arm", "UpperArm", "upperarm", "upper_arm"},
    Words{Part::kForearm, "ForeArm", "ForeArm", "Forearm", "lowerarm", "forearm"},
    Words{Part::kHand, "Hand", "Hand", "Hand", "hand", "hand"},
    Words{Part::kThumb, "Thumb", "HandThumb", "Finger0", "thumb", "thumb"},
    Words{Part::kIndex, "Index", "HandIndex", "Finger1", "index", "f_index"},
    Words{Part::kMiddle, "Middle", "HandMiddle", "Finger2", "middle", "f_middle"},
    Words{Part::kRing, "Ring", "HandRing", "Finger3", "ring", "f_ring"},
    Words{Part::kPinky, "Pinky", "HandPinky", "Finger4", "pinky", "f_pinky"},
    Words{Part::kScapula, "LegShoulder", "Shoulder", "Clavicle", "legscapula", "leg_scapula"},
    Words{Part::kThigh, "UpperLeg", "UpLeg", "Thigh", "thigh", "thigh"},
    Words{Part::kShin, "LowerLeg", "Leg", "Calf", "calf", "shin"},
    Words{Part::kHock, "Hock", "Hock", "HorseLink", "hock", "hock"},
    Words{Part::kPastern, "Pastern", "Pastern", "Pastern", "pastern", "pastern"},
    Words{Part::kFoot, "Foot", "Foot", "Foot", "foot", "foot"},
    Words{Part::kToe, "Toe", "ToeBase", "Toe0", "ball", "toe"},
    Words{Part::kCoxa, "LegCoxa", "LegCoxa", "LegCoxa", "leg_coxa", "leg_coxa"},
    Words{Part::kFemur, "LegFemur", "LegFemur", "LegFemur", "leg_femur", "leg_femur"},
    Words{Part::kTibia, "LegTibia", "LegTibia", "LegTibia", "leg_tibia", "leg_tibia"},
    Words{Part::kMetatarsus, "LegMetatarsus", "LegMetatarsus", "LegMetatarsus", "leg_metatarsus", "leg_metatarsus"},
    Words{Part::kTarsus, "LegTarsus", "LegTarsus", "LegTarsus", "leg_tarsus", "leg_tarsus"},
    Words{Part::kWingUpper, "WingUpper", "WingArm", "WingUpper", "wing_upper", "wing_upper"},
    Words{Part::kWingLower, "WingLower", "WingForeArm", "WingLower", "wing_lower", "wing_lower"},
    Words{Part::kWingHand, "WingHand", "WingHand", "WingHand", "wing_hand", "wing_hand"},
    Words{Part::kWingFinger, "WingFinger", "WingFinger", "WingFinger", "wing_finger", "wing_finger"},
    Words{Part::kWingSail, "WingSail", "WingSail", "WingSail", "wing_sail", "wing_sail"},
    Words{Part::kPectoralFin, "PectoralFin", "PectoralFin", "PectoralFin", "pectoral_fin", "pectoral_fin"},
    Words{Part::kPelvicFin, "PelvicFin", "PelvicFin", "PelvicFin", "pelvic_fin", "pelvic_fin"},
    Words{Part::kDorsalFin, "DorsalFin", "DorsalFin", "DorsalFin", "dorsal_fin", "dorsal_fin"},
    Words{Part::kTailFin, "TailFin", "TailFin", "TailFin", "tail_fin", "tail_fin"},
};

const Words& words_of(Part part) {
  for (const Words& words : kWords) {
    if (words.part == part) return words;
  }
  ZOE_CHECK(false, "a part without a name");
  return kWords[0];
}

bool numbered_from_two(Names names, Part part) {
  // Mixamo counts Spine, Spine1, Spine2; Bip01 the same.
  return (names == Names::kMixamo || names == Names::kBip01) &&
         (part == Part::kSpine || part == Part::kNeck || part == Part::kTail);
}

std::string two_digits(int n) { return (n < 10 ? "0" : "") + std::to_string(n); }

// "Front", "Hind", or the row's number.
std::string row_of(const Tag& tag, bool lower_case) {
  if (tag.row < 0 || tag.num_rows < 2) return "";
  if (tag.num_rows > 2) return lower_case ? two_digits(tag.row + 1) + "_" : std::to_string(tag.row + 1);
  if (lower_case) return tag.row == 0 ? "front_" : "hind_";
  return tag.row == 0 ? "Front" : "Hind";
}

}  // namespace

const char* to_string(Names names) {
  switch (names) {
    case Names::kPlain:
      return "plain";
    case Names::kMixamo:
      return "mixamo";
    case Names::kBip01:
      return "bip01";
    case Names::kUnreal:
      return "unreal";
    case Names::kBlender:
      return "blender";
    case Names::kNumbered:
      return "numbered";
  }
  return "?";
}

std::string name_of(Names names, const Tag& tag) {
  const Words& words = words_of(tag.part);
  const bool left = tag.side == Side::kLeft, center = tag.side == Side::kCenter;
  std::string index = tag.index > 0 ? std::to_string(tag.index) : "";
  if (numbered_from_two(names, tag.part)) index = tag.index > 1 ? std::to_string(tag.index - 1) : "";
  const std::string long_side = center ? "" : left ? "Left" : "Right";
  switch (names) {
    case Names::kMixamo:
      return "mixamorig:" + long_side + row_of(tag, false) + words.mixamo + index;
    case Names::kBip01: {
      const std::string side = center ? "" : left ? "L " : "R ";
      return tag.part == Part::kRoot ? "Bip01" : "Bip01 " + side + row_of(tag, false) + words.bip01 + index;
    }
    case Names::kUnreal: {
      const std::string side = center ? "" : left ? "_l" : "_r";
      return row_of(tag, true) + words.unreal + (tag.index > 0 ? "_" + two_digits(tag.index) : "") + side;
    }
    case Names::kBlender: {
      const std::string side = center ? "" : left ? ".L" : ".R";
      return row_of(tag, true) + words.blender + side + (tag.index > 1 ? ".0" + two_digits(tag.index - 1) : "");
    }
    case Names::kPlain:
    case Names::kNumbered:
      break;
  }
  return long_side + row_of(tag, false) + words.plain + index;
}

}  // namespace zoe::synth
