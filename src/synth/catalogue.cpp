// SPDX-License-Identifier: MIT
// Part of Zoetrope. Gaits and courses of the families, and their names.
#include <array>

#include "zoe/synth/clip.h"

namespace zoe::synth {

const char* to_string(Gait gait) {
  constexpr std::array<const char*, kNumGaits> kWords{
      "idle", "walk", "run",    "hop", "trot",  "pace",  "canter",  "gallop",   "bound", "tripod", "ripple",
      "wave", "jump", "attack", "fly", "glide", "hover", "slither", "sidewind", "swim",  "dart"};
  return kWords[static_cast<std::size_t>(gait)];
}

const char* to_string(Style style) {
  constexpr std::array<const char*, kNumStyles> kWords{"neutral", "tired", "sneaky", "proud", "injured",
                                                       "happy",   "angry", "old",    "heavy"};
  return kWords[static_cast<std::size_t>(style)];
}

const char* to_string(Course course) {
  constexpr std::array<const char*, kNumCourses> kWords{"straight", "turn_left", "turn_right", "weave", "stop_and_go",
                                                        "spin",     "sidestep",  "backward",   "wander"};
  return kWords[static_cast<std::size_t>(course)];
}

std::span<const Gait> gaits_of(BodyFamily family) {
  static constexpr std::array kBiped{Gait::kIdle, Gait::kWalk, Gait::kRun, Gait::kHop, Gait::kJump, Gait::kAttack};
  static constexpr std::array kQuadruped{Gait::kIdle,   Gait::kWalk,  Gait::kTrot, Gait::kPace,  Gait::kCanter,
                                         Gait::kGallop, Gait::kBound, Gait::kJump, Gait::kAttack};
  static constexpr std::array kManyLegs{Gait::kIdle,   Gait::kWalk, Gait::kRun,  Gait::kTripod,
                                        Gait::kRipple, Gait::kWave, Gait::kJump, Gait::kAttack};
  static constexpr std::array kMillipede{Gait::kIdle, Gait::kWalk, Gait::kRun, Gait::kAttack};
  static constexpr std::array kBird{Gait::kIdle,   Gait::kWalk, Gait::kRun,   Gait::kHop,  Gait::kJump,
                                    Gait::kAttack, Gait::kFly,  Gait::kGlide, Gait::kHover};
  static constexpr std::array kFlyer{Gait::kIdle,   Gait::kWalk, Gait::kRun,   Gait::kJump,
                                     Gait::kAttack, Gait::kFly,  Gait::kGlide, Gait::kHover};
  static constexpr std::array kSnake{Gait::kIdle, Gait::kSlither, Gait::kSidewind, Gait::kAttack};
  static constexpr std::array kFish{Gait::kIdle, Gait::kSwim, Gait::kDart, Gait::kAttack};
  switch (family) {
    case BodyFamily::kBiped:
      return kBiped;
    case BodyFamily::kQuadruped:
      return kQuadruped;
    case BodyFamily::kHexapod:
    case BodyFamily::kOctopod:
      return kManyLegs;
    case BodyFamily::kMillipede:
      return kMillipede;
    case BodyFamily::kBird:
      return kBird;
    case BodyFamily::kFlyer:
      return kFlyer;
    case BodyFamily::kSnake:
      return kSnake;
    case BodyFamily::kFish:
      return kFish;
    default:
      return {};
  }
}

std::span<const Course> courses_of(BodyFamily family, Gait gait) {
  static constexpr std::array kStill{Course::kStraight};
  static constexpr std::array kSlow{Course::kStraight, Course::kTurnLeft,  Course::kTurnRight,
                                    Course::kWeave,    Course::kStopAndGo, Course::kSpin,
                                    Course::kSidestep, Course::kBackward,  Course::kWander};
  static constexpr std::array kFast{Course::kStraight, Course::kTurnLeft, Course::kTurnRight, Course::kWeave};
  static constexpr std::array kAhead{Course::kStraight, Course::kTurnLeft, Course::kTurnRight, Course::kWeave,
                                     Course::kStopAndGo};
  const bool still = gait == Gait::kIdle || gait == Gait::kJump || gait == Gait::kAttack;
  if (gait == Gait::kSidewind || gait == Gait::kHover) return kStill;
  if ((family == BodyFamily::kMillipede || family == BodyFamily::kSnake || family == BodyFamily::kFish) && !still)
    return kAhead;
  switch (gait) {
    case Gait::kIdle:
    case Gait::kJump:
    case Gait::kAttack:
      return kStill;
    case Gait::kTripod:
    case Gait::kRipple:
    case Gait::kWave:
    case Gait::kWalk:
      if (family == BodyFamily::kBiped || family == BodyFamily::kQuadruped) return kSlow;
      return std::span(kSlow).first(kSlow.size() - 1);
    default:
      return kFast;
  }
}

bool can_use(BodyFamily family, Gait gait, TerrainKind terrain) {
  if (terrain == TerrainKind::kFlat) return true;
  if (family == BodyFamily::kFish) return false;
  // Long bodies and sprawling legs do not fit on treads. The folded legs of birds flip on them.
  const bool steps = family == BodyFamily::kBiped || family == BodyFamily::kQuadruped;
  const bool narrow = has_edges(terrain) || terrain == TerrainKind::kBeams;
  if (narrow && !steps) return false;
  switch (gait) {
    case Gait::kFly:
    case Gait::kGlide:
    case Gait::kHover:
    case Gait::kSidewind:
    case Gait::kSwim:
    case Gait::kDart:
      return false;
    case Gait::kTrot:
    case Gait::kPace:
    case Gait::kCanter:
    case Gait::kGallop:
    case Gait::kBound:
    case Gait::kRun:
    case Gait::kHop:
    case Gait::kJump:
      return !narrow;
    default:
      return true;
  }
}

}  // namespace zoe::synth
