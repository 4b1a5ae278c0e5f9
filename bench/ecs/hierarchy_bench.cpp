// SPDX-License-Identifier: MIT
#include "ecs/hierarchy_bench.h"

#include <random>

#include "zoe/core/thread_pool.h"
#include "zoe/scene/hierarchy.h"

namespace zoe::bench {
namespace {

using scene::LocalTransform;
using scene::WorldTransform;

constexpr std::size_t kTrees = 1000, kNodesPerTree = 100, kEntities = kTrees * kNodesPerTree;
// A local transform read and written, a world transform written; the parent's comes from the cache.
constexpr double kTraffic = 2 * sizeof(Transform) + sizeof(Affine);
constexpr double kFootprint = sizeof(Transform) + sizeof(Affine);

// The same forest as entities and as arrays, parents first, tree by tree. The parent of every node is a random earlier
// one.
struct Forest {
  ecs::World world;
  std::vector<ecs::Entity> entities;
  scene::Hierarchy hierarchy;
  std::vector<Transform> locals;
  std::vector<std::int32_t> parents;
  std::vector<Affine> worlds = std::vector<Affine>(kEntities);

  Forest() {
    std::mt19937 random(9);
    std::uniform_real_distribution<float> number(-1, 1);
    for (std::size_t i = 0; i < kEntities; ++i) {
      const std::size_t in_tree = i % kNodesPerTree;
      const std::int32_t parent = in_tree == 0 ? -1 : static_cast<std::int32_t>(i - 1 - random() % in_tree);
      const Transform local{{number(random), number(random), number(random)},
                            normalized(Quat{number(random), number(random), number(random), 1})};
      locals.push_back(local);
      parents.push_back(parent);
      // Roots also have a parent component (none), so that all are in one table.
      entities.push_back(
          world.create(LocalTransform(local), WorldTransform{},
                       scene::Parent(parent < 0 ? ecs::Entity{} : entities[static_cast<std::size_t>(parent)])));
    }
  }
};

void nudge(Transform& local) { local.translation.x += 1e-6F; }

}  // namespace

void bench_hierarchy(const Options& options, std::vector<Row>& rows) {
  Forest forest;
  ThreadPool alone(0);
  const auto all = [&] {
    forest.world.query<LocalTransform>().each([](LocalTransform& local) { nudge(local.edit()); });
    forest.hierarchy.update(forest.world, alone);
  };
  // Leaves of one tree in a hundred, and the nodes below them.
  const auto few = [&] {
    for (std::size_t i = 50; i < kEntities; i += 100 * kNodesPerTree) {
      nudge(forest.world.get<LocalTransform>(forest.entities[i]).edit());
    }
    forest.hierarchy.update(forest.world, alone);
  };
  const auto rebuilt = [&] {
    forest.world.destroy(forest.world.create());  // Any structural change.
    forest.hierarchy.update(forest.world, alone);
  };
  const auto plain = [&] {
    for (Transform& local : forest.locals) nudge(local);
    for (std::size_t i = 0; i < kEntities; ++i) {
      const Affine local = to_affine(forest.locals[i]);
      const std::int32_t parent = forest.parents[i];
      forest.worlds[i] = parent < 0 ? local : forest.worlds[static_cast<std::size_t>(parent)] * local;
    }
    keep(forest.worlds[0]);
  };
  const auto s = seconds_per_call(options, {all, few, rebuilt, plain});
  const auto row = [&](std::string name, double seconds) {
    Row r;
    r.name = std::move(name);
    r.unit = "Mentities/s";
    r.ours = kEntities / seconds / 1e6;
    r.peer = kEntities / s[3] / 1e6;
    r.peer_name = "plain array loop, all";
    r.limit = copy_bandwidth_bytes_per_s(static_cast<std::size_t>(kEntities * kFootprint)) / kTraffic / 1e6;
    r.limit_name = "copy of as many bytes (128 per entity)";
    rows.push_back(std::move(r));
  };
  row("ecs/transforms of 100k in trees, all moved", s[0]);
  row("ecs/transforms of 100k in trees, 10 moved", s[1]);
  row("ecs/transforms of 100k in trees, order found again", s[2]);
}

}  // namespace zoe::bench
