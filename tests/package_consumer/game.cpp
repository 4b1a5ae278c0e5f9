// SPDX-License-Identifier: MIT
// A game outside the tree: one file, a character on the game's own ground, a rollback. It links zoe::control only.
#include <cmath>
#include <cstdio>

#include <zoe/control/load.h>

int main(int argc, char** argv) {
  const auto walker = zoe::control::load_controller(argc > 1 ? argv[1] : "walker.zoe");
  if (!walker) return std::fprintf(stderr, "%s\n", walker.error().format().c_str()), 1;
  const auto hills = zoe::Ground::function([](float x, float z) { return 0.3F * std::sin(x) + 0.1F * z; });
  const auto state = (*walker)->make_state({.ground = hills});
  const auto walk = [&](int frames) {
    for (int i = 0; i < frames; ++i)
      (*walker)->tick(*state, zoe::control::Intent::move({0, 0, (*walker)->motion_range().pace_mps}), 1.0 / 60);
    return state->hash();
  };
  walk(100);
  const auto saved = (*walker)->save_state(*state);
  const auto first = walk(100);
  if (!(*walker)->restore_state(*state, saved)) return 1;
  const auto again = walk(100);
  const zoe::Vec3 root = state->root().position;
  std::printf("%.2f m walked, %.2f m up; %zu bytes of state; %s\n", root.z, root.y, saved.size(),
              first == again ? "rolled back bit by bit" : "the rollback differs");
  return first == again && root.z > 1 && std::abs(root.y - hills->height(root.x, root.z)) < 0.03F ? 0 : 1;
}
