// SPDX-License-Identifier: MIT
// Part of Zoetrope. What families can do, and the words for it.
#include <array>

#include "zoe/synth/clip.h"

namespace zoe::synth {

const char* to_string(Gait gait) {
  constexpr std::array<const char*, kNumGaits> kWords{"idle", "walk", "run", "hop", "trot", "pace", "canter", "gallop", "bound", "tripod", "ripple", "wave",
                                                      "jump", "attack", "fly", "glide", "hover", "slither", "sidewind", "swim", "dart"};
  return kWords[static_cast<std::size_t>(gait)];
}

const char* to_string(Style style) {
  constexpr std::array<const char*, kNumStyles> kWords{"neutral", "tired", "sneaky", "proud", "injured", "happy", "angry", "old", "heavy"};
  return kWords[static_cast<std::size_t>(style)];
}

const char* to_string(Course course) {
  constexpr std::array<const char*, kNumCourses> kWords{"straight", "turn_left", "turn_right", "weave", "stop_and_go", "spin", "sidestep", "backward"};
  return kWords[static_cast<std::size_t>(course)];
}

std::span<const Gait> gaits_of(BodyFamily family) {
  static constexpr std::array kBiped{Gait::kIdle, Gait::kWalk, Gait::kRun};
  static constexpr std::array kQuadruped{Gait::kIdle, Gait::kWalk, Gait::kTrot, Gait::kPace, Gait::kCanter, Gait::kGallop, Gait::kBound};
  switch (family) {
    case BodyFamily::kBiped: return kBiped;
    case BodyFamily::kQuadruped: return kQuadruped;
    default: return {};
  }
}

std::span<const Course> courses_of(BodyFamily family, Gait gait) {
  static constexpr std::array kStill{Course::kStraight};
  static constexpr std::array kSlow{Course::kStraight, Course::kTurnLeft, Course::kTurnRight, Course::kWeave, Course::kStopAndGo, Course::kSpin, Course::kSidestep, Course::kBackward};
  static constexpr std::array kFast{Course::kStraight, Course::kTurnLeft, Course::kTurnRight, Course::kWeave};
  (void)family;
  switch (gait) {
    case Gait::kIdle:
    case Gait::kJump:
    case Gait::kAttack: return kStill;
    case Gait::kWalk: return kSlow;
    default: return kFast;
  }
}

bool can_use(BodyFamily family, Gait gait, TerrainKind terrain) {
  if (terrain == TerrainKind::kFlat) return true;
  if (family == BodyFamily::kFish) return false;
  switch (gait) {
    case Gait::kFly:
    case Gait::kGlide:
    case Gait::kHover:
    case Gait::kSwim:
    case Gait::kDart: return false;
    case Gait::kTrot:
    case Gait::kPace:
    case Gait::kCanter:
    case Gait::kGallop:
    case Gait::kBound:
    case Gait::kRun:
    case Gait::kHop:
    case Gait::kJump:
    case Gait::kSidewind: return terrain != TerrainKind::kStairs;
    default: return true;
  }
}

}  // namespace zoe::synth
