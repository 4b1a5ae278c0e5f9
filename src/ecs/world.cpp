// SPDX-License-Identifier: MIT
#include "zoe/ecs/world.h"

#include <string>

namespace zoe::ecs {

World::World() : locks_(std::make_unique<std::atomic<int>>(0)) {
  table_of(ComponentMask{});  // Table 0: entities without components.
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::begin_change() {
  ZOE_CHECK(locks_->load(std::memory_order_relaxed) == 0,
            "the world's structure was changed while a query or schedule runs; record the change "
            "in Commands");
  ++structure_version_;
}

void World::check_alive(Entity entity) const {
  ZOE_CHECK(alive(entity), "entity " + std::to_string(entity.index) + " does not exist in this world");
}

std::uint32_t World::table_of(const ComponentMask& mask) {
  if (const auto found = table_by_mask_.find(mask); found != table_by_mask_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(tables_.size());
  tables_.push_back(std::make_unique<Table>(mask));
  table_by_mask_.emplace(mask, index);
  return index;
}

std::uint32_t World::neighbour_of(std::uint32_t table, ComponentId toggled) {
  std::uint32_t known = tables_[table]->neighbour(toggled);
  if (known != Table::kNoTable) return known;
  ComponentMask mask = tables_[table]->mask();
  mask.test(toggled) ? mask.clear(toggled) : mask.set(toggled);
  known = table_of(mask);
  tables_[table]->neighbour(toggled) = known;
  return known;
}

Entity World::create_raw(const ComponentMask& mask) {
  begin_change();
  std::uint32_t index = first_free_;
  if (index == kNone) {
    ZOE_CHECK(records_.size() < kNone, "too many entities");
    index = static_cast<std::uint32_t>(records_.size());
    records_.emplace_back();
  } else {
    first_free_ = records_[index].at.row;
  }
  Record& record = records_[index];
  const Entity entity{index, record.generation};
  const std::uint32_t table = table_of(mask);
  record.at = {table, static_cast<std::uint32_t>(tables_[table]->add_row(entity))};
  ++num_entities_;
  return entity;
}

void World::row_moved(std::uint32_t table, std::size_t row) {
  const std::span<const Entity> entities = tables_[table]->entities();
  if (row < entities.size()) records_[entities[row].index].at.row = static_cast<std::uint32_t>(row);
}

void World::destroy(Entity entity) {
  if (!alive(entity)) return;
  begin_change();
  Record& record = records_[entity.index];
  const Location at = record.at;
  tables_[at.table]->remove_row(at.row);
  row_moved(at.table, at.row);
  // A record whose generations are used up is not used again, so no stale entity becomes valid.
  if (++record.generation != kPendingGeneration) {
    record.at.row = first_free_;
    first_free_ = entity.index;
  } else {
    record.generation = 0;
  }
  --num_entities_;
}

void World::clear() {
  begin_change();
  for (const std::unique_ptr<Table>& table : tables_) {
    while (table->num_rows() > 0) destroy(table->entities().back());
  }
}

void World::move_entity(Entity entity, std::uint32_t to_table) {
  const Location from = location(entity);
  const std::size_t row = tables_[from.table]->move_row(from.row, *tables_[to_table]);
  records_[entity.index].at = {to_table, static_cast<std::uint32_t>(row)};
  row_moved(from.table, from.row);
}

void* World::find_raw(Entity entity, ComponentId id) const {
  if (!alive(entity)) return nullptr;
  const Location at = location(entity);
  return tables_[at.table]->cell(id, at.row);
}

void* World::add_raw(Entity entity, ComponentId id) {
  check_alive(entity);
  begin_change();
  if (void* cell = find_raw(entity, id)) {
    component_info(id).destroy(cell, 1);
    return cell;
  }
  move_entity(entity, neighbour_of(location(entity).table, id));
  const Location at = location(entity);
  return tables_[at.table]->cell(id, at.row);
}

bool World::remove_raw(Entity entity, ComponentId id) {
  check_alive(entity);
  const std::uint32_t table = location(entity).table;
  if (!tables_[table]->mask().test(id)) return false;
  begin_change();
  move_entity(entity, neighbour_of(table, id));
  return true;
}

void World::reserve(const ComponentMask& mask, std::size_t num_entities) {
  begin_change();
  records_.reserve(records_.size() + num_entities);
  Table& table = *tables_[table_of(mask)];
  table.reserve(table.num_rows() + num_entities);
}

void World::put_resource(ComponentId id, std::unique_ptr<AnyResource> resource) {
  if (id >= resources_.size()) resources_.resize(std::size_t{id} + 1);
  resources_[id] = std::move(resource);
}

void World::fail_get(Entity entity, ComponentId id) const {
  check_alive(entity);
  check_failed(__FILE__, __LINE__, "World::get()",
               "entity " + std::to_string(entity.index) + " has no " + std::string(component_info(id).name));
}

void World::fail_resource(ComponentId id) const {
  check_failed(__FILE__, __LINE__, "World::resource()",
               "no " + std::string(component_info(id).name) + " was set; call set_resource first");
}

}  // namespace zoe::ecs
