// SPDX-License-Identifier: MIT
// Part of Zoetrope. All entities with the same set of components: one contiguous column per component, one row per
// entity.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/ecs/component.h"

namespace zoe::ecs {

// A part of World, which keeps rows and entities consistent. Rows are dense: the last one fills a hole.
class Table {
 public:
  explicit Table(const ComponentMask& mask);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const ComponentMask& mask() const { return mask_; }
  std::size_t num_rows() const { return entities_.size(); }
  std::span<const Entity> entities() const { return entities_; }

  // First row's component; null when the table has no such column or never had a row.
  template <typename T>
  T* column() const {
    return reinterpret_cast<T*>(data_of_[component_id<T>()]);
  }
  void* cell(ComponentId id, std::size_t row) const;

  // World's table for this set with one component more or less: an index, or kNoTable.
  static constexpr std::uint32_t kNoTable = 0xFFFFFFFFU;
  std::uint32_t& neighbour(ComponentId toggled) { return neighbours_[toggled]; }

  // A new last row; each of its cells is raw memory that the caller must construct.
  std::size_t add_row(Entity entity);
  // Moves a row to the end of another table. Components that the other lacks are destroyed; those that only it has are
  // raw memory.
  std::size_t move_row(std::size_t row, Table& to);
  // Destroys the row's components.
  void remove_row(std::size_t row);
  void clear();
  void reserve(std::size_t num_rows);

 private:
  struct Column {
    const ComponentInfo* info = nullptr;
    ComponentId id = 0;
    std::byte* data = nullptr;
  };

  // Fills the hole of a row whose cells are destroyed, with the last row.
  void close_hole(std::size_t row);

  ComponentMask mask_;
  std::vector<Column> columns_;
  std::array<std::byte*, kMaxComponentTypes> data_of_{};  // Of columns_, by component: direct lookup.
  std::array<std::uint32_t, kMaxComponentTypes> neighbours_;
  std::vector<Entity> entities_;
  std::size_t capacity_ = 0;
};

}  // namespace zoe::ecs
