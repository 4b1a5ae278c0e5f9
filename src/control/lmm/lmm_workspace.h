// SPDX-License-Identifier: MIT
// Part of Zoetrope. The state of one character of learned matching, and the memory in which a chunk of them goes
// through the networks together.
#pragma once

#include <atomic>

#include "zoe/control/lmm.h"
#include "zoe/features/decode.h"

#include "control/match/steering.h"

namespace zoe::control {

struct LmmNetworks {
  nn::NetworkPtr decompressor, stepper, projector;
};

class LmmState final : public SteeredState {
 public:
  LmmState(const Body& body, const FeatureSpace& space, const MatchOptions& options, std::size_t width,
           std::size_t style_dims)
      : SteeredState(body, space, options), s(width), style(style_dims), played(style_dims), wanted_style(style_dims) {}

  std::vector<float> s;
  std::vector<float> style;         // [style dims] The vector that the networks see now.
  std::vector<float> played;        // The same as requested at the last switch: that of the played motion.
  std::vector<float> wanted_style;  // Of this step: written before it is read.
  PlanarRoot root;                  // Of this step: written before it is read.
  LearnedMatchReport report;

 protected:
  void describe(StateArchive& archive) override {
    SteeredState::describe(archive);
    archive.bits(std::span(s));
    archive.bits(std::span(style));
    archive.bits(std::span(played));
    archive.number(report.num_searches, 0, std::int64_t{1} << 60);
    archive.number(report.num_switches, 0, std::int64_t{1} << 60);
    archive.bits(report.cost);
    archive.bits(report.found_cost);
  }
};

// The first `count` items of both spans.
inline void run(const nn::Network& network, nn::NetworkState& state, int count, std::span<const float> in,
                std::span<float> out) noexcept {
  const auto items = static_cast<std::size_t>(count);
  const std::span<const float> inputs[] = {in.first(items * network.inputs()[0].shape.size())};
  const std::span<float> outputs[] = {out.first(items * network.outputs()[0].shape.size())};
  const bool ran =
      nn::NetworkJob{.network = &network, .state = &state, .batch = count, .inputs = inputs, .outputs = outputs}.run();
  ZOE_CHECK(ran, "ports were checked when the controller was made");
}

class LmmWorkspace final : public Workspace {
 public:
  // Characters that share one pass over the weights: the most, and the least where others have work too.
  static constexpr int kChunk = 64, kLeastChunk = 12;

  // Memory of one chunk; one per thread.
  struct Slot {
    Slot(const LmmNetworks& networks, const features::Decoder& decoder, int chunk);

    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    nn::NetworkState decompressor, stepper, projector;
    std::vector<float> x, s, next;       // [chunk × features or state]
    std::vector<float> y, found, after;  // [chunk × output]
    std::vector<std::size_t> due;        // [chunk] Characters that search, then those that switch.
    features::DecodedFrame frame;
    Pose pose, pose_after;
  };

  LmmWorkspace(const LmmNetworks& networks, const features::Decoder& decoder, int max_characters);
  // Of `count` characters, so that all threads have work. `pool` may be null.
  std::size_t fair_chunk(std::size_t count, const Executor* pool) const;
  // Waits where there are more threads than slots.
  Slot& take();
  static void give_back(Slot& slot) { slot.taken.clear(std::memory_order_release); }

 private:
  int chunk_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace zoe::control
