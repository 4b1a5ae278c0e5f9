// SPDX-License-Identifier: MIT
// A game's program as small as can be: loads a controller, walks it for a second. What it links is what a game links.
#include <cstdio>

#include "zoe/control/load.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: runtime_closure CONTROLLER\n"), 2;
  const auto controller = zoe::control::load_controller(argv[1]);
  if (!controller) return std::fprintf(stderr, "%s\n", controller.error().format().c_str()), 1;
  const auto state = (*controller)->make_state();
  for (int i = 0; i < 30; ++i) (*controller)->tick(*state, zoe::control::Intent::move({0, 0, 1}), 1.0 / 30);
  const float walked_m = state->root().position.z;
  std::printf("walked %.2f m\n", static_cast<double>(walked_m));
  return walked_m > 0.3F ? 0 : 1;
}
