// SPDX-License-Identifier: MIT
// Part of Zoetrope. Systems with declared reads and writes, and their order. Systems that do not use the same data run
// in parallel, and the result equals running them one after the other.
//
//   Schedule schedule;
//   schedule.add<Position, const Velocity>("move", [](auto& scope) {
//     scope.template query<Position, const Velocity>().each([](Position& p, const Velocity& v) { p.x += v.x; });
//   });
//   schedule.run(world);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "zoe/core/thread_pool.h"
#include "zoe/ecs/commands.h"
#include "zoe/ecs/query.h"

namespace zoe::ecs {

// The access of a system. Access lists components and resources: T to write, const T to read. Anything else does not
// compile. With<> and Without<> need no entry, because components are neither added nor removed while systems run.
template <typename... Access>
class Scope {
 public:
  Scope(World& world, Commands& commands, Executor& pool) : world_(world), commands_(commands), pool_(pool) {}

  template <typename... Terms>
  Query<Terms...> query() const {
    static_assert((allowed<typename detail::Term<Terms>::Data>() && ...), "the system did not declare this access");
    return Query<Terms...>(world_);
  }
  // Null when the entity does not exist or lacks it.
  template <typename T>
  T* find(Entity entity) const {
    static_assert(allowed<T>(), "the system did not declare this access");
    return world_.find<std::remove_const_t<T>>(entity);
  }
  template <typename T>
  T& resource() const {
    static_assert(allowed<T>(), "the system did not declare this access");
    return world_.resource<std::remove_const_t<T>>();
  }
  bool alive(Entity entity) const { return world_.alive(entity); }
  std::uint64_t structure_version() const { return world_.structure_version(); }

  // Applied at the next barrier, in the order of systems. For the system's own thread, not inside parallel_each.
  Commands& commands() const { return commands_; }
  Executor& pool() const { return pool_; }

 private:
  template <typename T>
  static constexpr bool allowed() {
    return std::is_void_v<T> || (std::is_same_v<T, Access> || ...) ||
           (std::is_const_v<T> && (std::is_same_v<std::remove_const_t<T>, Access> || ...));
  }
  World& world_;
  Commands& commands_;
  Executor& pool_;
};

class Schedule {
 public:
  // function(Scope<Access…>&). Systems that conflict (one writes what the other reads or writes) keep this order.
  template <typename... Access, typename Function>
  Schedule& add(std::string name, Function function) {
    ComponentMask reads, writes;
    ((std::is_const_v<Access> ? reads : writes).set(component_id<std::remove_const_t<Access>>()), ...);
    add_system(std::move(name), reads, writes,
               [function = std::move(function)](World& world, Commands& commands, Executor& pool) mutable {
                 Scope<Access...> scope(world, commands, pool);
                 function(scope);
               });
    return *this;
  }
  // function(World&), alone: may change the world's structure at once. There is a barrier before and after it.
  Schedule& add_exclusive(std::string name, std::function<void(World&)> function);
  // Commands so far are applied before the systems that follow.
  Schedule& barrier();

  // Runs every system once and applies all commands. Allocates nothing once warm, apart from what systems allocate.
  void run(World& world, Executor& pool = ThreadPool::shared());

  // Names of the systems that run together, in order; an exclusive one is alone.
  std::vector<std::vector<std::string>> waves() const;

 private:
  using Run = std::function<void(World&, Commands&, Executor&)>;
  struct System {
    std::string name;
    ComponentMask reads, writes;
    Run run;
    bool exclusive = false;
    Commands commands;

    bool conflicts(const System& other) const;
  };
  // Systems between two barriers, wave by wave.
  struct Section {
    std::vector<std::vector<std::size_t>> waves;  // Indices into systems_, in the order of adding.
    std::vector<std::size_t> systems;
  };

  void add_system(std::string name, const ComponentMask& reads, const ComponentMask& writes, Run run);

  std::vector<System> systems_;
  std::vector<Section> sections_;
  bool open_ = false;  // The last section accepts more systems.
};

}  // namespace zoe::ecs
