// SPDX-License-Identifier: MIT
// Part of Zoetrope. Analysis of a skeleton: body family, facing, size, symmetry, limbs, feet and hands, from joint
// names, the shape of the skeleton, and its clips.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/motion/motion.h"

namespace zoe {

enum class BodyFamily : std::uint8_t {
  kBiped,
  kQuadruped,
  kHexapod,
  kOctopod,
  kMillipede,
  kBird,
  kFlyer,
  kSnake,
  kFish,
  kOther
};
enum class LimbKind : std::uint8_t { kLeg, kArm, kWing, kFin };
enum class Side : std::uint8_t { kCenter, kLeft, kRight };
enum class EvidenceSource : std::uint8_t { kNone, kStated, kNames, kGeometry, kMotion, kOverride };

// Lower-case words, as in the command line and in override files.
const char* to_string(BodyFamily family);
const char* to_string(LimbKind kind);
const char* to_string(Side side);
const char* to_string(EvidenceSource source);

struct Limb {
  LimbKind kind = LimbKind::kLeg;
  Side side = Side::kCenter;
  std::vector<int> joints;  // From the body outwards, to the tip.
};

struct JointPair {
  int left = kNoJoint, right = kNoJoint;
  friend bool operator==(const JointPair&, const JointPair&) = default;
};

enum class AnalysisField : std::uint8_t {
  kFamily,
  kUp,
  kForward,
  kMetresPerUnit,
  kHeight,
  kRoot,
  kHips,
  kHead,
  kSpine,
  kLimbs,
  kFeet,
  kHands,
  kTail,
  kPairs,
  kGround,
  kReferencePose
};
constexpr std::size_t kNumAnalysisFields = 16;
const char* to_string(AnalysisField field);

struct Evidence {
  double confidence = 0;  // 0 (unknown) to 1 (stated).
  EvidenceSource source = EvidenceSource::kNone;
};

struct SkeletonAnalysis {
  BodyFamily family = BodyFamily::kOther;
  // Unit vectors in model space, in the reference pose.
  Vec3 up{0, 1, 0};
  Vec3 forward{0, 0, 1};
  double metres_per_unit = 1;  // Of the skeleton as given: 1 when the reader has already converted it to metres.
  double height_m = 0;         // Ground to top. Of the mesh where there is one, else of the joints.
  // Along `up`, in the skeleton's units: the lowest point of the reference pose, or the contact height of the clips
  // when the pose is one of their frames.
  double ground_height = 0;

  int root = kNoJoint;  // Carries the whole body.
  int hips = kNoJoint;  // Carries the (hind) legs and the spine.
  int head = kNoJoint;
  std::vector<int> spine;  // From the hips to the neck.
  std::vector<Limb> limbs;
  std::vector<int> feet;   // Ankle, or the lowest joint where there is none; one per leg, in the order of `limbs`.
  std::vector<int> hands;  // One per arm.
  std::vector<int> tail;
  std::vector<JointPair> pairs;  // Every joint that has a mirror image, once.

  // The pose of the directions and heights: of the rest pose (the file's nodes) and the bind pose of the skin, the
  // more symmetric and straighter one; else a frame of a clip (motion capture files often have a rest pose of bones
  // along one axis).
  int reference_clip = -1;  // -1: the rest or the bind pose.
  int reference_frame = -1;
  bool reference_is_bind = false;         // The bind pose (anatomy::bind_pose()), and it differs from the rest pose.
  std::vector<Vec3> reference_positions;  // [joints], model space.

  std::array<Evidence, kNumAnalysisFields> evidence{};
  const Evidence& of(AnalysisField field) const { return evidence[static_cast<std::size_t>(field)]; }
};

struct AnalysisOptions {
  bool use_names = true;
  // Readers convert files to Y up. False where the file does not state its up axis (BVH): the axis is then estimated.
  bool up_is_known = true;
  // Metres per unit where the file states it. Ignored only when the body would be under 2 cm or over 30 m.
  std::optional<double> stated_metres_per_unit;
};

// `character` gives the mesh size and the joints that deform it; may be null. Clips have the same skeleton. Never
// fails: what cannot be determined is empty with confidence 0. A rest pose with joints 1e12 units away is ignored.
SkeletonAnalysis analyse(const Skeleton& skeleton, std::span<const Motion> clips = {},
                         const Character* character = nullptr, const AnalysisOptions& options = {});

}  // namespace zoe
