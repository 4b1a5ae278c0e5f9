// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_setup.h"

#include <limits>
#include <tuple>

namespace zoe::eval {
namespace {

control::CrowdOptions options_of(const CrowdSetup& setup, const CrowdScene& scene) {
  control::CrowdOptions options{.proportions = {}, .radius_m = setup.radius_m, .avoidance = {}, .detail = {}};
  if (setup.sizes || setup.legs) {
    options.proportions = draw_proportions(setup.num_characters, setup.sizes.value_or(Range{1.0F, 1.0F}),
                                           setup.legs.value_or(Range{1.0F, 1.0F}), setup.seed);
  }
  if (setup.avoids) options.avoidance.emplace();
  if (!setup.detail_from_m && setup.max_full == 0) return options;
  options.detail.emplace();
  options.detail->eye = {0, 10, 2 * scene.half_size_m};  // Until a camera is set: before the scene.
  options.detail->half_from_m = options.detail->third_from_m = std::numeric_limits<float>::max();
  if (setup.detail_from_m) std::tie(options.detail->half_from_m, options.detail->third_from_m) = *setup.detail_from_m;
  if (setup.max_full > 0) options.detail->max_full = setup.max_full;
  return options;
}

}  // namespace

Result<DirectedCrowd> make_crowd(const control::ControllerPtr& controller, const CrowdSetup& setup) {
  ZOE_TRY_ASSIGN(CrowdScene scene, make_scene(setup.scene, setup.num_characters, setup.seed, setup.spacing_m));
  auto crowd = std::make_shared<control::Crowd>(controller, scene.places, options_of(setup, scene));
  auto director = std::make_shared<CrowdDirector>(std::move(scene), setup.speed_mps, setup.seed);
  return DirectedCrowd{std::move(crowd), std::move(director)};
}

}  // namespace zoe::eval
