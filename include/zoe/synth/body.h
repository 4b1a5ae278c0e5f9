// SPDX-License-Identifier: MIT
// Part of Zoetrope. A synthetic body: skeleton, skinned mesh, joint limits, masses, and the roles of its limbs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"
#include "zoe/core/random.h"
#include "zoe/ik/joint_limit.h"

namespace zoe::synth {

// Naming conventions of joints. All but kNumbered identify the joint.
enum class Names : std::uint8_t { kPlain, kMixamo, kBip01, kUnreal, kBlender, kNumbered };
constexpr int kNumNames = 6;
const char* to_string(Names names);

// A leg, from the body outwards: [base,] upper, lower, distal…[, tip]. Rest frames have the axes of the model. upper
// and lower are solved so that distal.front() reaches its target. The pitch of the distal bones follows from the gait.
// distal.back() is in contact with the ground.
struct Leg {
  Side side = Side::kLeft;
  int row = 0;           // 0 is the foremost pair.
  int trunk = kNoJoint;  // Parent of the leg: hips, chest, a segment.
  int base = kNoJoint;   // Coxa or shoulder blade. Turns about the vertical only (arthropods), or not at all.
  int upper = kNoJoint, lower = kNoJoint;
  std::vector<int> distal;   // At least one.
  int tip = kNoJoint;        // Toe tip, or kNoJoint.
  bool plantigrade = false;  // Rolls from heel to ball; distal is ankle, ball.
  bool sprawling = false;    // Arthropods: the leg's plane turns with the base.
  Vec3 hinge{1, 0, 0};       // Axis of `lower`, unit; a positive rotation folds the leg.
  Vec3 pole{0, 0, 1};        // Direction of the knee, model axes at rest.
  Vec3 heel;                 // Plantigrade: the heel's contact point, from the ankle.
  float reach_m = 0;         // Length of the two solved bones.
  float length_m = 0;        // Vertical distance from the top to the ground at rest.
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
      lower_sail = kNoJoint;  // Membranes behind arm and forearm; they lie along them when folded.
};

struct Fin {
  Side side = Side::kCenter;
  std::vector<int> joints;
};

// Flesh around a bone: a cone with round ends, in the joint's frame.
struct Flesh {
  int joint = kNoJoint;
  Vec3 a, b;
  float radius_a_m = 0, radius_b_m = 0;
};

struct Body {
  BodyFamily family = BodyFamily::kOther;
  std::string species;     // "a stocky humanoid", "a long-legged horse-like animal": for captions.
  CharacterPtr character;  // With a mesh unless disabled.
  SkeletonPtr skeleton;

  std::vector<JointLimit> limits;    // [joints]
  std::vector<float> masses_kg;      // [joints] Mass that moves with the joint; zero for ends.
  std::vector<Vec3> mass_centres_m;  // [joints] in the joint's frame.
  std::vector<Flesh> flesh;          // Without clothes' folds: cross-sections are taken as round.

  int root = kNoJoint;   // Moves with the body; joint 0, or its child where joint 0 is a marker on the ground.
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

  float leg_length_m = 0;                   // Mean of the legs; for Froude numbers. Legless: a fraction of the length.
  float body_length_m = 0;                  // Along z at rest.
  float wing_span_m = 0, wing_area_m2 = 0;  // Spread, both wings.
  float radius_m = 0;                       // Of the trunk: the height of a snake's spine.

  float mass_kg() const;
  bool upright() const { return family == BodyFamily::kBiped; }
};

struct BodyOptions {
  Names names = Names::kPlain;
  bool mesh = true;
  float size = 1;  // Scales the whole body, > 0.
};

// A body of the family, with proportions and joint counts drawn from `random`. kOther is a caller's bug.
Body make_body(BodyFamily family, Random random, const BodyOptions& options = {});

// Families of make_body, in the order of the enumeration.
std::span<const BodyFamily> families();

// Long bodies on many legs: their segments follow the path of the first one.
bool follows_path(const Body& body);

// Centre of mass of the body in a pose given by [joints] model_from_joint.
Vec3 centre_of_mass(const Body& body, std::span<const Affine> model_from_joint);

}  // namespace zoe::synth
