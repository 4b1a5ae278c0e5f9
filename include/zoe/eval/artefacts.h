// SPDX-License-Identifier: MIT
// Part of Zoetrope. Counts what looks wrong in a motion: moments in which it does what the mocap of its data never
// does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/sources.h"
#include "zoe/dataset/dataset.h"

namespace zoe::eval {

enum class Artefact : std::uint8_t {
  kSlide,   // A foot on the ground moves over it.
  kSpike,   // A joint is too fast, or its velocity changes too fast.
  kHeight,  // Feet below the ground or all of them above it, or the body too low.
};
constexpr int kNumArtefacts = 3;

// Beyond these a moment is an artefact. Measured at 30 frames per second.
struct ArtefactLimits {
  float slide_mps =
      0;  // Of the slowest part (ankle, ball) of a foot on the ground: less than 1 cm above its contact height.
  float joint_mps = 0, joint_mps2 = 0;  // Of any joint, relative to the root.
  float lowest_m = 0, highest_m = 0;    // Of the lowest foot part, above its contact height.
  float top_m = 0;                      // Least height of the highest joint.
};
constexpr double kArtefactRate_hz = 30;
// The 99.9th percentile of the clips of the body's skeleton (99th for sliding), and a quarter more (heights: 2 cm).
// Fails where the data has no such clip.
Result<ArtefactLimits> artefact_limits(const dataset::Dataset& data, const control::Body& body);

// Sees a motion frame by frame, at kArtefactRate_hz.
class ArtefactWatch {
 public:
  ArtefactWatch(const control::Body& body, const ArtefactLimits& limits);
  // A bit for each Artefact of this frame; 0 in the first four.
  unsigned see(const PoseView& pose_world, const PlanarRoot& root_world);
  // The numbers of the last frame that limits are compared with.
  const ArtefactLimits& seen() const { return seen_; }

 private:
  const control::Body& body_;
  ArtefactLimits limits_, seen_;
  std::vector<Affine> joints_, before_;
  std::vector<Vec3> velocities_;
  std::vector<std::array<float, 3>> slides_;  // [legs] Of the last frames.
  PlanarRoot root_before_;
  int num_seen_ = 0;
};

// Sticks as no data has them: a new position every 0.2 to 0.9 s, a third of them straight back, up to 2.2 times the
// pace, and half of them face another direction.
std::unique_ptr<control::IntentSource> wild_sticks(std::uint64_t seed, float pace_mps);

struct ArtefactOptions {
  double minutes = 5;
  std::uint64_t seed = 1;
};
struct Artefacts {
  double per_minute = 0;               // Frames with an artefact less than 0.2 s apart count once.
  double share = 0;                    // Of the frames.
  double by_kind[kNumArtefacts] = {};  // The same for each type of artefact.
};
// On wild sticks, on flat ground.
Artefacts count_artefacts(const control::Controller& controller, const control::Body& body,
                          const ArtefactLimits& limits, const ArtefactOptions& options = {});

}  // namespace zoe::eval
