// SPDX-License-Identifier: MIT
#include "control/lmm/lmm_workspace.h"

#include <algorithm>
#include <thread>

namespace zoe::control {

LmmWorkspace::Slot::Slot(const LmmNetworks& networks, const features::Decoder& decoder, int chunk)
    : decompressor(nn::make_state(*networks.decompressor, chunk)),
      stepper(nn::make_state(*networks.stepper, chunk)),
      projector(nn::make_state(*networks.projector, chunk)),
      frame(decoder.make_frame()),
      pose(make_pose(*decoder.skeleton())),
      pose_after(pose) {
  const auto count = static_cast<std::size_t>(chunk);
  x.resize(count * networks.projector->inputs()[0].shape.size());
  s.resize(count * networks.stepper->inputs()[0].shape.size());
  next.resize(s.size());
  y.resize(count * static_cast<std::size_t>(decoder.width()));
  found.resize(y.size());
  after.resize(y.size());
  due.reserve(count);
}

LmmWorkspace::LmmWorkspace(const LmmNetworks& networks, const features::Decoder& decoder, int max_characters)
    : chunk_(std::min(max_characters, kChunk)) {
  const int chunks = (max_characters + kLeastChunk - 1) / kLeastChunk;
  const int slots = std::min(chunks, static_cast<int>(std::thread::hardware_concurrency()) + 1);
  for (int i = 0; i < std::max(slots, 1); ++i) slots_.push_back(std::make_unique<Slot>(networks, decoder, chunk_));
}

std::size_t LmmWorkspace::fair_chunk(std::size_t count, const Executor* pool) const {
  const auto most = static_cast<std::size_t>(chunk_), least = static_cast<std::size_t>(kLeastChunk);
  if (pool == nullptr) return most;
  const auto threads = static_cast<std::size_t>(pool->num_threads());
  const std::size_t even = (count + threads - 1) / threads;
  return std::clamp<std::size_t>((even + least - 1) / least * least, 1, most);
}

LmmWorkspace::Slot& LmmWorkspace::take() {
  for (;;) {
    for (const auto& slot : slots_)
      if (!slot->taken.test_and_set(std::memory_order_acquire)) return *slot;
    std::this_thread::yield();
  }
}

}  // namespace zoe::control
