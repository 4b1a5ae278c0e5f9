// SPDX-License-Identifier: MIT
#include "play/play_stage.h"

#include <algorithm>
#include <chrono>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/load.h"
#include "zoe/control/trajectory.h"
#include "zoe/control/types.h"
#include "zoe/scene/draw.h"
#include "zoe/scene/skinned_mesh.h"

namespace zoe::viewer {
namespace {

constexpr std::size_t kPastPlaces = 64;
constexpr std::int64_t kPastEvery = 6;  // Steps.

}  // namespace

Result<std::unique_ptr<PlayStage>> PlayStage::open(const cli::PlayOptions& options, bool draws) {
  std::unique_ptr<PlayStage> stage(new PlayStage);
  ZOE_TRY_ASSIGN(stage->controller_, control::load_controller(options.run));
  ZOE_TRY_ASSIGN(stage->source_, cli::make_source(options, *stage->controller_));
  if (options.port >= 0) {
    ZOE_TRY_ASSIGN(stage->port_,
                   stream::IntentPort::open(*stage->controller_, {.address = options.listen, .port = options.port}));
  }
  stage->scripted_ = !options.script.empty();
  stage->state_ =
      stage->controller_->make_state({.root = stage->source_ ? cli::start_of(*stage->source_) : PlanarRoot{}});
  stage->root_before_ = stage->state_->root();
  stage->past_.reserve(kPastPlaces);

  ecs::World& world = stage->scene_.world();
  stage->actor_ =
      scene::add_actor(world, scene::make_bare_character(stage->controller_->skeleton(), stage->controller_->type()));
  auto& actor = world.get<scene::Actor>(stage->actor_);
  stage->show(actor);
  scene::update_joints(actor);
  scene::keep_before(actor);
  float low = 0, high = 0;
  for (const Affine& joint : actor.model_from_joint) {
    low = std::min(low, joint.t.y);
    high = std::max(high, joint.t.y);
  }
  stage->height_m_ = std::max(high - low, 0.05F);
  stage->add_systems();
  if (draws) {
    const SkeletonAnalysis body = analyse(*stage->controller_->skeleton());
    world.add(stage->actor_, scene::make_drawn_bones(actor, body.family == BodyFamily::kBiped ? body.head : kNoJoint));
    scene::add_draw_systems(stage->scene_);
  }
  return stage;
}

void PlayStage::add_systems() {
  using Scope = ecs::Scope<scene::Actor, const scene::Input, const scene::Time>;
  scene_.fixed(scene::Phase::kAnimate)
      .add<scene::Actor, const scene::Input, const scene::Time>("controller", [this](Scope& scope) {
        const double step_s = scope.resource<const scene::Time>().step_s;
        const auto& input = scope.resource<const scene::Input>();
        scope.query<scene::Actor>().each([&](scene::Actor& actor) { step(actor, input, step_s); });
      });
}

void PlayStage::step(scene::Actor& actor, const scene::Input& input, double step_s) {
  using Clock = std::chrono::steady_clock;
  root_before_ = state_->root();
  steering_.step(input, state_->root(), step_s, controller_->motion_range());
  if (port_) port_->receive(*controller_, *state_);
  // A path waits while a hand steers.
  const bool leads = source_ && !steering_.by_hand();
  control::Intent led;
  if (leads) led = source_->next(state_->root(), step_s);
  const bool commanded = port_ && port_->has_clients();
  if (commanded) led = port_->intent();
  intent_ = steering_.intent(leads || commanded ? &led : nullptr);
  if (steering_.resets()) controller_->reset(*state_);
  const Clock::time_point start = Clock::now();
  controller_->tick(*state_, intent_, step_s);
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  tick_us_ += (us - tick_us_) * (tick_us_ == 0 ? 1 : 0.05);
  if (port_) port_->send(*state_, step_s);
  show(actor);
  if (state_->num_steps() % kPastEvery != 0) return;
  if (past_.size() < kPastPlaces) past_.emplace_back();
  past_[next_past_] = state_->root().position;
  next_past_ = (next_past_ + 1) % kPastPlaces;
}

void PlayStage::show(scene::Actor& actor) {
  const PoseView pose = state_->pose();
  std::copy(pose.translations.begin(), pose.translations.end(), actor.pose.translations.begin());
  std::copy(pose.rotations.begin(), pose.rotations.end(), actor.pose.rotations.begin());
  std::copy(pose.scales.begin(), pose.scales.end(), actor.pose.scales.begin());
}

const char* PlayStage::driver() const {
  if (steering_.goal()) return "goal";
  if (steering_.by_hand()) return "keys";
  if (port_ && port_->has_clients()) return "port";
  if (!source_) return "keys";
  return scripted_ ? "script" : "path";
}

Vec3 PlayStage::velocity_mps() const {
  return (state_->root().position - root_before_.position) / static_cast<float>(scene_.time().step_s);
}

PlanarRoot PlayStage::root_drawn() const {
  const float alpha = scene_.time().alpha;
  const PlanarRoot& now = state_->root();
  return {lerp(root_before_.position, now.position, alpha),
          root_before_.facing_rad + control::wrapped(now.facing_rad - root_before_.facing_rad) * alpha};
}

void PlayStage::past(std::vector<Vec3>& places) const {
  places.clear();
  for (std::size_t i = 0; i < past_.size(); ++i) places.push_back(past_[(next_past_ + i) % past_.size()]);
}

}  // namespace zoe::viewer
