// SPDX-License-Identifier: MIT
// libFuzzer target for saved states and crowds. By the first byte: which one. By the second: the rest are its bytes, or
// changes of sound ones (three bytes of offset, one of value), which get past the header. What is accepted must go on.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "zoe/control/crowd.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/core/thread_pool.h"

#include "control/walker.h"
#include "control/walkers.h"

namespace {

using namespace zoe;
using namespace zoe::control;

ControllerPtr make_network(const char* type) {
  const control::test::Walker walker = control::test::make_walker(type, synth::Course::kWeave, 3);
  return control::test::make_of(
             {type, control::test::walker_body(walker), control::test::random_network(walker, 0.02F), {}})
      .value();
}

ControllerPtr make_matching() {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(2, "", "", 120);
  std::vector<features::ClipRows> rows;
  for (const author::DatabaseSource& source : walkers.sources()) rows.push_back(source.rows);
  return make_motion_matching(std::make_shared<const MotionDatabase>(walkers.database()),
                              author::make_body(walkers.layout, walkers.skeleton, rows).value())
      .value();
}

struct Target {
  ControllerPtr controller;
  std::unique_ptr<ControllerState> state;
  std::unique_ptr<Crowd> crowd;
  std::vector<std::byte> sound;

  Result<void> restore(std::span<const std::byte> bytes) {
    return crowd ? crowd->restore_state(bytes) : controller->restore_state(*state, bytes);
  }
  void tick() {
    static ThreadPool none(0);
    const std::vector<Intent> intents(3, Intent::move({0.5F, 0, 1}));
    if (crowd) {
      crowd->tick(intents, 0.04, none);
    } else {
      controller->tick(*state, intents[0], 0.04);
    }
  }
  bool is_sound() const {
    const ControllerState& one = crowd ? crowd->state(0) : *state;
    return is_finite(one.root().position) && one.num_steps() >= 0;
  }
};

Target make_target(ControllerPtr controller, bool many) {
  Target target{std::move(controller), nullptr, nullptr, {}};
  if (many) {
    CrowdOptions options;
    options.avoidance.emplace();
    options.detail = DetailOptions{.half_from_m = 1, .third_from_m = 3};
    const PlanarRoot roots[] = {{}, {{2, 0, 0}, 1}, {{0, 0, 4}, 2}};
    target.crowd = std::make_unique<Crowd>(target.controller, roots, options);
  } else {
    target.state = target.controller->make_state();
  }
  for (int i = 0; i < 20; ++i) target.tick();
  target.sound = many ? target.crowd->save_state() : target.controller->save_state(*target.state);
  return target;
}

std::vector<Target>& targets() {
  static std::vector<Target> made = [] {
    std::vector<Target> out;
    const ControllerPtr mann = make_network("mann");
    out.push_back(make_target(mann, false));
    out.push_back(make_target(mann, true));
    out.push_back(make_target(make_network("cxm"), false));
    out.push_back(make_target(make_matching(), false));
    return out;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  Target& target = targets()[data[0] % targets().size()];
  std::vector<std::byte> bytes;
  if (data[1] % 2 == 0) {
    const auto given = std::as_bytes(std::span(data + 2, size - 2));
    bytes.assign(given.begin(), given.end());
  } else {
    bytes = target.sound;
    for (std::size_t i = 2; i + 4 <= size; i += 4) {
      const std::size_t at = data[i] + 256U * data[i + 1] + 65536U * data[i + 2];
      bytes[at % bytes.size()] = static_cast<std::byte>(data[i + 3]);
    }
  }
  if (!target.restore(bytes)) return 0;
  for (int i = 0; i < 3; ++i) target.tick();
  if (!target.is_sound()) std::abort();
  if (!target.restore(target.sound)) std::abort();
  return 0;
}
