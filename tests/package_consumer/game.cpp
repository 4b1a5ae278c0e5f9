// SPDX-License-Identifier: MIT
// A game outside the tree: one file, a character, a rollback. It links zoe::control and nothing else.
#include <cstdio>

#include <zoe/control/load.h>

int main(int argc, char** argv) {
  const auto walker = zoe::control::load_controller(argc > 1 ? argv[1] : "walker.zoe");
  if (!walker) return std::fprintf(stderr, "%s\n", walker.error().format().c_str()), 1;
  const auto state = (*walker)->make_state();
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
  std::printf("%.2f m walked; %zu bytes of state; %s\n", state->root().position.z, saved.size(),
              first == again ? "rolled back bit by bit" : "the rollback differs");
  return first == again && state->root().position.z > 1 ? 0 : 1;
}
