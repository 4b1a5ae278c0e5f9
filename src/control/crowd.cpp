// SPDX-License-Identifier: MIT
#include "zoe/control/crowd.h"

#include <algorithm>

namespace zoe::control {
namespace {

constexpr std::size_t kGrain = 64;
// A wish below this is one to stand: such a character is walked around, and does not step aside.
constexpr float kStands_mps = 0.05F;
// How much faster than it wants to a character may go to get out of the way.
constexpr float kHurry = 1.2F, kLeastTop_mps = 1.0F;
// Velocities as others see them are so much what a character chose last, and for the rest what its
// body does: bodies sway, and answer a third of a second late.
constexpr float kByChoice = 0.7F;

}  // namespace

Crowd::Crowd(ControllerPtr controller, std::span<const PlanarRoot> places, CrowdOptions options)
    : controller_(std::move(controller)), options_(std::move(options)), intents_(places.size()), items_(places.size()) {
  ZOE_CHECK(controller_ != nullptr, "a crowd needs a controller");
  ZOE_CHECK(options_.proportions.empty() || options_.proportions.size() == places.size(),
            "proportions of every character, or of none");
  states_.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    states_.push_back(controller_->make_state_without_workspace(
        places[i], size(), options_.proportions.empty() ? Proportions{} : options_.proportions[i]));
  }
  workspace_ = controller_->make_workspace(static_cast<int>(places.size()));
  if (options_.avoidance) {
    avoidance_.emplace(places.size(), *options_.avoidance);
    pedestrians_.resize(places.size());
    chosen_mps_.resize(places.size());
  }
  if (options_.detail) {
    detail_.emplace(places.size());
    places_.resize(places.size());
    coasting_.resize(places.size());
  }
}

void Crowd::tick(std::span<const Intent> intents, double dt_s, ThreadPool& pool) noexcept {
  ZOE_CHECK(intents.size() == states_.size(), "one intent a character");
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      controller_->begin_tick(*states_[i], dt_s);
      intents_[i] = controller_->intent_for(*states_[i], intents[i]);
    }
  });
  const bool any_due =
      std::any_of(states_.begin(), states_.end(), [&](const auto& state) { return controller_->is_due(*state); });
  if (any_due) {
    if (detail_) {
      for (std::size_t i = 0; i < states_.size(); ++i) places_[i] = states_[i]->root().position;
      detail_->update(places_, *options_.detail);
    }
    if (avoidance_) give_way(pool);
    step_all_due(pool);
  }
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) controller_->show(*states_[i]);
  });
}

void Crowd::give_way(ThreadPool& pool) noexcept {
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ControllerState& state = *states_[i];
      const Vec3 wanted_mps = Controller::wanted_velocity_mps(state, intents_[i]);
      const float speed_mps = length(wanted_mps);
      pedestrians_[i] = {
          {state.root().position, lerp(state.velocity_mps(), chosen_mps_[i], kByChoice), radius_m(static_cast<int>(i))},
          wanted_mps,
          std::max(kHurry * speed_mps, kLeastTop_mps * state.proportions().legs),
          speed_mps > kStands_mps};
    }
  });
  avoidance_->run(pedestrians_, chosen_mps_, pool);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Vec3 change = chosen_mps_[i] - pedestrians_[i].wanted_mps;
    if (dot(change, change) > 0) Controller::change_velocity(*states_[i], change, intents_[i]);
  }
}

void Crowd::step_all_due(ThreadPool& pool) noexcept {
  // Characters share a rate, so all are due together but for those that began at another time.
  for (;;) {
    std::size_t asking = 0, coasting = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      StepItem item;
      if (!controller_->next_step(*states_[i], intents_[i], item)) continue;
      item.far_away = detail_ && detail_->steps_an_answer(i) > 1;
      const bool asks = !detail_ || detail_->asks(i, states_[i]->num_steps());
      (asks ? items_[asking++] : coasting_[coasting++]) = item;
    }
    if (asking + coasting == 0) break;
    const auto finish = [&](std::span<const StepItem> items) {
      pool.parallel_for(items.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) controller_->finish_step(items[i]);
      });
    };
    const std::span<const StepItem> asked(items_.data(), asking);
    if (asking > 0) controller_->step_many(asked, workspace_.get(), &pool);
    finish(asked);
    if (coasting == 0) continue;
    const std::span<const StepItem> coasted(coasting_.data(), coasting);
    controller_->coast_many(coasted, workspace_.get(), &pool);
    finish(coasted);
  }
}

std::uint64_t Crowd::hash() const {
  std::uint64_t hash = 0;
  for (const auto& state : states_) hash = hash * 0x9E3779B97F4A7C15U + state->hash();
  return hash;
}

}  // namespace zoe::control
