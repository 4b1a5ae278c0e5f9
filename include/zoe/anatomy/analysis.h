// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a skeleton is: its kind of body, facing, size, symmetry, limbs, feet and
// hands, found from joint names, the shape of the skeleton, and its clips.
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

// Lower-case words, as the command line and override files spell them.
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
  double confidence = 0;  // 0 (a guess) to 1 (stated).
  EvidenceSource source = EvidenceSource::kNone;
};

struct SkeletonAnalysis {
  BodyFamily family = BodyFamily::kOther;
  // Unit vectors in model space, in the reference pose.
  Vec3 up{0, 1, 0};
  Vec3 forward{0, 0, 1};
  double metres_per_unit = 1;  // Of the skeleton as given: 1 when the reader has already turned it into metres.
  double height_m = 0;         // Ground to top, of the mesh where there is one, else of the joints.
  // Along `up`, in the skeleton's units: the lowest point of the reference pose, or where the clips
  // stand when that is one of their frames.
  double ground_height = 0;

  int root = kNoJoint;  // Carries the whole body.
  int hips = kNoJoint;  // Carries the (hind) legs and the spine.
  int head = kNoJoint;
  std::vector<int> spine;  // From the hips to the neck.
  std::vector<Limb> limbs;
  std::vector<int> feet;   // Ankle, or the lowest joint where there is none; one a leg, in the order of `limbs`.
  std::vector<int> hands;  // One an arm.
  std::vector<int> tail;
  std::vector<JointPair> pairs;  // Every joint that has a mirror image, once.

  // Pose the directions and heights hold in: the rest pose where it shows the body standing, else a
  // frame of a clip (motion capture files often have a rest pose of bones along one axis).
  int reference_clip = -1;  // -1: the rest pose.
  int reference_frame = -1;
  std::vector<Vec3> reference_positions;  // [joints], model space.

  std::array<Evidence, kNumAnalysisFields> evidence{};
  const Evidence& of(AnalysisField field) const { return evidence[static_cast<std::size_t>(field)]; }
};

struct AnalysisOptions {
  bool use_names = true;
  // Readers make what they read Y up. False where the file does not say which way is up (BVH): it
  // is found out.
  bool up_is_known = true;
  // Metres in one unit where the file states it; doubted only when the body would be under 2 cm or
  // over 30 m.
  std::optional<double> stated_metres_per_unit;
};

// `character` gives mesh size and which joints deform it; may be null. Clips are of the same
// skeleton. Never fails: what cannot be told is left empty with confidence 0. A rest pose with
// joints 1e12 units out is not looked at.
SkeletonAnalysis analyse(const Skeleton& skeleton, std::span<const Motion> clips = {},
                         const Character* character = nullptr, const AnalysisOptions& options = {});

}  // namespace zoe
