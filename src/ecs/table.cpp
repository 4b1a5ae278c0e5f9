// SPDX-License-Identifier: MIT
#include "zoe/ecs/table.h"

#include <algorithm>
#include <new>

namespace zoe::ecs {
namespace {

// Cache lines, so that columns suit vector loads and no two columns share a line.
constexpr std::size_t kColumnAlignment = 64;

std::align_val_t alignment_of(const ComponentInfo& info) {
  return std::align_val_t{std::max(info.alignment, kColumnAlignment)};
}

}  // namespace

Table::Table(const ComponentMask& mask) : mask_(mask) {
  neighbours_.fill(kNoTable);
  mask.for_each([&](ComponentId id) { columns_.push_back({&component_info(id), id, nullptr}); });
}

Table::~Table() {
  clear();
  for (const Column& column : columns_) {
    if (column.data != nullptr) ::operator delete(column.data, alignment_of(*column.info));
  }
}

void* Table::cell(ComponentId id, std::size_t row) const {
  std::byte* data = data_of_[id];
  return data == nullptr ? nullptr : data + row * component_info(id).size;
}

void Table::reserve(std::size_t num_rows) {
  if (num_rows <= capacity_) return;
  const std::size_t capacity = std::max({num_rows, 2 * capacity_, std::size_t{16}});
  entities_.reserve(capacity);
  for (Column& column : columns_) {
    auto* data = static_cast<std::byte*>(::operator new(capacity* column.info->size, alignment_of(*column.info)));
    if (column.data != nullptr) {
      column.info->relocate(data, column.data, entities_.size());
      ::operator delete(column.data, alignment_of(*column.info));
    }
    column.data = data;
    data_of_[column.id] = data;
  }
  capacity_ = capacity;
}

std::size_t Table::add_row(Entity entity) {
  reserve(entities_.size() + 1);
  entities_.push_back(entity);
  return entities_.size() - 1;
}

std::size_t Table::move_row(std::size_t row, Table& to) {
  const std::size_t new_row = to.add_row(entities_[row]);
  for (const Column& column : columns_) {
    void* from = column.data + row * column.info->size;
    if (void* cell = to.cell(column.id, new_row)) {
      column.info->relocate(cell, from, 1);
    } else {
      column.info->destroy(from, 1);
    }
  }
  close_hole(row);
  return new_row;
}

void Table::remove_row(std::size_t row) {
  for (const Column& column : columns_) column.info->destroy(column.data + row * column.info->size, 1);
  close_hole(row);
}

void Table::close_hole(std::size_t row) {
  const std::size_t last = entities_.size() - 1;
  if (row != last) {
    for (const Column& column : columns_) {
      const std::size_t size = column.info->size;
      column.info->relocate(column.data + row * size, column.data + last * size, 1);
    }
    entities_[row] = entities_[last];
  }
  entities_.pop_back();
}

void Table::clear() {
  for (const Column& column : columns_) column.info->destroy(column.data, entities_.size());
  entities_.clear();
}

}  // namespace zoe::ecs
