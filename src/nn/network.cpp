// SPDX-License-Identifier: MIT
#include "zoe/nn/network.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/nn/graph_file.h"

#include "nn/execute.h"
#include "nn/plan.h"

namespace zoe::nn {
namespace {

constexpr std::size_t kMaxStateBytes = std::size_t{1} << (sizeof(std::size_t) > 4 ? 34 : 30);

std::size_t bytes_of(const Plan& plan, int max_batch) {
  return sizeof(float) *
         (plan.item_floats * static_cast<std::size_t>(max_batch) + staging_floats(plan, max_batch) + kSlackFloats);
}

Result<NetworkPtr> fixed(Result<NetworkPtr> network) {
  if (!network || (*network)->dims().empty()) return network;
  return Error{
      ErrorCode::kUnsupported,
      fmt::format("a network with dimensions ('{}', …) where one of fixed rows is needed", (*network)->dims()[0])};
}

}  // namespace

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
std::size_t Network::state_bytes(int max_batch) const { return plan_->dims.empty() ? bytes_of(*plan_, max_batch) : 0; }
std::span<const std::string> Network::dims() const { return plan_->dims; }

Result<Network::Cost> Network::cost(int max_batch, std::span<const DimSize> sizes) const {
  ZOE_TRY_ASSIGN(const std::vector<int> numbers, dim_sizes(plan_->dims, sizes));
  if (plan_->dims.empty()) return Cost{plan_->multiply_adds, bytes_of(*plan_, max_batch)};
  ZOE_TRY_ASSIGN(const std::shared_ptr<Plan> bound, bind_plan(*plan_, numbers));
  return Cost{bound->multiply_adds, bytes_of(*bound, max_batch)};
}

Result<NetworkPtr> load_network(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const Graph graph, read_graph(path));
  return Network::compile(graph);
}

Result<NetworkPtr> load_network(const Safetensors& file) {
  ZOE_TRY_ASSIGN(const Graph graph, read_graph(file));
  return Network::compile(graph);
}

Result<NetworkPtr> load_fixed_network(const std::filesystem::path& path) { return fixed(load_network(path)); }
Result<NetworkPtr> load_fixed_network(const Safetensors& file) { return fixed(load_network(file)); }

void NetworkState::Free::operator()(float* memory) const { FreeAligned()(reinterpret_cast<std::byte*>(memory)); }

NetworkState make_state(const Network& network, int max_batch) {
  ZOE_CHECK(max_batch >= 1, "a batch has at least one item");
  ZOE_CHECK(network.dims().empty(), "the network has dimensions: state their sizes");
  NetworkState state;
  state.memory_.reset(reinterpret_cast<float*>(allocate_zeroed(network.state_bytes(max_batch)).release()));
  state.plan_ = &network.plan();
  state.max_batch_ = max_batch;
  return state;
}

Result<NetworkState> make_state(const Network& network, int max_batch, const std::vector<DimSize>& sizes) {
  ZOE_CHECK(max_batch >= 1, "a batch has at least one item");
  ZOE_TRY_ASSIGN(const std::vector<int> numbers, dim_sizes(network.dims(), sizes));
  if (network.dims().empty()) return make_state(network, max_batch);
  NetworkState state;
  ZOE_TRY_ASSIGN(state.bound_, bind_plan(network.plan(), numbers));
  const std::size_t bytes = bytes_of(*state.bound_, max_batch);
  if (bytes > kMaxStateBytes) {
    return Error{ErrorCode::kLimit,
                 fmt::format("a state of {} items of these sizes needs {} MB: at most {} are possible", max_batch,
                             bytes >> 20U, kMaxStateBytes >> 20U)};
  }
  state.memory_.reset(reinterpret_cast<float*>(allocate_zeroed(bytes).release()));
  state.plan_ = &network.plan();
  state.max_batch_ = max_batch;
  return state;
}

std::span<const Port> NetworkState::inputs() const { return (bound_ ? *bound_ : *plan_).inputs; }
std::span<const Port> NetworkState::outputs() const { return (bound_ ? *bound_ : *plan_).outputs; }

const char* NetworkState::rebind(std::span<const DimSize> sizes) noexcept {
  if (plan_ == nullptr) return "the state was not made";
  int numbers[RowCount::kMaxDims] = {};
  const std::size_t count = plan_->dims.size();
  if (sizes.size() != count) return "one size for each dimension is needed";
  for (const DimSize& size : sizes) {
    const auto at = std::find(plan_->dims.begin(), plan_->dims.end(), size.name);
    if (at == plan_->dims.end()) return "the network has no such dimension";
    if (size.size < 1) return "a dimension has at least 1 row";
    numbers[at - plan_->dims.begin()] = size.size;
  }
  if (std::find(numbers, numbers + count, 0) != numbers + count) return "one size for each dimension is needed";
  return count == 0 ? nullptr : rebind_plan(*plan_, {numbers, count}, *bound_);
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
  if (!fit(inputs, state.inputs())) return "inputs do not have the network's number and shapes";
  if (!fit(outputs, state.outputs())) return "outputs do not have the network's number and shapes";
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
  Executor(state->bound_ ? *state->bound_ : network->plan(), state->memory_.get(), state->max_batch_,
           static_cast<std::size_t>(batch))
      .run(inputs, outputs);
  return true;
}

const char* instruction_set() { return kernels::instruction_set(); }

}  // namespace zoe::nn
