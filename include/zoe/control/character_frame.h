// SPDX-License-Identifier: MIT
// Part of Zoetrope. One moment of a character.
#pragma once

#include <vector>

#include "zoe/character/pose.h"
#include "zoe/motion/root.h"

namespace zoe::control {

// One moment of a character. Sized once; contacts are [Controller::contact_joints()], 0 to 1.
struct CharacterFrame {
  PlanarRoot root;
  Pose pose;  // Joint 0 places the body in the space of the frame.
  std::vector<float> contacts;
};

}  // namespace zoe::control
