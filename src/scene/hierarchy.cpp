// SPDX-License-Identifier: MIT
#include "zoe/scene/hierarchy.h"

#include <algorithm>
#include <numeric>

#include "zoe/core/index.h"

namespace zoe::scene {
namespace {

constexpr std::size_t kGrain = 4096;  // Entities per piece: about 50 microseconds.
constexpr std::int32_t kNone = -1;

}  // namespace

// Three passes over all entities, each linear: parents first; sizes of subtrees from the leaves up; groups from the
// roots down.
void Hierarchy::rebuild(ecs::World& world) {
  found_.clear();
  found_of_.clear();
  world.query<LocalTransform, WorldTransform, ecs::Maybe<const Parent>>().each(
      [&](Entity entity, LocalTransform& local, WorldTransform& place, const Parent* parent) {
        if (entity.index >= found_of_.size()) found_of_.resize(std::size_t{entity.index} + 1, kNone);
        found_of_[entity.index] = static_cast<std::int32_t>(found_.size());
        found_.push_back({entity, parent != nullptr ? parent->entity() : Entity{}, &local, &place});
        local.dirty_ = true;  // It is unknown here whose parent was added, removed or changed.
      });
  for (Found& found : found_) {
    const Entity parent = found.parent_entity;
    if (!parent || parent.index >= found_of_.size()) continue;
    const std::int32_t place = found_of_[parent.index];
    if (place >= 0 && found_[idx(place)].entity == parent) found.parent = place;
  }

  // Parents first, otherwise as stored, so that memory is read forwards.
  parents_first_.clear();
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(found_.size()); ++i) {
    const std::size_t first = parents_first_.size();
    for (std::int32_t up = i; up != kNone && !found_[idx(up)].placed; up = found_[idx(up)].parent) {
      found_[idx(up)].placed = true;
      parents_first_.push_back(up);
    }
    std::reverse(parents_first_.begin() + static_cast<std::ptrdiff_t>(first), parents_first_.end());
    // The walk ended at a placed one. In a cycle that is one of this walk's own, and comes after its child.
    if (parents_first_.size() > first) {
      const std::int32_t above = found_[idx(parents_first_[first])].parent;
      const auto walked = std::span(parents_first_).subspan(first);
      ZOE_CHECK(above == kNone || std::find(walked.begin(), walked.end(), above) == walked.end(),
                "a circle of parents");
    }
  }
  for (std::size_t k = parents_first_.size(); k-- > 0;) {
    const Found& found = found_[idx(parents_first_[k])];
    if (found.parent != kNone) found_[idx(found.parent)].subtree_size += found.subtree_size;
  }

  // Group 0: the tops of large trees, one after the other. The others: whole small trees,
  // independent of each other.
  group_ends_.assign(1, 0);
  for (const std::int32_t i : parents_first_) {
    Found& found = found_[idx(i)];
    if (found.subtree_size > kGrain) {
      found.group = 0;
    } else if (found.parent != kNone && found_[idx(found.parent)].group > 0) {
      found.group = found_[idx(found.parent)].group;
    } else {
      found.group = static_cast<std::int32_t>(group_ends_.size());
      group_ends_.push_back(0);
    }
    ++group_ends_[idx(found.group)];
  }
  std::exclusive_scan(group_ends_.begin(), group_ends_.end(), group_ends_.begin(), std::size_t{0});
  nodes_.resize(found_.size());
  entities_.resize(found_.size());
  for (const std::int32_t i : parents_first_) {
    Found& found = found_[idx(i)];
    const std::size_t place = group_ends_[idx(found.group)]++;
    found.place = static_cast<std::int32_t>(place);
    nodes_[place] = {found.local, found.world, found.parent == kNone ? kNone : found_[idx(found.parent)].place, false};
    entities_[place] = found.entity;
  }

  // Neighbouring groups make pieces of a useful size.
  piece_ends_.clear();
  std::size_t begin = group_ends_[0];
  for (const std::size_t end : group_ends_) {
    if (end - begin < kGrain && end != nodes_.size()) continue;
    if (end > begin) piece_ends_.push_back(end);
    begin = end;
  }
  piece_counts_.resize(piece_ends_.size());
}

std::size_t Hierarchy::update_range(std::size_t begin, std::size_t end) {
  std::size_t num_updated = 0;
  Node* nodes = nodes_.data();
  for (std::size_t i = begin; i < end; ++i) {
    Node& node = nodes[i];
    const Node* parent = node.parent == kNone ? nullptr : nodes + node.parent;
    node.changed = node.local->dirty_ || (parent != nullptr && parent->changed);
    if (!node.changed) continue;
    const Affine local = to_affine(node.local->value_);
    node.world->world_from_entity = parent == nullptr ? local : parent->world->world_from_entity * local;
    node.local->dirty_ = false;
    ++num_updated;
  }
  return num_updated;
}

void Hierarchy::update(ecs::World& world, Executor& pool) {
  if (seen_world_ != &world || seen_version_ != world.structure_version()) {
    rebuild(world);
    seen_world_ = &world;
    seen_version_ = world.structure_version();
  }
  const std::size_t num_tops = group_ends_.empty() ? 0 : group_ends_[0];
  num_updated_ = update_range(0, num_tops);
  pool.parallel_for(piece_ends_.size(), 1, [&](std::size_t piece, std::size_t) {
    piece_counts_[piece] = update_range(piece == 0 ? num_tops : piece_ends_[piece - 1], piece_ends_[piece]);
  });
  num_updated_ = std::accumulate(piece_counts_.begin(), piece_counts_.end(), num_updated_);
}

}  // namespace zoe::scene
