// SPDX-License-Identifier: MIT
#include "zoe/control/crowd.h"

#include <algorithm>

#include "zoe/core/hash64.h"
#include "zoe/core/prefetch.h"

namespace zoe::control {
namespace {

constexpr std::size_t kCrowdGrain = 16;  // So that 100 characters keep several threads busy.
// Characters that go through a tick together: enough for a network to read its weights seldom, and few enough for the
// cache. Whole register tiles of networks.
constexpr std::size_t kTile = 12, kMostInPart = 64;
// A desired speed below this means standing: others walk around such a character, and it does not step aside.
constexpr float kStands_mps = 0.05F;
// To avoid others, a character moves faster than desired by at most this factor.
constexpr float kHurry = 1.2F, kLeastTop_mps = 1.0F;
// Others use a blend of the velocity that a character chose last, by this fraction, and that of its body. Bodies sway,
// and respond a third of a second late.
constexpr float kByChoice = 0.7F;

// Of those that are not alive, for levels of detail: beyond all borders.
constexpr Vec3 kNowhere{1e15F, 1e15F, 1e15F};

bool any(const std::array<float, kMaxLabels>& weights) {
  return std::any_of(weights.begin(), weights.end(), [](float weight) { return weight > 0; });
}

}  // namespace

Crowd::Crowd(ControllerPtr controller, std::span<const PlanarRoot> roots, CrowdOptions options)
    : models_{{std::move(controller), static_cast<int>(roots.size())}}, options_(std::move(options)) {
  ZOE_CHECK(options_.proportions.empty() || options_.proportions.size() == roots.size(),
            "proportions of every character, or of none");
  allocate();
  for (std::size_t i = 0; i < roots.size(); ++i) {
    spawn({.root = roots[i], .proportions = options_.proportions.empty() ? Proportions{} : options_.proportions[i]});
  }
}

Crowd::Crowd(std::vector<CrowdModel> models, CrowdOptions options)
    : models_(std::move(models)), options_(std::move(options)) {
  ZOE_CHECK(options_.proportions.empty(), "proportions are those of spawn()");
  allocate();
}

void Crowd::allocate() {
  ZOE_CHECK(!models_.empty(), "a crowd needs a controller");
  Hash64 fingerprint;
  for (const CrowdModel& model : models_) {
    ZOE_CHECK(model.controller != nullptr, "a crowd needs a controller");
    ZOE_CHECK(model.capacity >= 0, "a capacity is not negative");
    for (int i = 0; i < model.capacity; ++i) {
      states_.push_back(model.controller->make_state_without_workspace({.lane = size(), .ground = options_.ground}));
      places_.push_back({.controller = model.controller.get(), .model = workspaces_.size()});
    }
    workspaces_.push_back(model.controller->make_workspace(model.capacity));
    fresh_.push_back(model.capacity > 0 ? model.controller->save_state(*states_.back()) : std::vector<std::byte>{});
    const std::uint64_t part[] = {model.controller->fingerprint(), static_cast<std::uint64_t>(model.capacity)};
    fingerprint.add(std::as_bytes(std::span(part)));
  }
  header_ = StateHeader::of(StateHeader::kCrowd, models_.size() > 1 ? "several" : models_[0].controller->type(),
                            models_.size() > 1 ? fingerprint.finish() : models_[0].controller->fingerprint());
  const std::size_t count = states_.size();
  alive_.reserve(count);
  intents_.resize(count);
  items_.resize(count);
  if (options_.avoidance) {
    avoidance_.emplace(count, *options_.avoidance);
    pedestrians_.resize(count);
    chosen_mps_.resize(count);
    chosen_packed_.resize(count);
  }
  if (options_.detail) {
    detail_.emplace(count);
    positions_.resize(count);
    coasting_.resize(count);
  }
}

void Crowd::find_alive() noexcept {
  alive_.clear();
  for (int i = 0; i < size(); ++i) {
    if (is_alive(i)) alive_.push_back(i);
  }
}

std::optional<int> Crowd::spawn(const CrowdCharacter& character, int model) noexcept {
  ZOE_CHECK(model >= 0 && model < static_cast<int>(models_.size()), "the crowd has no such model");
  int index = 0;
  for (int m = 0; m < model; ++m) index += models_[static_cast<std::size_t>(m)].capacity;
  const int end = index + models_[static_cast<std::size_t>(model)].capacity;
  while (index < end && is_alive(index)) ++index;
  if (index == end) return {};
  const auto at = static_cast<std::size_t>(index);
  places_[at].is_alive = true;
  places_[at].styles = character.styles;
  states_[at]->set_ground(options_.ground);
  controller_of(index).start_again(*states_[at], fresh_[places_[at].model], character.root, character.proportions);
  if (avoidance_) chosen_mps_[at] = {};
  if (detail_) detail_->forget(at);
  find_alive();
  return index;
}

void Crowd::despawn(int index) noexcept {
  ZOE_CHECK(index >= 0 && index < size() && is_alive(index), "despawn: no character has this index");
  const auto at = static_cast<std::size_t>(index);
  places_[at].is_alive = false;
  places_[at].styles = {};
  // Free places are all alike: they have no part in the crowd's hash.
  states_[at]->set_ground(options_.ground);
  controller_of(index).start_again(*states_[at], fresh_[places_[at].model], {}, {});
  if (avoidance_) chosen_mps_[at] = {};
  if (detail_) detail_->forget(at);
  find_alive();
}

void Crowd::begin(std::size_t index, const Intent& given, double dt_s) noexcept {
  const Place& place = places_[index];
  ControllerState& state = *states_[index];
  place.controller->begin_tick(state, dt_s);
  Intent& intent = intents_[index];
  if (any(place.styles) && !any(given.styles)) {
    intent = given;
    intent.styles = place.styles;
    intent = place.controller->intent_for(state, intent);
  } else {
    intent = place.controller->intent_for(state, given);
  }
}

void Crowd::tick(std::span<const Intent> intents, double dt_s, Executor& pool) noexcept {
  ZOE_CHECK(intents.size() == states_.size(), "one intent per place of a character");
  const bool looks_around = avoidance_.has_value() || detail_.has_value();
  if (looks_around) {
    pool.parallel_for(alive_.size(), kCrowdGrain, [&](std::size_t first, std::size_t end) {
      for (std::size_t k = first; k < end; ++k) {
        const auto i = static_cast<std::size_t>(alive_[k]);
        begin(i, intents[i], dt_s);
      }
    });
    const bool any_due = std::any_of(alive_.begin(), alive_.end(), [&](int index) {
      return controller_of(index).is_due(*states_[static_cast<std::size_t>(index)]);
    });
    if (any_due) look_around(pool);
  }
  tick_in_parts(intents, dt_s, !looks_around, pool);
}

void Crowd::look_around(Executor& pool) noexcept {
  if (detail_) {
    for (std::size_t i = 0; i < states_.size(); ++i)
      positions_[i] = places_[i].is_alive ? states_[i]->root().position : kNowhere;
    detail_->update(positions_, *options_.detail);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!places_[i].is_alive) detail_->forget(i);
    }
  }
  if (avoidance_) give_way(pool);
}

void Crowd::tick_in_parts(std::span<const Intent> intents, double dt_s, bool with_begin, Executor& pool) noexcept {
  const auto threads = static_cast<std::size_t>(pool.num_threads());
  std::size_t first = 0, end_of_model = 0;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    end_of_model += static_cast<std::size_t>(models_[m].capacity);
    const auto next = std::lower_bound(alive_.begin() + static_cast<std::ptrdiff_t>(first), alive_.end(),
                                       static_cast<int>(end_of_model));
    const std::size_t count = static_cast<std::size_t>(next - alive_.begin()) - first;
    const auto begin_part = [&](std::size_t begin_k, std::size_t end_k) {
      if (!with_begin) return;
      for (std::size_t k = first + begin_k; k < first + end_k; ++k) {
        if (k + 2 < first + end_k)
          prefetch(states_[static_cast<std::size_t>(alive_[k + 2])].get(), sizeof(ControllerState));
        const auto i = static_cast<std::size_t>(alive_[k]);
        begin(i, intents[i], dt_s);
      }
    };
    const auto display_part = [&](std::size_t begin_k, std::size_t end_k) {
      for (std::size_t k = first + begin_k; k < first + end_k; ++k) {
        if (k + 1 < first + end_k) Controller::prefetch_for_display(*states_[static_cast<std::size_t>(alive_[k + 1])]);
        models_[m].controller->display(*states_[static_cast<std::size_t>(alive_[k])]);
      }
    };
    if (models_[m].controller->steps_in_parts()) {
      // All threads have work, also for a hundred characters.
      const std::size_t even = (count + threads - 1) / threads, tiles = (even + kTile - 1) / kTile;
      const std::size_t part = std::clamp<std::size_t>(tiles * kTile, kTile, kMostInPart);
      pool.parallel_for(count, part, [&](std::size_t begin_k, std::size_t end_k) {
        begin_part(begin_k, end_k);
        step_all_due(m, first + begin_k, end_k - begin_k, nullptr);
        display_part(begin_k, end_k);
      });
    } else {
      pool.parallel_for(count, kCrowdGrain, begin_part);
      step_all_due(m, first, count, &pool);
      pool.parallel_for(count, kCrowdGrain, display_part);
    }
    first += count;
  }
}

void Crowd::give_way(Executor& pool) noexcept {
  pool.parallel_for(alive_.size(), kCrowdGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto i = static_cast<std::size_t>(alive_[k]);
      const ControllerState& state = *states_[i];
      const Vec3 desired_mps = Controller::desired_velocity_mps(state, intents_[i]);
      const float speed_mps = length(desired_mps);
      pedestrians_[k] = {
          {state.root().position, lerp(state.velocity_mps(), chosen_mps_[i], kByChoice), radius_m(alive_[k])},
          desired_mps,
          std::max(kHurry * speed_mps, kLeastTop_mps * state.proportions().legs),
          speed_mps > kStands_mps};
    }
  });
  const std::span<Vec3> chosen = std::span(chosen_packed_).first(alive_.size());
  avoidance_->run(std::span<const Pedestrian>(pedestrians_).first(alive_.size()), chosen, pool);
  for (std::size_t k = 0; k < alive_.size(); ++k) {
    const auto i = static_cast<std::size_t>(alive_[k]);
    chosen_mps_[i] = chosen[k];
    const Vec3 change = chosen[k] - pedestrians_[k].wanted_mps;
    if (dot(change, change) > 0) Controller::change_velocity(*states_[i], change, intents_[i]);
  }
}

void Crowd::step_all_due(std::size_t model, std::size_t first, std::size_t count, Executor* pool) noexcept {
  const Controller& controller = *models_[model].controller;
  Workspace* workspace = workspaces_[model].get();
  const std::span<StepItem> items = std::span(items_).subspan(first, count);
  const auto finish = [&](std::span<const StepItem> some) {
    const auto run = [&](std::size_t begin_i, std::size_t end_i) {
      for (std::size_t i = begin_i; i < end_i; ++i) controller.finish_step(some[i]);
    };
    if (pool == nullptr) return run(0, some.size());
    pool->parallel_for(some.size(), kCrowdGrain, run);
  };
  // Characters share a rate, so all are due together except those that began at another time.
  for (;;) {
    std::size_t asking = 0, coasting = 0, standing = 0;
    for (std::size_t k = first; k < first + count; ++k) {
      const auto i = static_cast<std::size_t>(alive_[k]);
      StepItem item;
      if (!controller.next_step(*states_[i], intents_[i], item)) continue;
      if (item.stands) {  // From the end of the list.
        items[items.size() - ++standing] = item;
        continue;
      }
      item.far_away = detail_ && detail_->steps_an_answer(i) > 1;
      const bool asks = !detail_ || detail_->asks(i, states_[i]->num_steps());
      (asks ? items[asking++] : coasting_[first + coasting++]) = item;
    }
    if (asking + coasting + standing == 0) break;
    const std::span<const StepItem> asked = items.first(asking);
    if (asking > 0) controller.step_many(asked, workspace, pool);
    finish(asked);
    finish(items.last(standing));
    if (coasting == 0) continue;
    const std::span<const StepItem> coasted(coasting_.data() + first, coasting);
    controller.coast_many(coasted, workspace, pool);
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
  for (std::size_t i = 0; i < states_.size(); ++i) {
    archive.flag(places_[i].is_alive);
    archive.finite(std::span(places_[i].styles));
    states_[i]->visit(archive, false);
  }
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
  find_alive();
  for (int i = 0; i < size(); ++i) controller_of(i).display(state(i));
  return {};
}

std::uint64_t Crowd::hash() const {
  StateArchive archive = StateArchive::hashing();
  visit(archive);
  return archive.hash();
}

}  // namespace zoe::control
