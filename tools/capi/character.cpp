// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: single characters.
#include <cmath>

#include "common.h"

using namespace zoe::capi;

namespace {

const char* const kOfCrowd = "a character of a crowd changes with its crowd only";

void give_pose(const zoe::PoseView& pose, zoe_pose* out) {
  *out = {static_cast<int32_t>(pose.translations.size()), floats(pose.translations.data()),
          floats(pose.rotations.data()), pose.scales.empty() ? nullptr : floats(pose.scales.data())};
}

}  // namespace

zoe_status zoe_character_new(const zoe_controller* controller, const zoe_placement* placement, zoe_character** out) {
  if (controller == nullptr || out == nullptr) {
    return refuse_null("zoe_character_new: controller and out must not be null");
  }
  return guarded([&]() -> zoe_status {
    zoe::control::CharacterSetup setup;
    if (placement != nullptr) {
      setup.root = root_of(*placement);
      const zoe::Vec3 at = setup.root.position;
      if (!std::isfinite(at.x + at.y + at.z + setup.root.facing_rad) || placement->lane < 0) {
        return fail(ZOE_ERROR_USAGE, "zoe_character_new: a placement is finite and its lane is at least 0");
      }
      setup.proportions = proportions_of(*placement);
      setup.lane = placement->lane;
    }
    auto made = std::make_unique<zoe_character>();
    made->controller = controller->ptr;
    made->owned = controller->ptr->make_state(setup);
    made->state = made->owned.get();
    *out = made.release();
    return ZOE_OK;
  });
}

void zoe_character_free(zoe_character* character) {
  if (character != nullptr && character->owned) delete character;
}

zoe_status zoe_character_tick(zoe_character* character, const zoe_intent* intent, double dt_s) {
  if (character == nullptr) return refuse_null("zoe_character_tick: character must not be null");
  if (!character->owned) return fail(ZOE_ERROR_USAGE, kOfCrowd);
  character->controller->tick(*character->state, intent != nullptr ? from_c(*intent) : zoe::control::Intent::stand(),
                              dt_s);
  return ZOE_OK;
}

zoe_status zoe_character_place(zoe_character* character, const float position[3], float facing_rad) {
  if (character == nullptr || position == nullptr) {
    return refuse_null("zoe_character_place: character and position must not be null");
  }
  if (!std::isfinite(position[0] + position[1] + position[2] + facing_rad)) {
    return fail(ZOE_ERROR_USAGE, "zoe_character_place: a number is not finite");
  }
  character->controller->place(*character->state,
                               {.position = {position[0], position[1], position[2]}, .facing_rad = facing_rad});
  return ZOE_OK;
}

zoe_status zoe_character_reset(zoe_character* character) {
  if (character == nullptr) return refuse_null("zoe_character_reset: character must not be null");
  if (!character->owned) return fail(ZOE_ERROR_USAGE, kOfCrowd);
  character->controller->reset(*character->state);
  return ZOE_OK;
}

zoe_status zoe_character_set_ground(zoe_character* character, const zoe_ground* ground) {
  if (character == nullptr) return refuse_null("zoe_character_set_ground: character must not be null");
  character->state->set_ground(ground != nullptr ? ground->ptr : nullptr);
  return ZOE_OK;
}

zoe_status zoe_character_pose(const zoe_character* character, zoe_pose* out) {
  if (character == nullptr || out == nullptr) return refuse_null("zoe_character_pose: null");
  give_pose(character->state->pose(), out);
  return ZOE_OK;
}

zoe_status zoe_character_pose_in_root(const zoe_character* character, zoe_pose* out) {
  if (character == nullptr || out == nullptr) return refuse_null("zoe_character_pose_in_root: null");
  give_pose(character->state->pose_in_root(), out);
  return ZOE_OK;
}

zoe_status zoe_character_matrices(const zoe_character* character, float* out, size_t num_floats) {
  if (character == nullptr || out == nullptr) return refuse_null("zoe_character_matrices: null");
  const zoe::Skeleton& skeleton = *character->controller->skeleton();
  const auto joints = static_cast<std::size_t>(skeleton.num_joints());
  if (num_floats != 16 * joints) {
    return fail(ZOE_ERROR_USAGE, "zoe_character_matrices: num_floats must be 16 × joints");
  }
  const zoe::PoseView pose = character->state->pose();
  // Each matrix is computed where it is written: parents come first.
  for (std::size_t j = 0; j < joints; ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    zoe::Affine m = zoe::to_affine(pose.joint(static_cast<int>(j)));
    if (parent >= 0) {
      const float* p = out + 16 * static_cast<std::size_t>(parent);
      m = zoe::Affine{{p[0], p[1], p[2]}, {p[4], p[5], p[6]}, {p[8], p[9], p[10]}, {p[12], p[13], p[14]}} * m;
    }
    const float columns[16] = {m.x.x, m.x.y, m.x.z, 0, m.y.x, m.y.y, m.y.z, 0,
                               m.z.x, m.z.y, m.z.z, 0, m.t.x, m.t.y, m.t.z, 1};
    std::copy(std::begin(columns), std::end(columns), out + 16 * j);
  }
  return ZOE_OK;
}

zoe_status zoe_character_motion_state(const zoe_character* character, zoe_motion_state* out) {
  if (character == nullptr || out == nullptr) return refuse_null("zoe_character_motion_state: null");
  const zoe::control::ControllerState& state = *character->state;
  const zoe::Vec3 at = state.root().position, v = state.velocity_mps();
  *out = {{at.x, at.y, at.z},
          state.root().facing_rad,
          {v.x, v.y, v.z},
          state.speed_mps(),
          static_cast<int32_t>(state.progress()),
          state.num_recoveries(),
          state.num_steps()};
  return ZOE_OK;
}

const float* zoe_character_contacts(const zoe_character* character) {
  return character != nullptr ? character->state->contacts().data() : nullptr;
}

size_t zoe_character_state_bytes(const zoe_character* character) {
  return character != nullptr ? character->controller->state_bytes(*character->state) : 0;
}

zoe_status zoe_character_save(const zoe_character* character, void* out, size_t num_bytes) {
  if (character == nullptr || out == nullptr) return refuse_null("zoe_character_save: null");
  if (num_bytes != zoe_character_state_bytes(character)) {
    return fail(ZOE_ERROR_USAGE, "zoe_character_save: num_bytes must be zoe_character_state_bytes()");
  }
  character->controller->save_state(*character->state, {static_cast<std::byte*>(out), num_bytes});
  return ZOE_OK;
}

zoe_status zoe_character_restore(zoe_character* character, const void* bytes, size_t num_bytes) {
  if (character == nullptr || bytes == nullptr) return refuse_null("zoe_character_restore: null");
  if (!character->owned) return fail(ZOE_ERROR_USAGE, kOfCrowd);
  return guarded([&]() -> zoe_status {
    const auto done = character->controller->restore_state(
        *character->state, std::span<const std::byte>{static_cast<const std::byte*>(bytes), num_bytes});
    return done ? ZOE_OK : fail(done.error());
  });
}

uint64_t zoe_character_hash(const zoe_character* character) {
  return character != nullptr ? character->state->hash() : 0;
}
