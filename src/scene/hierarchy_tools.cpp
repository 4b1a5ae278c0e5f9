// SPDX-License-Identifier: MIT
// Queries and changes of the hierarchy, one entity at a time.
#include <algorithm>

#include "zoe/scene/hierarchy.h"

namespace zoe::scene {

Entity parent_of(const ecs::World& world, Entity entity) {
  const Parent* parent = world.find<Parent>(entity);
  return parent != nullptr && world.alive(parent->entity()) ? parent->entity() : Entity{};
}

Affine compute_world(const ecs::World& world, Entity entity) {
  Affine place;
  for (; entity; entity = parent_of(world, entity)) {
    const LocalTransform* local = world.find<LocalTransform>(entity);
    if (local == nullptr) break;
    place = to_affine(local->get()) * place;
  }
  return place;
}

void set_parent(ecs::World& world, Entity child, Entity parent, bool keep_world) {
  ZOE_CHECK(world.alive(child) && (!parent || world.alive(parent)), "set_parent of an entity that is gone");
  for (Entity up = parent; up; up = parent_of(world, up)) {
    ZOE_CHECK(up != child, "an entity cannot be its own ancestor");
  }
  if (keep_world) {
    const Affine parent_from_world = parent ? inverse(compute_world(world, parent)) : Affine{};
    const Affine place = compute_world(world, child);
    if (LocalTransform* local = world.find<LocalTransform>(child)) local->set(decompose(parent_from_world * place));
  }
  if (parent) {
    world.add(child, Parent(parent));
  } else {
    world.remove<Parent>(child);
  }
}

std::vector<Entity> children_of(const ecs::World& world, Entity entity) {
  std::vector<Entity> children;
  world.query<const Parent>().each([&](Entity child, const Parent& parent) {
    if (parent.entity() == entity) children.push_back(child);
  });
  return children;
}

Entity find_by_name(const ecs::World& world, std::string_view name) {
  Entity found;
  world.query<const Name>().each([&](Entity entity, const Name& other) {
    if (!found && other.value == name) found = entity;
  });
  return found;
}

Entity find_child(const ecs::World& world, Entity parent, std::string_view name) {
  Entity found;
  world.query<const Name>().each([&](Entity entity, const Name& other) {
    if (!found && other.value == name && entity != parent && !chain(world, parent, entity).empty()) found = entity;
  });
  return found;
}

std::vector<Entity> chain(const ecs::World& world, Entity ancestor, Entity entity) {
  std::vector<Entity> up;
  for (; entity; entity = parent_of(world, entity)) {
    up.push_back(entity);
    if (entity == ancestor) {
      std::reverse(up.begin(), up.end());
      return up;
    }
  }
  return {};
}

void destroy_tree(ecs::World& world, Entity entity) {
  std::vector<Entity> doomed{entity};
  for (std::size_t i = 0; i < doomed.size(); ++i) {
    const std::vector<Entity> children = children_of(world, doomed[i]);
    doomed.insert(doomed.end(), children.begin(), children.end());
  }
  for (const Entity one : doomed) world.destroy(one);
}

namespace {

void describe_below(const ecs::World& world, Entity entity, int depth, std::string& text) {
  const Name* name = world.find<Name>(entity);
  text.append(static_cast<std::size_t>(2 * depth), ' ');
  text += name != nullptr ? name->value : "(no name)";
  text += '\n';
  for (const Entity child : children_of(world, entity)) describe_below(world, child, depth + 1, text);
}

}  // namespace

std::string describe(const ecs::World& world) {
  std::string text;
  world.query<ecs::With<LocalTransform>>().each([&](Entity entity) {
    if (!parent_of(world, entity)) describe_below(world, entity, 0, text);
  });
  return text;
}

}  // namespace zoe::scene
