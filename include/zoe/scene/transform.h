// SPDX-License-Identifier: MIT
// Part of Zoetrope. Transforms of entities: relative to their parent, in the world, and one fixed step before.
#pragma once

#include <string>

#include "zoe/ecs/entity.h"
#include "zoe/math/transform.h"

namespace zoe::scene {

using ecs::Entity;

// A name for people. Need not be unique.
struct Name {
  std::string value;
};

// Relative to the parent, or to the world without one. It records changes, so that only changed transforms and their
// descendants are recomputed.
class LocalTransform {
 public:
  LocalTransform() = default;
  explicit LocalTransform(const Transform& parent_from_entity) : value_(parent_from_entity) {}

  const Transform& get() const { return value_; }
  void set(const Transform& parent_from_entity) { edit() = parent_from_entity; }
  // For changes in place. Counts as a change. Keep no reference beyond the step.
  Transform& edit() {
    dirty_ = true;
    return value_;
  }

 private:
  friend class Hierarchy;
  Transform value_;
  bool dirty_ = true;
};

// Computed by Hierarchy from the local transforms. Valid only after its update.
struct WorldTransform {
  Affine world_from_entity;
};

// Replaced as a whole (world.add), never assigned, so that Hierarchy notices. See set_parent in hierarchy.h.
class Parent {
 public:
  explicit Parent(Entity entity) : entity_(entity) {}
  Parent(Parent&&) = default;
  Parent& operator=(const Parent&) = delete;

  Entity entity() const { return entity_; }

  template <typename F>
  friend void visit_entities(Parent& parent, F&& f) {
    f(parent.entity_);
  }

 private:
  Entity entity_;
};

// On entities that are drawn between fixed steps: their transform one step before.
struct Interpolated {
  Affine world_from_entity_before;
};

// Interpolates two transforms, alpha in 0..1: rotations stay rotations. Maps without shear only.
Affine interpolate(const Affine& before, const Affine& now, float alpha);

}  // namespace zoe::scene
