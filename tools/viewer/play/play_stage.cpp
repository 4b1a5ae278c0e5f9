// SPDX-License-Identifier: MIT
#include "play/play_stage.h"

#include <algorithm>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/load.h"
#include "zoe/scene/draw.h"

namespace zoe::viewer {

Result<std::unique_ptr<PlayStage>> PlayStage::open(const cli::PlayOptions& options, bool draws) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(options.run));
  ZOE_TRY_ASSIGN(std::unique_ptr<control::IntentSource> source, eval::make_source(options.source(), *controller));
  std::unique_ptr<stream::IntentPort> port;
  if (options.port >= 0) {
    ZOE_TRY_ASSIGN(port, stream::IntentPort::open(*controller, {.address = options.listen, .port = options.port}));
  }
  const PlanarRoot start = source ? eval::start_of(*source) : PlanarRoot{};
  auto driver = std::make_unique<PlayDriver>(std::move(source), !options.script.empty(), std::move(port));

  std::unique_ptr<PlayStage> stage(new PlayStage);
  stage->driver_ = driver.get();
  ecs::World& world = stage->scene_.world();
  stage->actor_ = scene::add_controlled_actor(world, controller, std::move(driver), {.start = start});
  const auto& actor = world.get<scene::Actor>(stage->actor_);
  float low = 0, high = 0;
  for (const Affine& joint : actor.model_from_joint) {
    low = std::min(low, joint.t.y);
    high = std::max(high, joint.t.y);
  }
  stage->height_m_ = std::max(high - low, 0.05F);
  if (draws) {
    const SkeletonAnalysis body = analyse(*controller->skeleton());
    world.add(stage->actor_, scene::make_drawn_bones(actor, body.family == BodyFamily::kBiped ? body.head : kNoJoint));
    scene::add_draw_systems(stage->scene_);
  }
  return stage;
}

}  // namespace zoe::viewer
