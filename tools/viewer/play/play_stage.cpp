// SPDX-License-Identifier: MIT
#include "play/play_stage.h"

#include <algorithm>

#include "zoe/anatomy/analysis.h"
#include "zoe/ground/terrain.h"
#include "zoe/scene/draw.h"

#include "controller/playable.h"
#include "ground_option.h"

namespace zoe::viewer {

Result<std::unique_ptr<PlayStage>> PlayStage::open(const cli::PlayOptions& options) {
  ZOE_TRY_ASSIGN(
      cli::Playable playable,
      cli::load_playable({.run = options.run, .character = options.character, .overrides = options.overrides}));
  const control::ControllerPtr controller = playable.controller;
  ZOE_TRY_ASSIGN(std::unique_ptr<control::IntentSource> source, eval::make_source(options.source(), *controller));
  scene::DisplayedBody body = std::move(playable.body);
  const CharacterPtr skin = body.retarget ? nullptr : body.character;  // Gives shapes to a simulated body.
  if (options.show_body) body = {};
  std::unique_ptr<stream::IntentPort> port;
  if (options.port >= 0) {
    ZOE_TRY_ASSIGN(port, stream::IntentPort::open(*controller, {.address = options.listen,
                                                                .port = options.port,
                                                                .token = options.token,
                                                                .command_timeout_s = options.command_timeout_s}));
  }
  GroundPtr ground;
  if (!options.ground.empty()) {
    ZOE_TRY_ASSIGN(ground, cli::read_ground(options.ground));
  }
  const PlanarRoot start = source ? eval::start_of(*source) : PlanarRoot{};
  auto driver = std::make_unique<PlayDriver>(std::move(source), !options.script.empty(), std::move(port));

  if (!options.in_style.empty()) {
    ZOE_TRY_ASSIGN(const control::StyleMix mix, control::parse_style_mix(options.in_style, controller->styles()));
    driver->set_styles(mix);
  }

  std::unique_ptr<PlayStage> stage(new PlayStage);
  stage->driver_ = driver.get();
  ecs::World& world = stage->scene_.world();
  stage->actor_ = scene::add_controlled_actor(world, controller, std::move(driver),
                                              {.start = start, .body = std::move(body), .ground = ground});
  if (ground != nullptr && ground->shape() == Ground::Shape::kFunction) {
    // Formulas are drawn as a grid around the start.
    constexpr float kSeen_m = 40;
    const Vec3 at = start.position;
    ZOE_TRY_ASSIGN(ground,
                   sampled_ground(*ground, at.x - kSeen_m, at.z - kSeen_m, at.x + kSeen_m, at.z + kSeen_m, 0.08F));
  }
  if (ground != nullptr) world.create(GroundPtr(ground));
  if (!options.mood.empty()) {
    ZOE_TRY_ASSIGN(stage->mood_,
                   MoodMixer::open(*controller, options.style_model, options.mood, 1 / stage->scene_.time().step_s));
    world.get<scene::ControlledActor>(stage->actor_).set_hook(&stage->mood_->hook());
  }
  if (options.physics) {
    ZOE_TRY_ASSIGN(stage->physics_,
                   cli::make_physics_layer(*controller, {.pushes = options.pushes,
                                                         .keep = options.keep,
                                                         .ground = stage->controlled().state().ground(),
                                                         .character = skin,
                                                         .below = stage->mood_ ? &stage->mood_->hook() : nullptr,
                                                         .rate_hz = 1 / stage->scene_.time().step_s}));
    world.get<scene::ControlledActor>(stage->actor_).set_hook(stage->physics_.get());
    stage->driver_->set_physics(stage->physics_.get());
    if (options.show_body) stage->shapes_ = stage->physics_->shapes();
  }
  const auto& actor = world.get<scene::Actor>(stage->actor_);
  float low = 0, high = 0;
  for (const Affine& joint : actor.model_from_joint) {
    low = std::min(low, joint.t.y);
    high = std::max(high, joint.t.y);
  }
  const scene::DisplayedBody& displayed = stage->controlled().body();
  stage->height_m_ = std::max({(high - low) * displayed.metres_per_unit, displayed.height_m, 0.05F});
  return stage;
}

void PlayStage::prepare_drawing(render::Renderer& renderer, Warnings& warnings) {
  ecs::World& world = scene_.world();
  const scene::DisplayedBody& body = controlled().body();
  if (shapes_ != nullptr || body.has_mesh()) {
    const CharacterPtr& shown = shapes_ != nullptr ? shapes_ : body.character;
    world.add(actor_, scene::make_drawn_body(std::make_shared<const render::CharacterModel>(
                          render::CharacterModel::create(renderer, shown, body.image_folder, warnings))));
  } else {
    const auto& actor = world.get<scene::Actor>(actor_);
    const SkeletonAnalysis analysis = analyse(actor.skeleton());
    world.add(actor_, scene::make_drawn_bones(actor, analysis.family == BodyFamily::kBiped ? analysis.head : kNoJoint));
  }
  scene::add_draw_systems(scene_);
}

}  // namespace zoe::viewer
