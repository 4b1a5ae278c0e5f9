// SPDX-License-Identifier: MIT
#include "ecs/ecs_bench.h"

#include <random>

#include "zoe/ecs/query.h"
#include "zoe/math/vec.h"

#include "ecs/sparse_set.h"

namespace zoe::bench {
namespace {

constexpr std::size_t kEntities = 100'000;
constexpr float kStep = 1.0F / 60;

struct Position {
  Vec3 value;
};
struct Velocity {
  Vec3 value;
};
// Further components of some entities, so that they are spread over 16 tables.
template <int N>
struct Extra {
  float values[4] = {};
};
struct Mark {
  int value = 0;
};

// The same entities in both types of storage. `mixed`: each has a random choice of four more components, and velocities
// were added in another order than positions, as in a running game.
struct Population {
  ecs::World world;
  std::vector<ecs::Entity> entities;
  SparseSet<Position> positions;
  SparseSet<Velocity> velocities;
  SparseSet<Mark> marks;
  std::vector<Position> plain_positions = std::vector<Position>(kEntities);
  std::vector<Velocity> plain_velocities = std::vector<Velocity>(kEntities, {{1, 2, 3}});

  explicit Population(bool mixed) {
    std::mt19937 random(3);
    std::vector<std::uint32_t> order(kEntities);
    for (std::uint32_t i = 0; i < kEntities; ++i) {
      order[i] = i;
      entities.push_back(world.create(Position{}));
      positions.add(i, {});
    }
    if (mixed) std::shuffle(order.begin(), order.end(), random);
    for (const std::uint32_t i : order) {
      world.add(entities[i], Velocity{{1, 2, 3}});
      velocities.add(i, {{1, 2, 3}});
      const auto bits = mixed ? random() : 0;
      if ((bits & 1) != 0) world.add(entities[i], Extra<0>{});
      if ((bits & 2) != 0) world.add(entities[i], Extra<1>{});
      if ((bits & 4) != 0) world.add(entities[i], Extra<2>{});
      if ((bits & 8) != 0) world.add(entities[i], Extra<3>{});
    }
  }
};

Row make_row(std::string name, double ours_s, double peer_s, std::string peer_name, double traffic_bytes,
             double footprint_bytes) {
  Row row;
  row.name = std::move(name);
  row.unit = "Mentities/s";
  row.ours = kEntities / ours_s / 1e6;
  row.peer = kEntities / peer_s / 1e6;
  row.peer_name = std::move(peer_name);
  if (traffic_bytes > 0) {
    row.limit = copy_bandwidth_bytes_per_s(static_cast<std::size_t>(kEntities * footprint_bytes)) / traffic_bytes / 1e6;
    row.limit_name = "copy of as many bytes (" + std::to_string(static_cast<int>(traffic_bytes)) + " an entity)";
  }
  return row;
}

void bench_visit(const Options& options, bool mixed, std::vector<Row>& rows) {
  Population all(mixed);
  const auto each = [&] {
    all.world.query<Position, const Velocity>().each(
        [](Position& p, const Velocity& v) { p.value += v.value * kStep; });
  };
  const auto spans = [&] {
    all.world.query<Position, const Velocity>().spans(
        [](std::span<const ecs::Entity>, std::span<Position> p, std::span<const Velocity> v) {
          for (std::size_t i = 0; i < p.size(); ++i) p[i].value += v[i].value * kStep;
        });
  };
  const auto sparse = [&] {
    std::vector<Position>& p = all.positions.dense();
    const std::vector<std::uint32_t>& entities = all.positions.entities();
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (const Velocity* v = all.velocities.find(entities[i])) p[i].value += v->value * kStep;
    }
    keep(p[0]);
  };
  const auto plain = [&] {
    for (std::size_t i = 0; i < kEntities; ++i) all.plain_positions[i].value += all.plain_velocities[i].value * kStep;
    keep(all.plain_positions[0]);
  };
  const auto s = seconds_per_call(options, {each, spans, sparse, plain});
  constexpr double kTraffic = 3 * sizeof(Vec3);    // A position read and written, a velocity read.
  constexpr double kFootprint = 2 * sizeof(Vec3);  // Size in memory.
  const std::string which = mixed ? "16 tables" : "1 table";
  rows.push_back(make_row("ecs/move 100k, " + which + ", each", s[0], s[3], "plain array loop", kTraffic, kFootprint));
  rows.push_back(make_row("ecs/move 100k, " + which + ", spans", s[1], s[3], "plain array loop", kTraffic, kFootprint));
  rows.push_back(make_row("ecs/move 100k, " + which + ", each", s[0], s[2], "sparse sets", kTraffic, kFootprint));
}

void bench_structure(const Options& options, std::vector<Row>& rows) {
  Population all(true);
  const auto ours = [&] {
    for (const ecs::Entity entity : all.entities) all.world.add(entity, Mark{});
    for (const ecs::Entity entity : all.entities) all.world.remove<Mark>(entity);
  };
  const auto sparse = [&] {
    for (std::uint32_t i = 0; i < kEntities; ++i) all.marks.add(i, {});
    for (std::uint32_t i = 0; i < kEntities; ++i) all.marks.remove(i);
  };
  const auto s = seconds_per_call(options, {ours, sparse});
  rows.push_back(make_row("ecs/add and remove a component, 16 tables", s[0], s[1], "sparse sets", 0, 0));
}

void bench_lookup(const Options& options, std::vector<Row>& rows) {
  Population all(true);
  std::vector<ecs::Entity> order = all.entities;
  std::shuffle(order.begin(), order.end(), std::mt19937(4));
  float sum = 0;
  const auto ours = [&] {
    for (const ecs::Entity entity : order) sum += all.world.find<Position>(entity)->value.x;
    keep(sum);
  };
  const auto sparse = [&] {
    for (const ecs::Entity entity : order) sum += all.positions.find(entity.index)->value.x;
    keep(sum);
  };
  const auto s = seconds_per_call(options, {ours, sparse});
  rows.push_back(make_row("ecs/find a component, random order", s[0], s[1], "sparse sets", 0, 0));
}

}  // namespace

void bench_ecs(const Options& options, std::vector<Row>& rows) {
  bench_visit(options, false, rows);
  bench_visit(options, true, rows);
  bench_structure(options, rows);
  bench_lookup(options, rows);
}

}  // namespace zoe::bench
