// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: crowds.
#include <algorithm>
#include <cmath>

#include "common.h"

using namespace zoe::capi;
using zoe::control::Crowd;

namespace {

constexpr std::int64_t kMaxCrowd = 100'000;

zoe::ThreadPool& pool_of(const zoe_crowd& crowd) {
  return crowd.own_pool ? *crowd.own_pool : zoe::ThreadPool::shared();
}

bool is_index(const zoe_crowd* crowd, int32_t index) {
  return crowd != nullptr && index >= 0 && index < crowd->crowd->size();
}

zoe_status make_crowd(std::vector<zoe::control::CrowdModel> models, const zoe_crowd_options& options,
                      const zoe_ground* ground, zoe_crowd** out) {
  zoe::control::CrowdOptions wanted;
  if (options.radius_m != 0) wanted.radius_m = options.radius_m;
  if (options.avoids != 0) wanted.avoidance = zoe::control::AvoidanceOptions{};
  if (ground != nullptr) wanted.ground = ground->ptr;
  auto made = std::make_unique<zoe_crowd>();
  made->num_models = static_cast<int>(models.size());
  if (options.num_threads > 0) made->own_pool = std::make_unique<zoe::ThreadPool>(options.num_threads - 1);
  for (const zoe::control::CrowdModel& model : models) {
    for (int i = 0; i < model.capacity; ++i) made->characters.push_back({model.controller, nullptr, nullptr});
  }
  made->crowd = std::make_unique<Crowd>(std::move(models), std::move(wanted));
  for (int i = 0; i < made->crowd->size(); ++i) {
    made->characters[static_cast<std::size_t>(i)].state = &made->crowd->state(i);
  }
  made->intents.resize(made->characters.size());
  *out = made.release();
  return ZOE_OK;
}

}  // namespace

zoe_status zoe_crowd_new(const zoe_controller* const* controllers, const int32_t* capacities, int32_t num_controllers,
                         const zoe_crowd_options* options, const zoe_ground* ground, zoe_crowd** out) {
  if (controllers == nullptr || capacities == nullptr || out == nullptr || num_controllers < 1) {
    return refuse_null(
        "zoe_crowd_new: controllers, capacities and out must not be null, and there must be a controller");
  }
  return guarded([&]() -> zoe_status {
    std::vector<zoe::control::CrowdModel> models;
    std::int64_t total = 0;
    for (int32_t i = 0; i < num_controllers; ++i) {
      if (controllers[i] == nullptr || capacities[i] < 1) {
        return fail(ZOE_ERROR_USAGE, "zoe_crowd_new: a controller is null, or its capacity is below 1");
      }
      total += capacities[i];
      if (total > kMaxCrowd) return fail(ZOE_ERROR_LIMIT, "zoe_crowd_new: more than 100000 characters");
      models.push_back({controllers[i]->ptr, capacities[i]});
    }
    const zoe_crowd_options given = options != nullptr ? *options : zoe_crowd_options{};
    if (!(given.radius_m >= 0 && given.radius_m < 1000) || given.num_threads < 0 || given.num_threads > 1024) {
      return fail(ZOE_ERROR_USAGE, "zoe_crowd_new: radius_m is 0 to 1000, num_threads is 0 to 1024");
    }
    return make_crowd(std::move(models), given, ground, out);
  });
}

void zoe_crowd_free(zoe_crowd* crowd) { delete crowd; }

int32_t zoe_crowd_size(const zoe_crowd* crowd) { return crowd != nullptr ? crowd->crowd->size() : 0; }
int32_t zoe_crowd_num_alive(const zoe_crowd* crowd) { return crowd != nullptr ? crowd->crowd->num_alive() : 0; }
int32_t zoe_crowd_is_alive(const zoe_crowd* crowd, int32_t index) {
  return is_index(crowd, index) && crowd->crowd->is_alive(index) ? 1 : 0;
}

zoe_status zoe_crowd_spawn(zoe_crowd* crowd, int32_t controller, const zoe_placement* placement, int32_t* out_index) {
  if (crowd == nullptr || out_index == nullptr) return refuse_null("zoe_crowd_spawn: crowd and index must not be null");
  if (controller < 0 || controller >= crowd->num_models) {
    return fail(ZOE_ERROR_USAGE, "zoe_crowd_spawn: the crowd has no such controller");
  }
  zoe::control::CrowdCharacter character;
  if (placement != nullptr) {
    character.root = root_of(*placement);
    const zoe::Vec3 at = character.root.position;
    if (!std::isfinite(at.x + at.y + at.z + character.root.facing_rad)) {
      return fail(ZOE_ERROR_USAGE, "zoe_crowd_spawn: a number of the placement is not finite");
    }
    character.proportions = proportions_of(*placement);
  }
  const std::optional<int> index = crowd->crowd->spawn(character, controller);
  if (!index) return fail(ZOE_ERROR_LIMIT, "zoe_crowd_spawn: all places of this controller are taken");
  *out_index = *index;
  return ZOE_OK;
}

zoe_status zoe_crowd_despawn(zoe_crowd* crowd, int32_t index) {
  if (zoe_crowd_is_alive(crowd, index) == 0) return fail(ZOE_ERROR_USAGE, "zoe_crowd_despawn: no such character");
  crowd->crowd->despawn(index);
  return ZOE_OK;
}

zoe_status zoe_crowd_tick(zoe_crowd* crowd, const zoe_intent* intents, int32_t num_intents, double dt_s) {
  if (crowd == nullptr || intents == nullptr) return refuse_null("zoe_crowd_tick: crowd and intents must not be null");
  if (num_intents != crowd->crowd->size()) {
    return fail(ZOE_ERROR_USAGE, "zoe_crowd_tick: num_intents must be zoe_crowd_size()");
  }
  std::transform(intents, intents + num_intents, crowd->intents.begin(), from_c);
  crowd->crowd->tick(crowd->intents, dt_s, pool_of(*crowd));
  return ZOE_OK;
}

zoe_character* zoe_crowd_character(zoe_crowd* crowd, int32_t index) {
  return is_index(crowd, index) ? &crowd->characters[static_cast<std::size_t>(index)] : nullptr;
}

size_t zoe_crowd_state_bytes(const zoe_crowd* crowd) { return crowd != nullptr ? crowd->crowd->state_bytes() : 0; }

zoe_status zoe_crowd_save(const zoe_crowd* crowd, void* out, size_t num_bytes) {
  if (crowd == nullptr || out == nullptr) return refuse_null("zoe_crowd_save: null");
  if (num_bytes != crowd->crowd->state_bytes()) {
    return fail(ZOE_ERROR_USAGE, "zoe_crowd_save: num_bytes must be zoe_crowd_state_bytes()");
  }
  crowd->crowd->save_state({static_cast<std::byte*>(out), num_bytes});
  return ZOE_OK;
}

zoe_status zoe_crowd_restore(zoe_crowd* crowd, const void* bytes, size_t num_bytes) {
  if (crowd == nullptr || bytes == nullptr) return refuse_null("zoe_crowd_restore: null");
  return guarded([&]() -> zoe_status {
    const auto done =
        crowd->crowd->restore_state(std::span<const std::byte>{static_cast<const std::byte*>(bytes), num_bytes});
    return done ? ZOE_OK : fail(done.error());
  });
}

uint64_t zoe_crowd_hash(const zoe_crowd* crowd) { return crowd != nullptr ? crowd->crowd->hash() : 0; }
