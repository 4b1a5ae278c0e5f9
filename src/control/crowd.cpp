// SPDX-License-Identifier: MIT
#include "zoe/control/crowd.h"

#include <algorithm>

namespace zoe::control {
namespace {

constexpr std::size_t kGrain = 64;
// A desired speed below this means standing: others walk around such a character, and it does not step aside.
constexpr float kStands_mps = 0.05F;
// To avoid others, a character moves faster than desired by at most this factor.
constexpr float kHurry = 1.2F, kLeastTop_mps = 1.0F;
// Others use a blend of the velocity that a character chose last, by this fraction, and that of its body. Bodies sway,
// and respond a third of a second late.
constexpr float kByChoice = 0.7F;

}  // namespace

Crowd::Crowd(ControllerPtr controller, std::span<const PlanarRoot> roots, CrowdOptions options)
    : controller_(std::move(controller)), options_(std::move(options)), intents_(roots.size()), items_(roots.size()) {
  ZOE_CHECK(controller_ != nullptr, "a crowd needs a controller");
  ZOE_CHECK(options_.proportions.empty() || options_.proportions.size() == roots.size(),
            "proportions of every character, or of none");
  states_.reserve(roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    states_.push_back(controller_->make_state_without_workspace(
        {.root = roots[i],
         .proportions = options_.proportions.empty() ? Proportions{} : options_.proportions[i],
         .lane = size(),
         .ground = options_.ground}));
  }
  header_ = StateHeader::of(StateHeader::kCrowd, controller_->type(), controller_->fingerprint());
  workspace_ = controller_->make_workspace(static_cast<int>(roots.size()));
  if (options_.avoidance) {
    avoidance_.emplace(roots.size(), *options_.avoidance);
    pedestrians_.resize(roots.size());
    chosen_mps_.resize(roots.size());
  }
  if (options_.detail) {
    detail_.emplace(roots.size());
    positions_.resize(roots.size());
    coasting_.resize(roots.size());
  }
}

void Crowd::tick(std::span<const Intent> intents, double dt_s, Executor& pool) noexcept {
  ZOE_CHECK(intents.size() == states_.size(), "one intent per character");
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
      for (std::size_t i = 0; i < states_.size(); ++i) positions_[i] = states_[i]->root().position;
      detail_->update(positions_, *options_.detail);
    }
    if (avoidance_) give_way(pool);
    step_all_due(pool);
  }
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) controller_->display(*states_[i]);
  });
}

void Crowd::give_way(Executor& pool) noexcept {
  pool.parallel_for(states_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ControllerState& state = *states_[i];
      const Vec3 desired_mps = Controller::desired_velocity_mps(state, intents_[i]);
      const float speed_mps = length(desired_mps);
      pedestrians_[i] = {
          {state.root().position, lerp(state.velocity_mps(), chosen_mps_[i], kByChoice), radius_m(static_cast<int>(i))},
          desired_mps,
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

void Crowd::step_all_due(Executor& pool) noexcept {
  // Characters share a rate, so all are due together except those that began at another time.
  for (;;) {
    std::size_t asking = 0, coasting = 0, standing = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      StepItem item;
      if (!controller_->next_step(*states_[i], intents_[i], item)) continue;
      if (item.stands) {  // From the end of the list.
        items_[items_.size() - ++standing] = item;
        continue;
      }
      item.far_away = detail_ && detail_->steps_an_answer(i) > 1;
      const bool asks = !detail_ || detail_->asks(i, states_[i]->num_steps());
      (asks ? items_[asking++] : coasting_[coasting++]) = item;
    }
    if (asking + coasting + standing == 0) break;
    const auto finish = [&](std::span<const StepItem> items) {
      pool.parallel_for(items.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) controller_->finish_step(items[i]);
      });
    };
    const std::span<const StepItem> asked(items_.data(), asking);
    if (asking > 0) controller_->step_many(asked, workspace_.get(), &pool);
    finish(asked);
    finish(std::span<const StepItem>(items_).last(standing));
    if (coasting == 0) continue;
    const std::span<const StepItem> coasted(coasting_.data(), coasting);
    controller_->coast_many(coasted, workspace_.get(), &pool);
    finish(coasted);
  }
}

void Crowd::visit(StateArchive& archive) {
  archive.bits(header_);
  // These refuse the state of another crowd: only their own value is accepted.
  std::uint32_t num_characters = static_cast<std::uint32_t>(states_.size());
  archive.number(num_characters, num_characters, num_characters);
  bool has_avoidance = avoidance_.has_value(), has_detail = detail_.has_value();
  const bool same_avoidance = archive.flag(has_avoidance) == avoidance_.has_value();
  const bool same_detail = archive.flag(has_detail) == detail_.has_value();
  archive.require(same_avoidance && same_detail, "the crowd was made with other options");
  for (const auto& state : states_) state->visit(archive, false);
  archive.finite(std::span(chosen_mps_));
  if (detail_) {
    detail_->describe(archive);
    archive.finite(options_.detail->eye);
  }
}

std::size_t Crowd::state_bytes() const {
  StateArchive archive = StateArchive::measuring();
  visit(archive);
  return archive.num_bytes();
}

void Crowd::save_state(std::span<std::byte> out) const {
  ZOE_CHECK(out.size() == state_bytes(), "Crowd::save_state: the buffer must have state_bytes()");
  StateArchive archive = StateArchive::writing(out);
  visit(archive);
}

std::vector<std::byte> Crowd::save_state() const {
  std::vector<std::byte> bytes(state_bytes());
  save_state(bytes);
  return bytes;
}

Result<void> Crowd::restore_state(std::span<const std::byte> bytes) {
  ZOE_TRY(check_header(header_, state_bytes(), bytes));
  StateArchive check = StateArchive::checking(bytes);
  visit(check);
  if (check.problem() != nullptr) {
    return Error{ErrorCode::kInvalid,
                 std::string("saved crowd: ") + check.problem(),
                 {.byte_offset = static_cast<std::int64_t>(check.problem_at())}};
  }
  StateArchive archive = StateArchive::reading(bytes);
  visit(archive);
  for (const auto& state : states_) controller_->display(*state);
  return {};
}

std::uint64_t Crowd::hash() const {
  StateArchive archive = StateArchive::hashing();
  visit(archive);
  return archive.hash();
}

}  // namespace zoe::control
