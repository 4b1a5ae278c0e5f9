// SPDX-License-Identifier: MIT
#include "zoe/scene/scene.h"

namespace zoe::scene {
namespace {

// The hash of each array is mixed into the result: nothing is allocated.
template <typename T>
void mix(Hash128& hash, const T* data, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  const Hash128 part = hash_bytes(std::as_bytes(std::span(data, count)));
  const std::uint64_t words[4] = {hash.low, hash.high, part.low, part.high};
  hash = hash_bytes(std::as_bytes(std::span(words)));
}

}  // namespace

Hash128 hash_poses(const ecs::World& world) {
  Hash128 hash;
  world.query<const WorldTransform>().spans([&](std::span<const Entity>, std::span<const WorldTransform> places) {
    mix(hash, places.data(), places.size());
  });
  world.query<const Actor>().each([&](const Actor& actor) {
    mix(hash, actor.pose.translations.data(), actor.pose.translations.size());
    mix(hash, actor.pose.rotations.data(), actor.pose.rotations.size());
    mix(hash, actor.pose.scales.data(), actor.pose.scales.size());
    mix(hash, actor.morph_weights.data(), actor.morph_weights.size());
    mix(hash, actor.model_from_joint.data(), actor.model_from_joint.size());
  });
  return hash;
}

}  // namespace zoe::scene
