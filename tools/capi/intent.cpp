// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: intents and placements.
#include <algorithm>

#include "zoe/control/command.h"

#include "common.h"

namespace zoe::capi {

using control::Intent;

static_assert(ZOE_MAX_MOMENTS == control::kMaxWanted && ZOE_MAX_LABELS == control::kMaxLabels);
static_assert(ZOE_GAIT_CROUCH == static_cast<int>(control::Gait::kCrouch));
static_assert(ZOE_RECOVERED == static_cast<int>(control::Progress::kRecovered));

Intent from_c(const zoe_intent& intent) noexcept {
  Intent out;
  const int count = std::clamp<int>(intent.num_moments, 0, ZOE_MAX_MOMENTS);
  for (int i = 0; i < count; ++i) {
    const zoe_moment& moment = intent.moments[i];
    control::WantedMotion& wanted = out.wanted[static_cast<std::size_t>(i)];
    wanted.time_s = moment.time_s;
    wanted.velocity_mps = {moment.velocity_mps[0], moment.velocity_mps[1], moment.velocity_mps[2]};
    if (moment.has_facing != 0) wanted.facing_rad = moment.facing_rad;
  }
  out.num_wanted = std::max(count, 1);
  if (intent.gait >= ZOE_GAIT_AUTO && intent.gait <= ZOE_GAIT_CROUCH) {
    out.gait = static_cast<control::Gait>(intent.gait);
  }
  std::copy(std::begin(intent.styles), std::end(intent.styles), out.styles.begin());
  std::copy(std::begin(intent.actions), std::end(intent.actions), out.actions.begin());
  if (intent.has_goal != 0) {
    out.goal = control::WantedPlace{.position = {intent.goal[0], intent.goal[1], intent.goal[2]}, .facing_rad = {}};
    if (intent.has_goal_facing != 0) out.goal->facing_rad = intent.goal_facing_rad;
  }
  return out;
}

zoe_intent to_c(const Intent& intent) noexcept {
  zoe_intent out{};
  out.num_moments = intent.num_wanted;
  for (int i = 0; i < intent.num_wanted; ++i) {
    const control::WantedMotion& wanted = intent.wanted[static_cast<std::size_t>(i)];
    const Vec3 v = wanted.velocity_mps;
    out.moments[i] = {wanted.time_s, {v.x, v.y, v.z}, wanted.facing_rad.value_or(0), wanted.facing_rad ? 1 : 0};
  }
  out.gait = static_cast<int32_t>(intent.gait);
  std::copy(intent.styles.begin(), intent.styles.end(), out.styles);
  std::copy(intent.actions.begin(), intent.actions.end(), out.actions);
  if (intent.goal) {
    const Vec3 at = intent.goal->position;
    out.goal[0] = at.x, out.goal[1] = at.y, out.goal[2] = at.z;
    out.goal_facing_rad = intent.goal->facing_rad.value_or(0);
    out.has_goal = 1;
    out.has_goal_facing = intent.goal->facing_rad ? 1 : 0;
  }
  return out;
}

PlanarRoot root_of(const zoe_placement& placement) noexcept {
  return {.position = {placement.position[0], placement.position[1], placement.position[2]},
          .facing_rad = placement.facing_rad};
}

control::Proportions proportions_of(const zoe_placement& placement) noexcept {
  return control::sanitised(control::Proportions{.legs = placement.leg_size == 0 ? 1 : placement.leg_size,
                                                 .upper = placement.upper_size == 0 ? 1 : placement.upper_size});
}

}  // namespace zoe::capi

using namespace zoe::capi;

void zoe_intent_stand(zoe_intent* intent) {
  if (intent != nullptr) *intent = to_c(zoe::control::Intent::stand());
}

void zoe_intent_move(zoe_intent* intent, float x_mps, float z_mps) {
  if (intent != nullptr) *intent = to_c(zoe::control::Intent::move({x_mps, 0, z_mps}));
}

void zoe_intent_go(zoe_intent* intent, float x_m, float z_m) {
  if (intent == nullptr) return;
  *intent = {};
  intent->goal[0] = x_m;
  intent->goal[2] = z_m;
  intent->has_goal = 1;
}

namespace {

using SetLabel = zoe::Result<void> (zoe::control::Controller::*)(zoe::control::Intent&, std::string_view, float) const;

zoe_status set_label_of(zoe_intent* intent, const zoe_controller* controller, const char* name, float weight,
                        SetLabel set) {
  if (intent == nullptr || controller == nullptr || name == nullptr) {
    return refuse_null("intent, controller and name must not be null");
  }
  return guarded([&]() -> zoe_status {
    zoe::control::Intent changed = from_c(*intent);
    if (const auto done = ((*controller->ptr).*set)(changed, name, weight); !done) return fail(done.error());
    *intent = to_c(changed);
    return ZOE_OK;
  });
}

}  // namespace

zoe_status zoe_intent_style(zoe_intent* intent, const zoe_controller* controller, const char* name, float weight) {
  return set_label_of(intent, controller, name, weight, &zoe::control::Controller::set_style);
}

zoe_status zoe_intent_action(zoe_intent* intent, const zoe_controller* controller, const char* name, float weight) {
  return set_label_of(intent, controller, name, weight, &zoe::control::Controller::set_action);
}

zoe_status zoe_intent_command(zoe_intent* intent, const zoe_controller* controller, const char* line) {
  if (intent == nullptr || controller == nullptr || line == nullptr) {
    return refuse_null("zoe_intent_command: intent, controller and line must not be null");
  }
  return guarded([&]() -> zoe_status {
    const zoe::control::CommandWords words = zoe::control::split_command(line);
    if (words.too_many || words.count == 0) return fail(ZOE_ERROR_USAGE, "no command: see docs/stream.md for the list");
    zoe::control::Intent changed = from_c(*intent);
    const std::string problem = zoe::control::apply_command(
        {words.words, words.count}, {controller->ptr->styles(), controller->ptr->actions()}, changed);
    if (!problem.empty()) return fail(ZOE_ERROR_USAGE, problem.c_str());
    *intent = to_c(changed);
    return ZOE_OK;
  });
}
