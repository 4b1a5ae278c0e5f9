// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints of bodies by their silhouette; all in its pixels.
#pragma once

#include "zoe/sprite/puppet/rig.h"

#include "sprite/puppet/silhouette.h"

namespace zoe::sprite {

// Columns of the lowest pixels: legs stand out downwards.
struct Legs {
  std::vector<double> lowest;  // [columns] Lowest row of the figure, 0 where the column is empty.
  std::vector<Peak> peaks;     // Ends of legs, from the left.
};
Legs find_legs(const Silhouette& shape, double min_height);

struct Found {
  Point position;
  double confidence = 0;
};
using FoundJoints = std::vector<std::pair<std::string, Found>>;

// How much narrower the neck is than head and body, of the widest; below 0: no neck.
double neck_notch(const Silhouette& shape);

FoundJoints find_humanoid(const Silhouette& shape);
FoundJoints find_animal(const Silhouette& shape);  // Facing right.
FoundJoints find_blob(const Silhouette& shape);
FoundJoints find_worm(const Silhouette& shape);

struct BodyGuess {
  PuppetBody body = PuppetBody::kHumanoid;
  bool faces_left = false;
};
BodyGuess guess_body(const Silhouette& shape);

}  // namespace zoe::sprite
