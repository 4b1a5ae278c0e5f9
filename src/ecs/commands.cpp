// SPDX-License-Identifier: MIT
#include "zoe/ecs/commands.h"

#include <algorithm>

namespace zoe::ecs {
namespace {

constexpr std::size_t kBlockSize = 16 << 10;

}  // namespace

Commands::~Commands() { clear(); }

// Blocks never move, because components may not be moved as bytes.
void* Commands::allocate(std::size_t size, std::size_t alignment) {
  for (; block_ < blocks_.size(); ++block_, used_ = 0) {
    const Block& block = blocks_[block_];
    void* at = block.bytes.get() + used_;
    std::size_t left = block.size - used_;
    if (std::align(alignment, size, at, left) != nullptr) {
      used_ = block.size - left + size;
      return at;
    }
  }
  const std::size_t block_size = std::max(kBlockSize, size + alignment);
  blocks_.push_back({std::make_unique<std::byte[]>(block_size), block_size});
  return allocate(size, alignment);
}

Entity Commands::resolve(Entity entity) const {
  if (!is_pending(entity)) return entity;
  ZOE_CHECK(entity.index < num_promised_, "an entity that another command buffer has promised");
  return made_[entity.index];
}

void Commands::move_into(Operation& operation, void* cell) const {
  const ComponentInfo& info = component_info(operation.id);
  info.relocate(cell, operation.payload, 1);
  operation.payload = nullptr;
}

void Commands::apply_create(World& world, std::size_t first) {
  const Operation& create = operations_[first];
  ComponentMask mask;
  for (std::size_t i = 1; i <= create.num_components; ++i) mask.set(operations_[first + i].id);
  const Entity entity = world.create_raw(mask);
  made_[create.entity.index] = entity;
  for (std::size_t i = 1; i <= create.num_components; ++i) {
    Operation& add = operations_[first + i];
    move_into(add, world.find_raw(entity, add.id));
  }
}

void Commands::apply(World& world) {
  if (operations_.empty()) return;
  made_.assign(num_promised_, Entity{});
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    Operation& operation = operations_[i];
    if (operation.kind == Kind::kCreate) {
      apply_create(world, i);
      i += operation.num_components;
      continue;
    }
    const Entity entity = resolve(operation.entity);
    if (!world.alive(entity)) continue;
    if (operation.kind == Kind::kDestroy) world.destroy(entity);
    if (operation.kind == Kind::kRemove) world.remove_raw(entity, operation.id);
    if (operation.kind == Kind::kAdd) move_into(operation, world.add_raw(entity, operation.id));
  }
  // Promises inside components are resolved last: a component may point to an entity that is promised after it.
  if (num_promised_ > 0) {
    const auto map = [](const void* self, Entity entity) {
      return static_cast<const Commands*>(self)->resolve(entity);
    };
    for (const Operation& operation : operations_) {
      if (operation.kind != Kind::kAdd || component_info(operation.id).map_entities == nullptr) continue;
      if (void* cell = world.find_raw(resolve(operation.entity), operation.id)) {
        component_info(operation.id).map_entities(cell, map, this);
      }
    }
  }
  clear();
}

void Commands::clear() {
  for (const Operation& operation : operations_) {
    if (operation.payload != nullptr) component_info(operation.id).destroy(operation.payload, 1);
  }
  operations_.clear();
  num_promised_ = 0;
  block_ = 0;
  used_ = 0;
}

}  // namespace zoe::ecs
