// SPDX-License-Identifier: MIT
// The bits of a character: the same alone and in every crowd, and in the deterministic arithmetic on every instruction
// set.
#include "zoe/core/arithmetic.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"
#include "zoe/math/simd_dispatch.h"

#include "control/every_type.h"
#include "control/random_history.h"
#include "support/allocation.h"

namespace zoe::control {
namespace {

// The types, and the shipped models.
constexpr const char* kEvery[] = {"mm",  "mm inertialize", "lmm",           "mann",      "pfnn", "lmp", "deepphase",
                                  "cxm", "gait",           "models/walker", "models/dog"};

ControllerPtr make(const std::string& name) {
  if (name.find('/') == std::string::npos) return test::controller_of(name);
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return load_controller(std::filesystem::path(source != nullptr ? source : ".") / name).value();
}

struct Name {
  std::string operator()(const testing::TestParamInfo<const char*>& type) const {
    std::string name = type.param;
    for (char& c : name) c = c == ' ' || c == '/' ? '_' : c;
    return name;
  }
};

class EveryArithmetic : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Types, EveryArithmetic, testing::ValuesIn(kEvery), Name());

TEST_P(EveryArithmetic, ACharacterIsTheSameAloneAndInCrowds) {
  const ControllerPtr controller = make(GetParam());
  const int num_ticks = zoe::test::kSanitized ? 60 : 600;  // 10 s.
  constexpr int kWatched[] = {0, 31, 64};
  const auto intents_at = [](std::size_t size, int tick) {
    std::vector<Intent> intents(size);
    for (std::size_t i = 0; i < size; ++i) {
      Random random = Random(i).split(static_cast<std::uint64_t>(tick / 40));
      intents[i] = test::random_intent(random);
    }
    return intents;
  };
  const auto root_of = [](std::size_t i) { return PlanarRoot{{static_cast<float>(i), 0, 0}, 0.1F}; };
  std::vector<std::uint64_t> alone;
  for (const int index : kWatched) {
    const auto state = controller->make_state(
        {.root = root_of(static_cast<std::size_t>(index)), .lane = index, .ground = test::hills()});
    for (int tick = 0; tick < num_ticks; ++tick)
      controller->tick(*state, intents_at(65, tick)[static_cast<std::size_t>(index)], 1.0 / 60);
    alone.push_back(test::bits_of(*state));
  }
  ThreadPool pool(1);
  for (const std::size_t size : {65U, 66U}) {
    std::vector<PlanarRoot> roots(size);
    for (std::size_t i = 0; i < size; ++i) roots[i] = root_of(i);
    Crowd crowd(controller, roots, {.ground = test::hills()});
    for (int tick = 0; tick < num_ticks; ++tick) crowd.tick(intents_at(size, tick), 1.0 / 60, pool);
    for (std::size_t k = 0; k < std::size(kWatched); ++k)
      EXPECT_EQ(test::bits_of(crowd.state(kWatched[k])), alone[k]) << "of " << size << ", number " << kWatched[k];
  }
}

TEST_P(EveryArithmetic, TheDeterministicOneIsTheSameOnEveryInstructionSet) {
  const ControllerPtr controller = make(GetParam());
  set_arithmetic(Arithmetic::kDeterministic);
  const auto trace = [&] {
    const auto state = controller->make_state({.ground = test::hills()});
    Random random(3);
    std::vector<std::uint64_t> hashes;
    for (int part = 0; part < (zoe::test::kSanitized ? 4 : 40); ++part) {
      const Intent intent = test::random_intent(random);
      test::disturb(*controller, *state, random);
      for (int tick = 0; tick < 15; ++tick) controller->tick(*state, intent, 1.0 / 60);
      hashes.push_back(test::bits_of(*state));
    }
    return hashes;
  };
  const std::vector<std::uint64_t> expected = trace();
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget forced(target);
    const std::vector<std::uint64_t> found = trace();
    const auto first = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
    EXPECT_EQ(found, expected) << target.name << ": apart from part " << first;
  }
  set_arithmetic(Arithmetic::kFast);
}

}  // namespace
}  // namespace zoe::control
