// SPDX-License-Identifier: MIT
// Part of Zoetrope. A made-up body: skeleton, skinned mesh, joint limits, masses, and what its
// limbs are for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"
#include "zoe/core/random.h"
#include "zoe/ik/joint_limit.h"

namespace zoe::synth {

// How joints are called. All but kNumbered tell what a joint is.
enum class Names : std::uint8_t { kPlain, kMixamo, kBip01, kUnreal, kBlender, kNumbered };
constexpr int kNumNames = 6;
const char* to_string(Names names);

// A leg, from the body outwards: [base,] upper, lower, distal…[, tip]. Rest frames have the axes of
// the model. upper and lower are solved so that distal.front() is where the foot wants it; the
// pitch of the distal bones follows from the gait; distal.back() is what stands on the ground.
struct Leg {
  Side side = Side::kLeft;
  int row = 0;           // 0 is the foremost pair.
  int trunk = kNoJoint;  // What the leg hangs on: hips, chest, a segment.
  int base = kNoJoint;   // Coxa or shoulder blade; turns about the vertical only (arthropods), or
                         // not at all.
  int upper = kNoJoint, lower = kNoJoint;
  std::vector<int> distal;   // At least one.
  int tip = kNoJoint;        // Toe tip, or kNoJoint.
  bool plantigrade = false;  // Rolls from heel to ball; distal is ankle, ball.
  bool sprawling = false;    // Arthropods: the leg's plane turns with the base.
  Vec3 hinge{1, 0, 0};       // Of `lower`, unit; a positive turn folds the leg.
  Vec3 pole{0, 0, 1};        // Where the knee points, model axes at rest.
  Vec3 heel;                 // Plantigrade: the heel's contact point, from the ankle.
  float reach_m = 0;         // Length of the two solved bones.
  float length_m = 0;        // From the top to the ground at rest, along the vertical.
  float sole_m = 0;          // Height of distal.back() above the ground at rest.
};

struct Arm {
  Side side = Side::kLeft;
  int clavicle = kNoJoint, upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
  std::vector<int> fingers;  // All their joints.
  Vec3 direction;            // Of the upper arm at rest, unit.
};

struct Wing {
  Side side = Side::kLeft;
  int upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
  std::vector<int> fingers;  // Finger bones or feather groups at the hand.
  int upper_sail = kNoJoint,
      lower_sail = kNoJoint;  // What hangs behind arm and forearm; lies along them when folded.
};

struct Fin {
  Side side = Side::kCenter;
  std::vector<int> joints;
};

struct Body {
  BodyFamily family = BodyFamily::kOther;
  std::string species;     // "a stocky humanoid", "a long-legged horse-like animal": for captions.
  CharacterPtr character;  // With a mesh unless made without one.
  SkeletonPtr skeleton;

  std::vector<JointLimit> limits;    // [joints]
  std::vector<float> masses_kg;      // [joints] of what moves with the joint; zero for mere ends.
  std::vector<Vec3> mass_centres_m;  // [joints] in the joint's frame.

  int root = kNoJoint;   // Moves with the body; joint 0, or its child where joint 0 marks the place
                         // on the ground.
  int chest = kNoJoint;  // Carries neck and forelimbs.
  int head = kNoJoint, jaw = kNoJoint;
  std::vector<int> spine, neck, tail;  // From the root outwards; spine ends with the chest.
  std::vector<int> ears;
  std::vector<Leg> legs;  // Foremost pair first, left before right.
  std::vector<Arm> arms;
  std::vector<Wing> wings;
  std::vector<Fin> fins;
  bool sting = false;             // The tail is a weapon (scorpions).
  bool vertical_swimmer = false;  // The tail beats up and down (dolphins).

  float leg_length_m = 0;                   // Mean of the legs'; for Froude numbers. Legless: a share of the length.
  float body_length_m = 0;                  // Along z at rest.
  float wing_span_m = 0, wing_area_m2 = 0;  // Spread, both wings.
  float radius_m = 0;                       // Of the trunk: how high a snake's spine lies.

  float mass_kg() const;
  bool upright() const { return family == BodyFamily::kBiped; }
};

struct BodyOptions {
  Names names = Names::kPlain;
  bool mesh = true;
  float size = 1;  // Scales the whole body, > 0.
};

// A body of the family with proportions and joint counts drawn from `random`. kOther is a caller's
// bug.
Body make_body(BodyFamily family, Random random, const BodyOptions& options = {});

// Families that make_body knows, in the order of the enumeration.
std::span<const BodyFamily> families();

// Long bodies on many legs: their segments go where the first one went.
bool follows_path(const Body& body);

// Where the whole body's mass centre is in a pose given by [joints] model_from_joint.
Vec3 centre_of_mass(const Body& body, std::span<const Affine> model_from_joint);

}  // namespace zoe::synth
