// SPDX-License-Identifier: MIT
// Part of Zoetrope. Memory to take many characters through a network together, one chunk per thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "zoe/control/controller.h"
#include "zoe/features/runtime_history.h"
#include "zoe/nn/network.h"

#include "control/neural/neural_model.h"

namespace zoe::control {

class NetworkBatch : public Workspace {
 public:
  // Memory of one chunk; one per thread.
  struct Slot {
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    nn::NetworkState network;
    std::size_t x_size = 0, y_size = 0;
    std::vector<float> x, phase, y, window;

    std::span<float> x_of(std::size_t i) { return std::span(x).subspan(i * x_size, x_size); }
    std::span<const float> y_of(std::size_t i) const { return std::span<const float>(y).subspan(i * y_size, y_size); }
    // Computes the first `count` outputs y from the inputs x (and phases). Both are limited to the model's data.
    void run(const NeuralModel& model, std::size_t count) noexcept {
      model.parts.range.input.limit(std::span(x).first(count * x_size));
      const std::span<const float> inputs[] = {std::span(x).first(count * x_size), std::span(phase).first(count)};
      const std::span<float> outputs[] = {std::span(y).first(count * y_size)};
      const bool ran = nn::NetworkJob{.network = model.parts.network.get(),
                                      .state = &network,
                                      .batch = static_cast<int>(count),
                                      .inputs = std::span(inputs).first(model.has_phase ? 2 : 1),
                                      .outputs = outputs}
                           .run();
      ZOE_CHECK(ran, "the network's ports were checked when the controller was made");
      model.parts.range.output.limit(outputs[0]);
    }
  };

  NetworkBatch(const NeuralModel& model, int max_characters)
      : chunk_(static_cast<std::size_t>(std::clamp(max_characters, 1, kChunk))) {
    const features::Layout& layout = model.layout;
    const int chunks = (max_characters + kLeastChunk - 1) / kLeastChunk;
    const int slots = std::min(chunks, static_cast<int>(std::thread::hardware_concurrency()) + 1);
    for (int i = 0; i < std::max(slots, 1); ++i) {
      auto slot = std::make_unique<Slot>();
      slot->network = nn::make_state(*model.parts.network, static_cast<int>(chunk_));
      slot->x_size = layout.size(features::BlockKind::kInput);
      slot->y_size = layout.size(features::BlockKind::kOutput);
      slot->x.resize(chunk_ * slot->x_size);
      slot->phase.resize(chunk_);
      slot->y.resize(chunk_ * slot->y_size);
      slot->window.resize(features::RuntimeHistory::window_size(layout));
      slots_.push_back(std::move(slot));
    }
  }

  // work(begin, end, slot) on all of `count`, at most a chunk at a time; `pool` may be null.
  template <typename Work>
  void for_chunks(std::size_t count, Executor* pool, const Work& work) noexcept {
    const auto run = [&](std::size_t begin, std::size_t end) {
      Slot& slot = take();
      work(begin, end, slot);
      slot.taken.clear(std::memory_order_release);
    };
    if (pool != nullptr) {
      pool->parallel_for(count, fair_chunk(count, *pool), run);
    } else {
      for (std::size_t begin = 0; begin < count; begin += chunk_) run(begin, std::min(begin + chunk_, count));
    }
  }

 private:
  static constexpr int kChunk = 64;  // Enough to amortise reading the network's weights.
  // Whole register tiles. Smaller ones would read the weights too often.
  static constexpr int kLeastChunk = 12;

  // All threads have work, also for a hundred characters. Results do not depend on chunks.
  std::size_t fair_chunk(std::size_t count, const Executor& pool) const {
    const auto threads = static_cast<std::size_t>(pool.num_threads());
    const std::size_t even = (count + threads - 1) / threads, tiles = (even + kLeastChunk - 1) / kLeastChunk;
    return std::clamp<std::size_t>(tiles * kLeastChunk, 1, chunk_);
  }

  // Waits where there are more threads than slots.
  Slot& take() {
    for (;;) {
      for (const auto& slot : slots_) {
        if (!slot->taken.test_and_set(std::memory_order_acquire)) return *slot;
      }
      std::this_thread::yield();
    }
  }

  std::size_t chunk_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace zoe::control
