// SPDX-License-Identifier: MIT
// Part of Zoetrope. Follow-through: loose parts are springs that lag behind the body, swing out and settle.
#pragma once

#include <memory>
#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/render/software/model.h"

#include "sprite/loose.h"

namespace zoe::sprite {

// Turns of one pendant in time.
struct PendantTrack {
  double rate_hz = 60;
  std::vector<Vec3> turns_rad;  // [moments] rotation vector at the lower end; space of the joint.

  Vec3 at(double time_s) const;
};

struct FollowThrough {
  std::shared_ptr<const Motion> motion;  // With the chains' own turns.
  std::vector<PendantTrack> pendants;    // In the order of LooseParts::pendants.
};

// amount: how far parts swing, 0 to 2. Loops are simulated until they repeat. height: of the body, model units. Loose
// parts of a body that runs also stream backwards, more the faster it is.
FollowThrough follow_through(std::shared_ptr<const Motion> motion, const LooseParts& parts,
                             const SkeletonAnalysis& body, float height, float amount, bool loop);

// Bends the vertices of pendants. model_from_joint: of the pose of `vertices`.
void bend_pendants(const LooseParts& parts, const std::vector<PendantTrack>& tracks, double time_s,
                   const std::vector<Affine>& model_from_joint, const render::SoftwareModel& model,
                   render::PosedVertices& vertices);

// Speed over the ground, heights per second: of the travel, else of the feet that slide back below a body that runs on
// the spot.
float ground_speed(const Motion& motion, const SkeletonAnalysis& body, float height);

}  // namespace zoe::sprite
