// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip of a synthetic body: the request and the result.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"
#include "zoe/synth/body.h"
#include "zoe/synth/terrain.h"

namespace zoe::synth {

enum class Gait : std::uint8_t {
  kIdle,
  kWalk,
  kRun,
  kHop,  // Bipeds, birds.
  kTrot,
  kPace,
  kCanter,
  kGallop,
  kBound,  // Quadrupeds (they walk as well).
  kTripod,
  kRipple,
  kWave,  // Many legs.
  kJump,
  kAttack,
  kFly,
  kGlide,
  kHover,
  kSlither,
  kSidewind,
  kSwim,
  kDart,
};
constexpr int kNumGaits = 21;
const char* to_string(Gait gait);

enum class Style : std::uint8_t { kNeutral, kTired, kSneaky, kProud, kInjured, kHappy, kAngry, kOld, kHeavy };
constexpr int kNumStyles = 9;
const char* to_string(Style style);

// Course of the body over the ground.
enum class Course : std::uint8_t {
  kStraight,
  kTurnLeft,
  kTurnRight,
  kWeave,
  kStopAndGo,
  kSpin,
  kSidestep,
  kBackward,
  // Legged walkers: any speed up to a run or trot, turns, starts and stops, as by a player's stick. Used only on
  // request.
  kWander,
};
constexpr int kNumCourses = 9;
const char* to_string(Course course);

// Gaits and courses of the bodies of a family.
std::span<const Gait> gaits_of(BodyFamily family);
std::span<const Course> courses_of(BodyFamily family, Gait gait);
// Flyers and swimmers use no ground; there is no gallop on stairs.
bool can_use(BodyFamily family, Gait gait, TerrainKind terrain);

struct ClipRequest {
  Gait gait = Gait::kWalk;
  Style style = Style::kNeutral;
  Course course = Course::kStraight;
  TerrainKind terrain = TerrainKind::kFlat;
  double seconds = 4;
  double fps = 30;
};

struct Clip {
  Motion motion;
  ClipRequest request;
  Terrain terrain;
  float speed_m_s = 0;  // Mean, of the body over the ground.
  float froude = 0;     // speed² / (g leg length).
  // [frames × legs]: the leg's last distal joint (ball, paw, tip) is in contact. It does not move until the flag falls.
  std::vector<std::uint8_t> contacts;
  // [frames]: no contact with the ground; the centre of mass falls freely.
  std::vector<std::uint8_t> airborne;
  std::vector<std::string> captions;  // English sentences with the same meaning.
};

// Fails (kUsage) on a gait that the family does not have, fps or seconds that are not positive, and over 100,000
// frames.
Result<Clip> make_clip(const Body& body, const ClipRequest& request, Random random);

}  // namespace zoe::synth
