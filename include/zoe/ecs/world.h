// SPDX-License-Identifier: MIT
// Part of Zoetrope. A world: entities, their components, and resources (one value per type). It does not know their
// meaning. Worlds are independent of each other; any number may exist, in any threads.
//
//   World world;
//   const Entity ball = world.create(Position{0, 1, 0}, Velocity{1, 0, 0});
//   world.query<Position, const Velocity>().each([](Position& p, const Velocity& v) { p.x += v.x; });
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "zoe/core/check.h"
#include "zoe/ecs/table.h"

namespace zoe::ecs {

template <typename... Terms>
class Query;

// Not thread-safe, except for reading; Schedule computes which systems may run together. Creating, destroying, adding
// and removing move components, so pointers and spans into the world become invalid. Such changes are a failed check
// while a query runs: record them in Commands instead.
class World {
 public:
  World();
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  template <typename... Components>
  Entity create(Components&&... components) {
    static_assert(all_distinct<std::remove_cvref_t<Components>...>(), "an entity has one component of a type");
    ComponentMask mask;
    (mask.set(component_id<std::remove_cvref_t<Components>>()), ...);
    const Entity entity = create_raw(mask);
    [[maybe_unused]] const Location at = location(entity);
    (construct_in(*tables_[at.table], at.row, std::forward<Components>(components)), ...);
    return entity;
  }
  // No effect on an entity that no longer exists.
  void destroy(Entity entity);
  void clear();  // All entities; resources stay.

  bool alive(Entity entity) const {
    return entity.index < records_.size() && records_[entity.index].generation == entity.generation &&
           entity.generation != 0;
  }
  std::size_t num_entities() const { return num_entities_; }
  std::size_t num_tables() const { return tables_.size(); }

  // Adds or replaces. The entity must be alive.
  template <typename T>
  std::remove_cvref_t<T>& add(Entity entity, T&& component) {
    using Component = std::remove_cvref_t<T>;
    Component value(std::forward<T>(component));  // It may be in this world, which is about to move components.
    void* cell = add_raw(entity, component_id<Component>());
    return *std::construct_at(static_cast<Component*>(cell), std::move(value));
  }
  // False when it had none. The entity must be alive.
  template <typename T>
  bool remove(Entity entity) {
    return remove_raw(entity, component_id<T>());
  }

  // Null when the entity does not exist or has no such component.
  template <typename T>
  T* find(Entity entity) {
    return find_typed<T>(entity);
  }
  template <typename T>
  const T* find(Entity entity) const {
    return find_typed<T>(entity);
  }
  // Checked: it must exist.
  template <typename T>
  T& get(Entity entity) {
    T* component = find<T>(entity);
    if (component == nullptr) fail_get(entity, component_id<T>());
    return *component;
  }
  template <typename T>
  const T& get(Entity entity) const {
    const T* component = find<T>(entity);
    if (component == nullptr) fail_get(entity, component_id<T>());
    return *component;
  }
  template <typename T>
  bool has(Entity entity) const {
    return find<T>(entity) != nullptr;
  }

  // Terms: T (read and write), const T (read), Maybe<T>, With<T>, Without<T>; see query.h, which must be included.
  template <typename... Terms>
  Query<Terms...> query() {
    return Query<Terms...>(*this);
  }
  template <typename... Terms>
  Query<Terms...> query() const {
    static_assert((Query<Terms...>::kReadOnly), "a const world is only read: use const components");
    return Query<Terms...>(*this);
  }

  // One value per type that belongs to the whole world: time, input, settings.
  template <typename T>
  T& set_resource(T value) {
    auto holder = std::make_unique<HeldResource<T>>(std::move(value));
    T& reference = holder->value;
    put_resource(component_id<T>(), std::move(holder));
    return reference;
  }
  template <typename T>
  T* find_resource() const {
    const auto* held = static_cast<const HeldResource<T>*>(resource_raw(component_id<T>()));
    return held == nullptr ? nullptr : const_cast<T*>(&held->value);
  }
  template <typename T>
  T& resource() {
    return checked_resource<T>();
  }
  template <typename T>
  const T& resource() const {
    return checked_resource<T>();
  }

  // Changes whenever components are created, replaced, moved or destroyed, not when they are written to. Caches of
  // pointers and orders compare it.
  std::uint64_t structure_version() const { return structure_version_; }

  // For Query, Commands and tools. Tables are in the order of their first use.
  std::span<const std::unique_ptr<Table>> tables() const { return tables_; }
  // An entity whose components are raw memory until the caller constructs them, before anything else happens.
  Entity create_raw(const ComponentMask& mask);
  void* find_raw(Entity entity, ComponentId id) const;
  void* add_raw(Entity entity, ComponentId id);  // The cell, raw: a previous component has been destroyed.
  bool remove_raw(Entity entity, ComponentId id);
  void reserve(const ComponentMask& mask, std::size_t num_entities);

  // Forbids structural changes while it exists.
  class Lock {
   public:
    explicit Lock(const World& world) : locks_(*world.locks_) { locks_.fetch_add(1, std::memory_order_relaxed); }
    ~Lock() { locks_.fetch_sub(1, std::memory_order_relaxed); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    std::atomic<int>& locks_;
  };

 private:
  struct Location {
    std::uint32_t table = 0, row = 0;
  };
  struct Record {
    std::uint32_t generation = 1;  // Of the present entity, or of the next one.
    Location at;                   // Free: row is the next free record.
  };
  struct AnyResource {
    virtual ~AnyResource() = default;
  };
  template <typename T>
  struct HeldResource : AnyResource {
    explicit HeldResource(T v) : value(std::move(v)) {}
    T value;
  };
  struct MaskHash {
    std::size_t operator()(const ComponentMask& mask) const { return mask.hash(); }
  };

  Location location(Entity entity) const { return records_[entity.index].at; }
  template <typename T>
  T* find_typed(Entity entity) const {
    if (!alive(entity)) return nullptr;
    const Location at = location(entity);
    T* first = tables_[at.table]->column<T>();
    return first == nullptr ? nullptr : first + at.row;
  }
  std::uint32_t table_of(const ComponentMask& mask);
  std::uint32_t neighbour_of(std::uint32_t table, ComponentId toggled);
  void move_entity(Entity entity, std::uint32_t to_table);
  void row_moved(std::uint32_t table, std::size_t row);
  void begin_change();
  void check_alive(Entity entity) const;
  [[noreturn]] void fail_get(Entity entity, ComponentId id) const;
  [[noreturn]] void fail_resource(ComponentId id) const;
  void put_resource(ComponentId id, std::unique_ptr<AnyResource> resource);
  const AnyResource* resource_raw(ComponentId id) const {
    return id < resources_.size() ? resources_[id].get() : nullptr;
  }
  template <typename T>
  T& checked_resource() const {
    T* value = find_resource<T>();
    if (value == nullptr) fail_resource(component_id<T>());
    return *value;
  }
  template <typename T>
  static void construct_in(Table& table, std::size_t row, T&& component) {
    using Component = std::remove_cvref_t<T>;
    std::construct_at(table.column<Component>() + row, std::forward<T>(component));
  }

  std::vector<Record> records_;
  std::uint32_t first_free_ = kNone;
  std::size_t num_entities_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;
  std::unordered_map<ComponentMask, std::uint32_t, MaskHash> table_by_mask_;
  std::vector<std::unique_ptr<AnyResource>> resources_;  // By component id.
  std::uint64_t structure_version_ = 0;
  std::unique_ptr<std::atomic<int>> locks_;  // Separate, so that a world can be moved.

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
};

}  // namespace zoe::ecs
