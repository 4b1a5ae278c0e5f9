// SPDX-License-Identifier: MIT
// Part of Zoetrope. The hierarchy of entities: world transforms, recomputed only where something has changed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/ecs/query.h"
#include "zoe/scene/transform.h"

namespace zoe::scene {

// A resource of the world. Keeps the entities with LocalTransform and WorldTransform in an order with parents first.
// The order is recomputed when entities or components are added or removed. A parent that does not exist, or has no
// transform, counts as none.
class Hierarchy {
 public:
  // Computes the world transforms of everything that changed since the last call, and of its descendants. The result
  // does not depend on threads. Allocates only after structural changes. A cycle of parents is a failed check.
  void update(ecs::World& world, Executor& pool);

  // Parents first. As of the last update.
  std::span<const Entity> order() const { return entities_; }
  std::size_t num_updated() const { return num_updated_; }  // World transforms that the last update computed.

 private:
  struct Node {
    LocalTransform* local;
    WorldTransform* world;
    std::int32_t parent;  // Position in the order, or -1.
    bool changed;         // In this update.
  };

  void rebuild(ecs::World& world);
  std::size_t update_range(std::size_t begin, std::size_t end);

  std::uint64_t seen_version_ = ~std::uint64_t{0};
  const ecs::World* seen_world_ = nullptr;
  std::vector<Node> nodes_;              // In order.
  std::vector<Entity> entities_;         // In order.
  std::vector<std::size_t> group_ends_;  // Positions; group 0 is the tops of large trees.
  std::vector<std::size_t> piece_ends_;  // Positions; pieces follow the tops and are independent of each other.
  std::vector<std::size_t> piece_counts_;
  std::size_t num_updated_ = 0;

  // Scratch of rebuild().
  struct Found {
    Entity entity, parent_entity;
    LocalTransform* local;
    WorldTransform* world;
    std::int32_t parent = -1, group = 0, place = 0;  // In found_; in nodes_.
    std::uint32_t subtree_size = 1;
    bool placed = false;
  };
  std::vector<Found> found_;
  std::vector<std::int32_t> found_of_;       // By entity index.
  std::vector<std::int32_t> parents_first_;  // Positions in found_.
};

// Sets the parent of a child; no entity: none. Checked: the child is not the parent's ancestor. With keep_world the
// child's world transform stays (exactly so without shear), else its local transform stays.
void set_parent(ecs::World& world, Entity child, Entity parent, bool keep_world = false);
Entity parent_of(const ecs::World& world, Entity entity);

// world_from_entity by walking up, independent of the next update.
Affine compute_world(const ecs::World& world, Entity entity);

// In the order of visits. These search all entities: for tools and set-up, not for every step.
std::vector<Entity> children_of(const ecs::World& world, Entity entity);
Entity find_by_name(const ecs::World& world, std::string_view name);
Entity find_child(const ecs::World& world, Entity parent, std::string_view name);  // At any depth.
// From an ancestor down to an entity, both included; empty when it is no ancestor.
std::vector<Entity> chain(const ecs::World& world, Entity ancestor, Entity entity);
// The entity and all its descendants.
void destroy_tree(ecs::World& world, Entity entity);
// An indented line per entity.
std::string describe(const ecs::World& world);

}  // namespace zoe::scene
