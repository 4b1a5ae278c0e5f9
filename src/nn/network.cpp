// SPDX-License-Identifier: MIT
#include "zoe/nn/network.h"

#include "zoe/nn/graph_file.h"

#include "nn/execute.h"
#include "nn/plan.h"

namespace zoe::nn {

Network::Network(std::unique_ptr<const Plan> plan) : plan_(std::move(plan)) {}
Network::~Network() = default;

Result<NetworkPtr> Network::compile(const Graph& graph) {
  ZOE_TRY_ASSIGN(std::unique_ptr<const Plan> plan, make_plan(graph));
  return std::make_shared<const Network>(std::move(plan));
}

std::span<const Port> Network::inputs() const { return plan_->inputs; }
std::span<const Port> Network::outputs() const { return plan_->outputs; }
const Metadata& Network::metadata() const { return plan_->metadata; }
std::size_t Network::weight_bytes() const { return plan_->weight_bytes; }
std::size_t Network::multiply_adds() const { return plan_->multiply_adds; }
std::uint64_t Network::fingerprint() const { return plan_->fingerprint; }
std::size_t Network::state_bytes(int max_batch) const {
  return sizeof(float) *
         (plan_->item_floats * static_cast<std::size_t>(max_batch) + staging_floats(*plan_, max_batch) + kSlackFloats);
}

Result<NetworkPtr> load_network(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const Graph graph, read_graph(path));
  return Network::compile(graph);
}

Result<NetworkPtr> load_network(const Safetensors& file) {
  ZOE_TRY_ASSIGN(const Graph graph, read_graph(file));
  return Network::compile(graph);
}

void NetworkState::Free::operator()(float* memory) const { FreeAligned()(reinterpret_cast<std::byte*>(memory)); }

NetworkState make_state(const Network& network, int max_batch) {
  ZOE_CHECK(max_batch >= 1, "a batch has at least one item");
  NetworkState state;
  state.memory_.reset(reinterpret_cast<float*>(allocate_zeroed(network.state_bytes(max_batch)).release()));
  state.plan_ = &network.plan();
  state.max_batch_ = max_batch;
  return state;
}

const char* shapes_problem(const Network& network, const NetworkState& state, int batch,
                           std::span<const std::span<const float>> inputs,
                           std::span<const std::span<float>> outputs) noexcept {
  if (state.plan_ != &network.plan()) return "the state was made for another network";
  const auto fit = [&](const auto& spans, std::span<const Port> ports) {
    if (spans.size() != ports.size()) return false;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (spans[i].size() != ports[i].shape.size() * static_cast<std::size_t>(batch)) return false;
    }
    return true;
  };
  if (!fit(inputs, network.inputs())) return "inputs do not have the network's number and shapes";
  if (!fit(outputs, network.outputs())) return "outputs do not have the network's number and shapes";
  return nullptr;
}

const char* NetworkJob::validate() const noexcept {
  if (network == nullptr || state == nullptr) return "network or state is missing";
  if (batch < 1 || batch > state->max_batch_) {
    return state->plan_ == &network->plan() ? "batch is not between 1 and the state's max_batch"
                                            : "the state was made for another network";
  }
  return shapes_problem(*network, *state, batch, inputs, outputs);
}

bool NetworkJob::run() const noexcept {
  if (validate() != nullptr) return false;
  Executor(network->plan(), state->memory_.get(), state->max_batch_, static_cast<std::size_t>(batch))
      .run(inputs, outputs);
  return true;
}

const char* instruction_set() { return kernels::instruction_set(); }

}  // namespace zoe::nn
