// SPDX-License-Identifier: MIT
// Part of Zoetrope. The flesh and clothes of people around joints that are already placed.
#pragma once

#include "synth/palette.h"
#include "synth/plan.h"

namespace zoe::synth {

// Proportions, metres; girth is a factor of about 1.
struct Build {
  float height, leg, foot, hip_half, shoulder_half, girth, head, arm;
  int num_fingers;  // Including the thumb. 0: one joint per hand.
  float width() const { return 0.5F + 0.5F * girth; }
};

// The closed hulls that a person is made of.
struct PersonLayers {
  int skin, face, hands, hair, shirt, trousers, shoes, soles;
};
PersonLayers add_person_layers(Plan& plan, const Build& build, const Look& look);

void add_trunk_flesh(Plan& plan, const Build& build, const PersonLayers& layers, float neck_y);
void add_head_flesh(Plan& plan, const Build& build, const PersonLayers& layers, const Look& look);
void add_arm_flesh(Plan& plan, const Build& build, const PersonLayers& layers, const Look& look, const Arm& arm);
void add_leg_flesh(Plan& plan, const Build& build, const PersonLayers& layers, const Look& look, const Leg& leg);

}  // namespace zoe::synth
