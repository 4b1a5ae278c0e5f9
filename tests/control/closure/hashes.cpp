// SPDX-License-Identifier: MIT
// Prints the hash of a minute of a character in the deterministic arithmetic, on every instruction set of this machine.
// Fails where they differ. The table of docs/control.md is made by it, on several machines.
#include <cinttypes>
#include <cstdio>

#include "zoe/control/load.h"
#include "zoe/core/arithmetic.h"
#include "zoe/core/random.h"
#include "zoe/math/portable.h"
#include "zoe/math/simd_dispatch.h"

namespace {

using namespace zoe::control;

// Walks, goals, stands, turns and styles, on hills.
std::uint64_t hash_of(const Controller& controller) {
  const auto state =
      controller.make_state({.ground = zoe::Ground::function([](float x, float z) {
                               return 0.2F * zoe::portable_sin(0.7F * x) + 0.15F * zoe::portable_cos(0.9F * z);
                             })});
  zoe::Random random(2026);
  for (int part = 0; part < 60; ++part) {
    Intent intent = Intent::move({random.uniform(-1.5F, 1.5F), 0, random.uniform(-1.5F, 1.5F)});
    if (part % 5 == 2) intent = Intent::stand();
    if (part % 7 == 3) intent.goal = WantedPlace{{random.uniform(-9, 9), 1, random.uniform(-9, 9)}, 0.5F};
    if (part % 3 == 1) intent.wanted[0].facing_rad = random.uniform(-3, 3);
    if (part % 4 == 1) intent.styles[0] = 1;
    for (int tick = 0; tick < 60; ++tick) controller.tick(*state, intent, 1.0 / 60);
  }
  return state->hash();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: arithmetic_hashes CONTROLLER…\n"), 2;
  zoe::set_arithmetic(zoe::Arithmetic::kDeterministic);
  bool same = true;
  for (int i = 1; i < argc; ++i) {
    const auto controller = load_controller(argv[i]);
    if (!controller) return std::fprintf(stderr, "%s\n", controller.error().format().c_str()), 1;
    std::uint64_t first = 0;
    for (const zoe::simd::Target& target : zoe::simd::supported_targets()) {
      const zoe::simd::ForceTarget forced(target);
      const std::uint64_t hash = hash_of(**controller);
      if (first == 0) first = hash;
      same = same && hash == first;
      std::printf("%-24s %-10s %016" PRIx64 "\n", argv[i], target.name, hash);
    }
  }
  return same ? 0 : 1;
}
