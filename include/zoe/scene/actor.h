// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character in the scene: its pose now and a fixed step ago.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/character/pose.h"

namespace zoe::scene {

// Systems write `pose` (parent-relative); the joints' places follow from it at the end of each step. Bones keep their
// lengths because poses turn joints: there is nothing to restore.
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

// At rest. All memory an actor will ever need.
Actor make_actor(CharacterPtr character);

// A skeleton alone as a character: what plays a clip without a mesh.
CharacterPtr make_bare_character(SkeletonPtr skeleton, std::string name = "actor");

// Writes a pose into actor.pose. Scales that the view leaves out are ones.
void write_pose(const PoseView& pose, Actor& actor);
// Begins with a pose: now, a step ago, and the joints. For actors that are put into a scene.
void start_with_pose(const PoseView& pose, Actor& actor);
// This step becomes the one before.
void keep_before(Actor& actor);
// model_from_joint from pose.
void update_joints(Actor& actor);
// Metres a second in model space, over the last step of step_s; zero before the second step.
Vec3 joint_velocity_model(const Actor& actor, int joint, double step_s);

// What is drawn between steps: alpha 0 is the step before, 1 this one. `out` is made for the same skeleton.
void interpolate_pose(const Actor& actor, float alpha, Pose& out);

}  // namespace zoe::scene
