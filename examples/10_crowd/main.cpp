// SPDX-License-Identifier: MIT
// Example 10. A crowd crosses a hilly square, and a game rolls it back: all characters of one controller are
// stepped together, stand on one ground, avoid each other, and are restored from saved bytes with equal bits.
//
//   10_crowd models/walker 200
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"

namespace {

using zoe::control::Crowd;
using zoe::control::Intent;

constexpr double kFrame_s = 1.0 / 60;
constexpr float kSpacing_m = 1.5F;

// Rows that walk towards each other: even rows to +Z, odd rows to -Z.
std::vector<zoe::PlanarRoot> starts(int count) {
  std::vector<zoe::PlanarRoot> out;
  const int columns = std::max(1, static_cast<int>(std::sqrt(static_cast<float>(count))));
  for (int i = 0; i < count; ++i) {
    const int column = i % columns, row = i / columns;
    const float away_m = 4 + kSpacing_m * static_cast<float>(row / 2);
    const bool forward = row % 2 == 0;
    out.push_back({.position = {kSpacing_m * static_cast<float>(column), 0, forward ? -away_m : away_m},
                   .facing_rad = forward ? 0 : 3.14159265F});
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CONTROLLER [COUNT]\n", argv[0]);
    return 2;
  }
  const int count = argc > 2 ? std::clamp(std::atoi(argv[2]), 1, 10'000) : 200;

  // 1. One model, shared by all.
  const auto controller = zoe::control::load_controller(argv[1]);
  if (!controller) {
    std::fprintf(stderr, "%s\n", controller.error().format().c_str());
    return 1;
  }

  // 2. The ground, here a formula. Height grids, meshes and the game's own physics work as well.
  const zoe::GroundPtr hills =
      zoe::Ground::function([](float x, float z) { return 0.4F * std::sin(0.5F * x) * std::cos(0.4F * z); });

  // 3. The crowd. It allocates only here.
  const std::vector<zoe::PlanarRoot> places = starts(count);
  Crowd crowd(*controller, places, {.avoidance = zoe::control::AvoidanceOptions{}, .ground = hills});
  std::vector<Intent> intents(places.size());
  const float pace_mps = (*controller)->motion_range().pace_mps;
  for (std::size_t i = 0; i < places.size(); ++i) {
    intents[i] = Intent::move({0, 0, places[i].position.z < 0 ? pace_mps : -pace_mps});
  }

  // 4. Ticks, on all threads of the machine. A game with its own threads passes its own executor.
  zoe::ThreadPool& pool = zoe::ThreadPool::shared();
  const auto walk = [&](int frames) {
    for (int i = 0; i < frames; ++i) crowd.tick(intents, kFrame_s, pool);
    return crowd.hash();
  };
  const auto begin = std::chrono::steady_clock::now();
  walk(240);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;

  // 5. Rollback: the last eight frames again, as netcode does when a late input arrives.
  const std::vector<std::byte> saved = crowd.save_state();
  const std::uint64_t first = walk(8);
  if (const auto restored = crowd.restore_state(saved); !restored) {
    std::fprintf(stderr, "%s\n", restored.error().format().c_str());
    return 1;
  }
  const bool equal = walk(8) == first;

  // 6. Print the result.
  float nearest_m = 1e9F;
  for (int a = 0; a < crowd.size(); ++a)
    for (int b = a + 1; b < crowd.size(); ++b)
      nearest_m = std::min(nearest_m, zoe::distance(crowd.state(a).root().position, crowd.state(b).root().position));
  float off_m = 0;
  for (int i = 0; i < crowd.size(); ++i) {
    const zoe::Vec3 at = crowd.state(i).root().position;
    off_m = std::max(off_m, std::abs(at.y - hills->height(at.x, at.z)));
  }
  std::printf(
      "%d characters, %.1f us per character and tick, nearest pair %.2f m, at most %.3f m off the ground, "
      "%zu bytes of state, %s\n",
      crowd.size(), took.count() / (240.0 * count), nearest_m, off_m, saved.size(),
      equal ? "rollback equal" : "rollback differs");
  return equal ? 0 : 1;
}
