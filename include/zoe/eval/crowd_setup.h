// SPDX-License-Identifier: MIT
// Part of Zoetrope. A crowd of one controller in a scene, with bodies of different sizes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "zoe/control/crowd.h"
#include "zoe/eval/crowd_run.h"
#include "zoe/eval/crowd_scenes.h"

namespace zoe::eval {

struct CrowdSetup {
  std::string scene = "streams";  // One of scene_names().
  int num_characters = 0;
  std::uint64_t seed = 1;
  float spacing_m = 1.5F;  // At the start.
  float speed_mps = 1.3F;  // Within a tenth.
  float radius_m = 0.25F;  // Of a body on the ground.
  bool avoids = true;
  std::optional<Range> sizes, legs;  // See draw_proportions().
  // Distances to the eye from which the model runs every second and every third step.
  std::optional<Range> detail_from_m;
  int max_full = 0;  // At most N characters run every step of the model. 0: no limit.
};

struct DirectedCrowd {
  std::shared_ptr<control::Crowd> crowd;
  std::shared_ptr<CrowdDirector> director;
};
// Fails on an unknown scene.
Result<DirectedCrowd> make_crowd(const control::ControllerPtr& controller, const CrowdSetup& setup);

}  // namespace zoe::eval
