// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network ready to run: weights packed for the vector kernels, memory planned.
//
//   const NetworkPtr network = load_network("mann.safetensors").value();
//   NetworkState state = make_state(*network, 64);            // One per thread.
//   NetworkJob{.network = network.get(), .state = &state, .batch = 3, .inputs = in, .outputs = out}.run();
//
// A network with dimensions (graph.h) serves any number of rows. Sizes are bound when the state is made:
//   Result<NetworkState> state = make_state(*network, 1, {{"joints", 60}, {"frames", 120}});
//
// A Network is immutable. Any number of threads may run it at once, each with its own state.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

class Network;
using NetworkPtr = std::shared_ptr<const Network>;
struct Plan;  // src/nn/plan.h

class Network {
 public:
  // Checks the graph (validate()), packs its weights and plans its memory.
  static Result<NetworkPtr> compile(const Graph& graph);

  std::span<const Port> inputs() const;
  std::span<const Port> outputs() const;
  const Metadata& metadata() const;

  std::size_t weight_bytes() const;  // As packed: the bytes that one evaluation reads.
  std::size_t multiply_adds()
      const;  // Of its matrices, for one item. A program that runs untrusted files may limit it.
  std::size_t state_bytes(int max_batch) const;
  // Names of its dimensions. With some, the two numbers above are 0: they depend on sizes.
  std::span<const std::string> dims() const;
  struct Cost {
    std::size_t multiply_adds = 0, state_bytes = 0;
  };
  Result<Cost> cost(int max_batch, std::span<const DimSize> sizes) const;
  // A hash of operations and weights: identifies a network.
  std::uint64_t fingerprint() const;

  const Plan& plan() const { return *plan_; }
  explicit Network(std::unique_ptr<const Plan> plan);
  ~Network();

 private:
  std::unique_ptr<const Plan> plan_;
};

// read_graph() and compile().
Result<NetworkPtr> load_network(const std::filesystem::path& path);
Result<NetworkPtr> load_network(const Safetensors& file);
// The same for programs that bind no sizes: refuses a network with dimensions.
Result<NetworkPtr> load_fixed_network(const std::filesystem::path& path);
Result<NetworkPtr> load_fixed_network(const Safetensors& file);

// The memory of one caller, sized once. Movable.
class NetworkState {
 public:
  NetworkState() = default;
  int max_batch() const { return max_batch_; }
  // Ports with the bound number of rows.
  std::span<const Port> inputs() const;
  std::span<const Port> outputs() const;
  // Other sizes, one for each dimension, that need no more memory than those of make_state(). Null, or the reason of a
  // refusal, after which nothing has changed. Never allocates.
  const char* rebind(std::span<const DimSize> sizes) noexcept;

 private:
  friend NetworkState make_state(const Network& network, int max_batch);
  friend Result<NetworkState> make_state(const Network& network, int max_batch, const std::vector<DimSize>& sizes);
  friend struct NetworkJob;
  friend const char* shapes_problem(const Network& network, const NetworkState& state, int batch,
                                    std::span<const std::span<const float>> inputs,
                                    std::span<const std::span<float>> outputs) noexcept;
  struct Free {
    void operator()(float* memory) const;
  };
  std::unique_ptr<float[], Free> memory_;
  const Plan* plan_ = nullptr;   // The network of this state.
  std::shared_ptr<Plan> bound_;  // Its plan for the bound sizes, where it has dimensions.
  int max_batch_ = 0;
};
// Of a network without dimensions.
NetworkState make_state(const Network& network, int max_batch);
// Refuses sizes that are missing, unknown or out of range, and states beyond 16 GB.
Result<NetworkState> make_state(const Network& network, int max_batch, const std::vector<DimSize>& sizes);

// Null, or why these cannot be `batch` items of the network. Shared by the jobs.
const char* shapes_problem(const Network& network, const NetworkState& state, int batch,
                           std::span<const std::span<const float>> inputs,
                           std::span<const std::span<float>> outputs) noexcept;

// Evaluates the network for `batch` items. Never allocates.
struct NetworkJob {
  const Network* network = nullptr;
  NetworkState* state = nullptr;
  int batch = 1;                                   // 1 to state->max_batch().
  std::span<const std::span<const float>> inputs;  // One each, [batch, steps, width].
  std::span<const std::span<float>> outputs;       // The same.

  // Null, or the reason of a refusal.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// The instruction set that the kernels use here, e.g. "AVX3" or "portable".
const char* instruction_set();

}  // namespace zoe::nn
