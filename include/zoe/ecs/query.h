// SPDX-License-Identifier: MIT
// Part of Zoetrope. Visiting all entities that have certain components: one by one, as spans, or in parallel.
//
//   T          the component, to read and write          const T    to read
//   Maybe<T>   a pointer, null where an entity has none (spans: empty); T may be const
//   With<T>    only entities that have it                Without<T> only those that do not
#pragma once

#include <algorithm>
#include <tuple>

#include "zoe/core/executor.h"
#include "zoe/ecs/world.h"

namespace zoe::ecs {

template <typename T>
struct Maybe {};
template <typename T>
struct With {};
template <typename T>
struct Without {};

namespace detail {

// Requirements of a term on a table, and its values for a piece of the table.
template <typename T>
struct Term {
  using Data = T;
  using Component = std::remove_const_t<T>;
  static constexpr bool kReadOnly = std::is_const_v<T>;
  static void require(ComponentMask& with, ComponentMask&) { with.set(component_id<Component>()); }
  struct Cursor {
    T* first;
    T& operator[](std::size_t i) const { return first[i]; }
    std::span<T> span(std::size_t n) const { return {first, n}; }
  };
  static std::tuple<Cursor> cursor(const Table& table, std::size_t begin) {
    return {Cursor{table.column<Component>() + begin}};
  }
};
template <typename T>
struct Term<Maybe<T>> {
  using Data = T;
  using Component = std::remove_const_t<T>;
  static constexpr bool kReadOnly = std::is_const_v<T>;
  static void require(ComponentMask&, ComponentMask&) {}
  struct Cursor {
    T* first;
    T* operator[](std::size_t i) const { return first == nullptr ? nullptr : first + i; }
    std::span<T> span(std::size_t n) const { return {first, first == nullptr ? 0 : n}; }
  };
  static std::tuple<Cursor> cursor(const Table& table, std::size_t begin) {
    T* first = table.column<Component>();
    return {Cursor{first == nullptr ? nullptr : first + begin}};
  }
};
template <typename T>
struct Term<With<T>> {
  using Data = void;
  static constexpr bool kReadOnly = true;
  static void require(ComponentMask& with, ComponentMask&) { with.set(component_id<T>()); }
  static std::tuple<> cursor(const Table&, std::size_t) { return {}; }
};
template <typename T>
struct Term<Without<T>> {
  using Data = void;
  static constexpr bool kReadOnly = true;
  static void require(ComponentMask&, ComponentMask& without) { without.set(component_id<T>()); }
  static std::tuple<> cursor(const Table&, std::size_t) { return {}; }
};

}  // namespace detail

// Cheap: holds no list of tables and allocates nothing. The order of visits is that of tables and rows, which depends
// only on the changes made to the world.
template <typename... Terms>
class Query {
 public:
  static constexpr bool kReadOnly = (detail::Term<Terms>::kReadOnly && ...);

  explicit Query(const World& world) : world_(&world) { (detail::Term<Terms>::require(with_, without_), ...); }

  // function(span<const Entity>, span<T>…) for each table: the fastest form, which vectorises.
  template <typename Function>
  void spans(Function&& function) const {
    const World::Lock lock(*world_);
    for_tables([&](const Table& table) { call_spans(function, table, 0, table.num_rows()); });
  }

  // function(Entity, T&…) or function(T&…) for each entity.
  template <typename Function>
  void each(Function&& function) const {
    const World::Lock lock(*world_);
    for_tables([&](const Table& table) { call_each(function, table, 0, table.num_rows()); });
  }

  // As spans, in pieces of at most `grain` rows on the pool's threads. Pieces do not depend on the number of threads: a
  // function that writes only to its own rows gives the same results on any machine.
  template <typename Function>
  void parallel_spans(Executor& pool, std::size_t grain, const Function& function) const {
    parallel(pool, grain,
             [&](const Table& table, std::size_t begin, std::size_t end) { call_spans(function, table, begin, end); });
  }
  template <typename Function>
  void parallel_each(Executor& pool, std::size_t grain, const Function& function) const {
    parallel(pool, grain,
             [&](const Table& table, std::size_t begin, std::size_t end) { call_each(function, table, begin, end); });
  }

  std::size_t count() const {
    std::size_t n = 0;
    for_tables([&](const Table& table) { n += table.num_rows(); });
    return n;
  }
  // The first one in the order of visits, or no entity.
  Entity first() const {
    Entity found;
    for_tables([&](const Table& table) {
      if (!found) found = table.entities()[0];
    });
    return found;
  }

 private:
  template <typename Function>
  void for_tables(const Function& function) const {
    for (const std::unique_ptr<Table>& table : world_->tables()) {
      if (table->num_rows() == 0 || !table->mask().contains(with_) || table->mask().intersects(without_)) continue;
      function(*table);
    }
  }

  static auto cursors(const Table& table, std::size_t begin) {
    return std::tuple_cat(detail::Term<Terms>::cursor(table, begin)...);
  }

  template <typename Function>
  static void call_spans(Function& function, const Table& table, std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin;
    const std::span<const Entity> entities = table.entities().subspan(begin, n);
    std::apply([&](auto... cursor) { function(entities, cursor.span(n)...); }, cursors(table, begin));
  }
  template <typename Function>
  static void call_each(Function& function, const Table& table, std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin;
    const Entity* entities = table.entities().data() + begin;
    std::apply(
        [&](auto... cursor) {
          for (std::size_t i = 0; i < n; ++i) {
            if constexpr (std::is_invocable_v<Function&, Entity, decltype(cursor[i])...>) {
              function(entities[i], cursor[i]...);
            } else {
              function(cursor[i]...);
            }
          }
        },
        cursors(table, begin));
  }

  // Rows of all tables form one range, so that many small tables still give pieces of a useful size.
  template <typename Function>
  void parallel(Executor& pool, std::size_t grain, const Function& function) const {
    const World::Lock lock(*world_);
    pool.parallel_for(count(), grain, [&](std::size_t begin, std::size_t end) {
      std::size_t first_row = 0;  // First row of the table in the whole range.
      for_tables([&](const Table& table) {
        const std::size_t from = std::max(begin, first_row), to = std::min(end, first_row + table.num_rows());
        if (from < to) function(table, from - first_row, to - first_row);
        first_row += table.num_rows();
      });
    });
  }

  const World* world_;
  ComponentMask with_, without_;
};

}  // namespace zoe::ecs
