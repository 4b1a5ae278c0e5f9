// SPDX-License-Identifier: MIT
#include "zoe/sprite/puppet/find_rig.h"

#include "sprite/puppet/humanoid.h"
#include "sprite/puppet/resize.h"

namespace zoe::sprite {

PuppetRig find_rig(const render::Picture& figure, std::optional<PuppetBody> body, bool flip) {
  Silhouette shape = silhouette_of(figure);
  const BodyGuess guess = guess_body(shape);
  PuppetRig rig{.body = body.value_or(guess.body)};
  rig.flipped = flip || (rig.body == PuppetBody::kAnimal && guess.faces_left);
  if (rig.flipped) shape = silhouette_of(mirrored(figure));
  const FoundJoints found = rig.body == PuppetBody::kHumanoid ? find_humanoid(shape)
                            : rig.body == PuppetBody::kAnimal ? find_animal(shape)
                            : rig.body == PuppetBody::kBlob   ? find_blob(shape)
                                                              : find_worm(shape);
  for (const JointName& name : joint_names(rig.body)) {
    for (const auto& [joint, place] : found) {
      if (joint != name.name) continue;
      rig.joints.push_back({name.name, rig.find(name.parent), shape.to_figure(place.position), place.confidence});
    }
  }
  return rig;
}

}  // namespace zoe::sprite
