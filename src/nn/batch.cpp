// SPDX-License-Identifier: MIT
#include "zoe/nn/batch.h"

#include <algorithm>

#include "nn/plan.h"

namespace zoe::nn {
namespace {

// Items per piece: enough to reuse the weights that are read, and few enough that values stay in the caches and two
// threads share a thousand items evenly. Whole register tiles (12) and matrix tiles (32). Fewer where an item has many
// rows, which then reuse the weights themselves.
constexpr std::size_t kPiece = 96, kMinPiece = 12, kMaxRows = 16 * kPiece;

}  // namespace

BatchState make_batch_state(const Network& network, Executor& pool) {
  ZOE_CHECK(network.dims().empty(), "the network has dimensions: state their sizes");
  return make_batch_state(network, pool, {}).value();
}

Result<BatchState> make_batch_state(const Network& network, Executor& pool, const std::vector<DimSize>& sizes) {
  BatchState state;
  state.pool_ = &pool;
  std::size_t max_rows = network.plan().max_rows;
  if (!network.dims().empty()) {
    ZOE_TRY_ASSIGN(const std::vector<int> numbers, dim_sizes(network.dims(), sizes));
    ZOE_TRY_ASSIGN(const std::shared_ptr<Plan> bound, bind_plan(network.plan(), numbers));
    max_rows = bound->max_rows;
  }
  // Tables of thousands of rows fill the caches alone.
  const std::size_t least = max_rows < kMaxRows / 4 ? kMinPiece : 1;
  state.piece_ = static_cast<int>(std::clamp(kMaxRows / max_rows, least, kPiece));
  const auto num_threads = static_cast<std::size_t>(pool.num_threads());
  state.workers_.resize(num_threads);
  for (BatchState::Worker& worker : state.workers_) {
    ZOE_TRY_ASSIGN(worker.state, make_state(network, state.piece_, sizes));
    worker.inputs.resize(network.inputs().size());
    worker.outputs.resize(network.outputs().size());
  }
  state.taken_ = std::make_unique<std::atomic_flag[]>(num_threads);
  return state;
}

const char* BatchJob::validate() const noexcept {
  if (network == nullptr || state == nullptr || state->pool_ == nullptr) return "network or state is missing";
  if (batch < 0) return "batch is negative";
  return shapes_problem(*network, state->workers_[0].state, batch, inputs, outputs);
}

bool BatchJob::run() const noexcept {
  if (validate() != nullptr) return false;
  const auto piece = static_cast<std::size_t>(state->piece_);
  state->pool_->parallel_for(static_cast<std::size_t>(batch), piece, [&](std::size_t begin, std::size_t end) {
    // There are as many workers as threads, so one is free.
    std::size_t at = 0;
    while (state->taken_[at].test_and_set(std::memory_order_acquire)) at = (at + 1) % state->workers_.size();
    BatchState::Worker& worker = state->workers_[at];
    const std::size_t count = end - begin;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t size = worker.state.inputs()[i].shape.size();
      worker.inputs[i] = inputs[i].subspan(begin * size, count * size);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::size_t size = worker.state.outputs()[i].shape.size();
      worker.outputs[i] = outputs[i].subspan(begin * size, count * size);
    }
    NetworkJob{.network = network,
               .state = &worker.state,
               .batch = static_cast<int>(count),
               .inputs = worker.inputs,
               .outputs = worker.outputs}
        .run();
    state->taken_[at].clear(std::memory_order_release);
  });
  return true;
}

}  // namespace zoe::nn
