// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints of a drawn figure: names, positions, and their file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/sprite/puppet/cut_out.h"
#include "zoe/sprite/puppet/point.h"

namespace zoe::sprite {

enum class PuppetBody : std::uint8_t {
  kHumanoid,  // Upright, with two arms and two legs.
  kAnimal,    // Seen from the side, with two to four legs, facing right.
  kBlob,      // Without limbs, upright: slimes, ghosts, heads.
  kWorm,      // Without limbs, lying: snakes, fish.
};
const char* to_string(PuppetBody body);
std::optional<PuppetBody> puppet_body_from(std::string_view word);

struct PuppetJoint {
  std::string name;
  int parent = -1;        // An earlier joint.
  Point position;         // Pixels of the figure.
  double confidence = 0;  // 0 to 1.
};

struct PuppetRig {
  PuppetBody body = PuppetBody::kHumanoid;
  bool flipped = false;  // The drawing faces left: the figure is mirrored before all else.
  std::vector<PuppetJoint> joints;

  // -1 where there is none.
  int find(std::string_view name) const;
  // The mean of the joints'.
  double confidence() const;
};

// Joints in pixels of the drawing's file, as JSON.
std::string write_rig(const PuppetRig& rig, const CutOut& cut);
// Fails on unknown or missing joints of the body, and on positions that are not finite.
Result<PuppetRig> parse_rig(std::string_view json, const CutOut& cut, const std::string& name);

// Names and parents of a body's joints, in order. Legs of animals are optional, in pairs of hind and front.
struct JointName {
  const char* name;
  const char* parent;  // Empty: none.
  bool optional = false;
};
const std::vector<JointName>& joint_names(PuppetBody body);

}  // namespace zoe::sprite
