// SPDX-License-Identifier: MIT
// Part of Zoetrope. Structural changes that are recorded now and applied later, in the same order. Systems use them
// instead of changing the world while others run.
#pragma once

#include <memory>
#include <vector>

#include "zoe/ecs/world.h"

namespace zoe::ecs {

// For one thread at a time. Changes to entities that no longer exist are dropped: two systems may destroy the same
// entity. Memory is kept for reuse.
class Commands {
 public:
  Commands() = default;
  ~Commands();
  Commands(Commands&&) noexcept = default;
  Commands& operator=(Commands&&) = delete;

  // A promise. It is valid as a target of later commands of this buffer, and inside components that have
  // visit_entities(). The real entity replaces it when the commands are applied.
  template <typename... Components>
  Entity create(Components&&... components) {
    static_assert(all_distinct<std::remove_cvref_t<Components>...>(), "an entity has one component of a type");
    const Entity promised{num_promised_++, kPendingGeneration};
    operations_.push_back({Kind::kCreate, promised, 0, nullptr, sizeof...(Components)});
    (add(promised, std::forward<Components>(components)), ...);
    return promised;
  }
  void destroy(Entity entity) { operations_.push_back({Kind::kDestroy, entity, 0, nullptr, 0}); }
  template <typename T>
  void add(Entity entity, T&& component) {
    using Component = std::remove_cvref_t<T>;
    const ComponentId id = component_id<Component>();
    void* payload = allocate(sizeof(Component), alignof(Component));
    std::construct_at(static_cast<Component*>(payload), std::forward<T>(component));
    operations_.push_back({Kind::kAdd, entity, id, payload, 0});
  }
  template <typename T>
  void remove(Entity entity) {
    operations_.push_back({Kind::kRemove, entity, component_id<T>(), nullptr, 0});
  }

  bool empty() const { return operations_.empty(); }
  void apply(World& world);
  void clear();  // Drops the recorded commands.

 private:
  enum class Kind : std::uint8_t { kCreate, kDestroy, kAdd, kRemove };
  struct Operation {
    Kind kind;
    Entity entity;
    ComponentId id;
    void* payload;               // kAdd: the component; null once it has moved into the world.
    std::size_t num_components;  // kCreate: number of following operations that are its components.
  };
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  void* allocate(std::size_t size, std::size_t alignment);
  void apply_create(World& world, std::size_t first);
  Entity resolve(Entity entity) const;
  void move_into(Operation& operation, void* cell) const;

  std::vector<Operation> operations_;
  std::uint32_t num_promised_ = 0;
  std::vector<Entity> made_;  // Entity of promise i.
  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;  // Position of the next component.
};

}  // namespace zoe::ecs
