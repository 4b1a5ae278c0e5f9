// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character in the scene: its pose now and one fixed step before.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/character/pose.h"

namespace zoe::scene {

// Systems write `pose` (parent-relative). The positions of joints follow from it at the end of each step. Poses only
// rotate joints, so bones keep their lengths.
struct Actor {
  CharacterPtr character;                // Never null.
  Pose pose;                             // Of this step.
  std::vector<float> morph_weights;      // Character::num_morph_weights().
  std::vector<Affine> model_from_joint;  // Of `pose`, as of the end of the last step.
  Pose pose_before;                      // Of the step before.
  std::vector<Affine> model_from_joint_before;
  std::vector<float> morph_weights_before;

  const Skeleton& skeleton() const { return *character->skeleton; }
};

// In the rest pose. Allocates all memory of an actor.
Actor make_actor(CharacterPtr character);

// A skeleton alone as a character, to play a clip without a mesh.
CharacterPtr make_bare_character(SkeletonPtr skeleton, std::string name = "actor");

// Writes a pose into actor.pose. Scales that the view lacks are ones.
void write_pose(const PoseView& pose, Actor& actor);
// Starts with a pose: now, a step ago, and the joints. For actors that are added to a scene.
void start_with_pose(const PoseView& pose, Actor& actor);
// Copies this step to the previous one.
void keep_before(Actor& actor);
// model_from_joint from pose.
void update_joints(Actor& actor);
// Metres per second in model space, over the last step of step_s; zero before the second step.
Vec3 joint_velocity_model(const Actor& actor, int joint, double step_s);

// The pose between steps for drawing: alpha 0 is the step before, 1 this one. `out` has the same skeleton.
void interpolate_pose(const Actor& actor, float alpha, Pose& out);

}  // namespace zoe::scene
