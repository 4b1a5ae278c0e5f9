// SPDX-License-Identifier: MIT
// Part of Zoetrope. One network for thousands of items, on the threads of a pool: crowds, evaluation.
//
//   BatchState state = make_batch_state(*network, ThreadPool::shared());
//   BatchJob{.network = network.get(), .state = &state, .batch = 1000, .inputs = in, .outputs = out}.run();
//
// Items are cut into pieces of one size, for any number of threads. An item's result is the same in any batch, to
// rounding (1e-5).
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/nn/network.h"

namespace zoe::nn {

// Memory for each thread of a pool, sized once, for batches of any size. Movable. One job at a time.
class BatchState {
 public:
  BatchState() = default;
  int piece() const { return piece_; }  // Items per piece of work.
  int num_threads() const { return static_cast<int>(workers_.size()); }

 private:
  friend Result<BatchState> make_batch_state(const Network& network, Executor& pool, const std::vector<DimSize>& sizes);
  friend struct BatchJob;
  struct Worker {
    NetworkState state;
    std::vector<std::span<const float>> inputs;
    std::vector<std::span<float>> outputs;
  };
  std::vector<Worker> workers_;
  std::unique_ptr<std::atomic_flag[]> taken_;  // One per worker.
  Executor* pool_ = nullptr;
  int piece_ = 0;
};
// The pool must outlive the state.
BatchState make_batch_state(const Network& network, Executor& pool);
// Of a network with dimensions.
Result<BatchState> make_batch_state(const Network& network, Executor& pool, const std::vector<DimSize>& sizes);

// Evaluates the network for any number of items. Never allocates.
struct BatchJob {
  const Network* network = nullptr;
  BatchState* state = nullptr;
  int batch = 0;                                   // 0: nothing to do.
  std::span<const std::span<const float>> inputs;  // One each, [batch, steps, width].
  std::span<const std::span<float>> outputs;       // The same.

  // Null, or the reason of a refusal.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe::nn
