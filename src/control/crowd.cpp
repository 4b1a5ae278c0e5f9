// SPDX-License-Identifier: MIT
#include "zoe/control/crowd.h"

namespace zoe::control {

Crowd::Crowd(ControllerPtr controller, std::span<const PlanarRoot> places)
    : controller_(std::move(controller)), intents_(places.size()), items_(places.size()) {
  ZOE_CHECK(controller_ != nullptr, "a crowd needs a controller");
  states_.reserve(places.size());
  for (const PlanarRoot& place : places) {
    states_.push_back(controller_->make_state_without_workspace(place, size()));
  }
  workspace_ = controller_->make_workspace(static_cast<int>(places.size()));
}

void Crowd::tick(std::span<const Intent> intents, double dt_s, ThreadPool& pool) noexcept {
  ZOE_CHECK(intents.size() == states_.size(), "one intent a character");
  constexpr std::size_t kGrain = 64;
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      controller_->begin_tick(*states_[i], dt_s);
      intents_[i] = controller_->intent_for(*states_[i], intents[i]);
    }
  });
  // Characters share a rate, so all are due together but for those that began at another time.
  for (;;) {
    std::size_t due = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (controller_->next_step(*states_[i], intents_[i], items_[due])) ++due;
    }
    if (due == 0) break;
    const std::span<const StepItem> items(items_.data(), due);
    controller_->step_many(items, workspace_.get(), &pool);
    pool.parallel_for(due, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) controller_->finish_step(items[i]);
    });
  }
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) controller_->show(*states_[i]);
  });
}

std::uint64_t Crowd::hash() const {
  std::uint64_t hash = 0;
  for (const auto& state : states_) hash = hash * 0x9E3779B97F4A7C15U + state->hash();
  return hash;
}

}  // namespace zoe::control
