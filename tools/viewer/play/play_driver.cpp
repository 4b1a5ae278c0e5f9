// SPDX-License-Identifier: MIT
#include "play/play_driver.h"

namespace zoe::viewer {
namespace {

constexpr std::size_t kPastPositions = 64;
constexpr std::int64_t kPastEvery = 6;  // Steps of the model.

}  // namespace

PlayDriver::PlayDriver(std::unique_ptr<control::IntentSource> source, bool is_script,
                       std::unique_ptr<stream::IntentPort> port)
    : source_(std::move(source)), is_script_(is_script), port_(std::move(port)) {
  past_.reserve(kPastPositions);
}

control::Intent PlayDriver::next(const control::Controller& controller, control::ControllerState& state,
                                 const scene::Input& input, double step_s) {
  steering_.step(input, state.root(), step_s, controller.motion_range());
  if (port_) port_->receive(controller, state);
  // A path waits during manual steering.
  const bool leads = source_ && !steering_.by_hand();
  control::Intent led;
  if (leads) led = source_->next(state.root(), step_s);
  const bool commanded = port_ && port_->has_clients();
  if (commanded) led = port_->intent();
  const control::Intent intent = steering_.intent(leads || commanded ? &led : nullptr);
  if (steering_.resets()) controller.reset(state);
  if (physics_ != nullptr && input.key_pressed('P')) physics_->push_by_key();
  return intent;
}

void PlayDriver::ticked(const control::ControllerState& state, double step_s) {
  if (port_) port_->send(state, step_s);
  if (state.num_steps() % kPastEvery != 0) return;
  if (past_.size() < kPastPositions) past_.emplace_back();
  past_[next_past_] = state.root().position;
  next_past_ = (next_past_ + 1) % kPastPositions;
}

const char* PlayDriver::name() const {
  if (steering_.goal()) return "goal";
  if (steering_.by_hand()) return "keys";
  if (port_ && port_->has_clients()) return "port";
  if (!source_) return "keys";
  return is_script_ ? "script" : "path";
}

void PlayDriver::past(std::vector<Vec3>& positions) const {
  positions.clear();
  for (std::size_t i = 0; i < past_.size(); ++i) positions.push_back(past_[(next_past_ + i) % past_.size()]);
}

}  // namespace zoe::viewer
