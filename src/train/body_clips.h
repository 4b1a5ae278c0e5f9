// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips of bodies as the model `anytop` learns them: numbers relative to the rest pose, held in
// memory; altered bodies with the same motions; clips that repeat without a jump.
#pragma once

#include <string>
#include <vector>

#include "zoe/core/random.h"
#include "zoe/features/body_tokens.h"

namespace zoe::train {

struct BodyClip {
  int clip = 0;               // Of the dataset.
  std::vector<float> values;  // [frames × tokens × kTokenWidth] without the first row, which has no step before it.
  int frames = 0;
  bool loops = false;  // The last frame is followed by the first.
};

struct BodyClips {
  features::BodyTokens body;
  std::vector<BodyClip> clips;
};

// Whether the last pose is about the one before `values` (at the clip's very beginning): within two usual steps of a
// frame, or a tenth of how far the clip goes from it, as blows and jumps that end where they began. Then the last
// frames share the difference, so that the clip repeats without a jump.
bool close_loop(const features::BodyTokens& body, std::span<const float> first_row, BodyClip& clip);

// Walks and runs on the spot, as in games: the root then travels so that the feet in contact rest on the ground. Only
// for clips that loop, hardly travel and have feet that slide.
void make_travel(const features::BodyTokens& body, BodyClip& clip);

// Flights far above the ground come down to it. How high a body flies says nothing about how, and heights of a few
// flyers would be the unit for the steps of all others.
void lower_flight(const features::BodyTokens& body, BodyClip& clip);

// Clips that travel faster than any body that walks or runs, such as flights at full speed, travel slower; bodies that
// have feet in contact stay as they are.
void slow_down(const features::BodyTokens& body, BodyClip& clip);

struct Alterations {
  double bone_spread = 0.12;   // Deviation of the logarithm of lengths, one for each role of joints.
  double split_chance = 0.12;  // Of a bone in the middle of a chain.
  double rename_chance = 0.5;  // Of a body.
};
// Another body with the same motions: bones of other lengths (alike on both sides), some bones in two pieces, and other
// names for joints. Rotations stay; positions, steps of the root and velocities are those of the new bones.
BodyClips altered(const BodyClips& original, double fps, const Alterations& how, Random& random);

}  // namespace zoe::train
