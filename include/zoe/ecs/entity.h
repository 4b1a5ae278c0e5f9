// SPDX-License-Identifier: MIT
// Part of Zoetrope. An entity: an index and its generation, so that a stale one is detected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace zoe::ecs {

// Equal for the same entity only: an index is reused after its entity is destroyed, with the next generation.
struct Entity {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  // 0: no entity.

  explicit operator bool() const { return generation != 0; }
  friend bool operator==(Entity, Entity) = default;
};

// An entity that a command buffer has promised and not created yet; see commands.h.
constexpr std::uint32_t kPendingGeneration = 0xFFFFFFFFU;
inline bool is_pending(Entity entity) { return entity.generation == kPendingGeneration; }

}  // namespace zoe::ecs

template <>
struct std::hash<zoe::ecs::Entity> {
  std::size_t operator()(zoe::ecs::Entity entity) const noexcept {
    return std::hash<std::uint64_t>{}(std::uint64_t{entity.generation} << 32 | entity.index);
  }
};
