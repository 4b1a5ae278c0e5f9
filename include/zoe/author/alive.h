// SPDX-License-Identifier: MIT
// Part of Zoetrope. A controller for any rig, without clips and without training: the analysis of the body plans how it
// moves, and control/gait.h moves it.
//
//   const Alive crab = make_alive(io::read_asset("crab.glb").value()).value();
//   const auto controller = control::make_gait_controller(crab.body, crab.plan).value();
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/gait.h"
#include "zoe/control/sources.h"
#include "zoe/io/asset.h"

namespace zoe::author {

struct Alive {
  control::Body body;
  control::GaitPlan plan;
  CharacterPtr character;          // In metres. Its skeleton is the body's.
  SkeletonAnalysis analysis;       // In metres.
  std::vector<std::string> notes;  // What was assumed, one sentence each.
};

// Clips of the asset count only where it has no skin: the rest pose of a capture may be bones along one axis. Fails on
// an asset without joints. A body without legs crawls, swims, flies or hops. overrides: corrections of the analysis, a
// TOML file; may be empty.
struct AliveOptions {
  bool fly = false;  // A body with wings flies, also where it has legs.
};
Result<Alive> make_alive(const io::Asset& asset, const std::string& overrides = {}, const AliveOptions& options = {});

// Measures of a figure of eight, walked at the body's own pace.
struct AliveReport {
  double seconds = 0;
  double path_error = 0, worst_path_error = 0;  // Distance of the root from the path, in body lengths.
  // Mean speed of points of contact over the ground, as a fraction of the body's speed: while the controller says that
  // they are planted; while they are near the ground in the motion, whatever it says; and the latter of a synthetic
  // walk of the family.
  double skate = 0, found_skate = 0, synthetic_skate = 0;
  double limit_rad = 0;  // Largest violation of a joint limit.
  std::string limit_joint;
  double sunk = 0;                          // Deepest point of contact below the ground, in leg lengths.
  double stretch = 1, allowed_stretch = 1;  // Of the skin, see retarget/skin_stretch.h.
  int num_recoveries = 0;
};
Result<AliveReport> measure_alive(const Alive& alive, const io::Asset& asset);

// A closed figure of eight of this half width, beginning at its crossing.
Result<control::Path> figure_of_eight(float half_width_m);

}  // namespace zoe::author
