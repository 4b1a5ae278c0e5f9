// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: networks.
#include "zoe/nn/network.h"

#include "zoe/store/safetensors.h"

#include "common.h"

struct zoe_network {
  zoe::nn::NetworkPtr ptr;
};

struct zoe_network_run {
  zoe::nn::NetworkPtr network;
  zoe::nn::NetworkState state;
  std::vector<std::span<const float>> inputs;  // Sized once.
  std::vector<std::span<float>> outputs;
};

using namespace zoe::capi;

namespace {

zoe_network* new_network(zoe::nn::NetworkPtr ptr) { return new zoe_network{std::move(ptr)}; }

zoe_status give_port(std::span<const zoe::nn::Port> ports, int32_t index, zoe_port* out) {
  if (out == nullptr || index < 0 || static_cast<std::size_t>(index) >= ports.size()) {
    return fail(ZOE_ERROR_USAGE, "the network has no such input or output, or out is null");
  }
  const zoe::nn::Port& port = ports[static_cast<std::size_t>(index)];
  *out = {port.name.c_str(), port.shape.steps, port.shape.width};
  return ZOE_OK;
}

// Spans over the caller's arrays, or false where one is null.
template <typename T>
bool wrap(std::span<const zoe::nn::Port> ports, int32_t batch, T* const* arrays, std::vector<std::span<T>>& out) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (arrays[i] == nullptr) return false;
    out[i] = {arrays[i], static_cast<std::size_t>(batch) * ports[i].shape.size()};
  }
  return true;
}

}  // namespace

zoe_status zoe_network_load(const char* path, zoe_network** out) {
  if (path == nullptr || out == nullptr) return refuse_null("zoe_network_load: path and out must not be null");
  return guarded([&] { return give(zoe::nn::load_network(std::filesystem::path(path)), out, new_network); });
}

zoe_status zoe_network_load_bytes(const void* bytes, size_t num_bytes, const char* name, zoe_network** out) {
  if (bytes == nullptr || out == nullptr) return refuse_null("zoe_network_load_bytes: bytes and out must not be null");
  return guarded([&]() -> zoe_status {
    const auto file = zoe::Safetensors::from_bytes({static_cast<const std::byte*>(bytes), num_bytes},
                                                   name != nullptr ? name : "bytes");
    if (!file) return fail(file.error());
    return give(zoe::nn::load_network(*file), out, new_network);
  });
}

void zoe_network_free(zoe_network* network) { delete network; }

int32_t zoe_network_num_dims(const zoe_network* network) {
  return network != nullptr ? static_cast<int32_t>(network->ptr->dims().size()) : 0;
}
const char* zoe_network_dim(const zoe_network* network, int32_t dim) {
  if (dim < 0 || dim >= zoe_network_num_dims(network)) return nullptr;
  return network->ptr->dims()[static_cast<std::size_t>(dim)].c_str();
}

zoe_status zoe_network_run_new(const zoe_network* network, int32_t max_batch, const char* const* dim_names,
                               const int32_t* dim_sizes, int32_t num_dims, zoe_network_run** out) {
  if (network == nullptr || out == nullptr) {
    return refuse_null("zoe_network_run_new: network and out must not be null");
  }
  if (max_batch < 1 || num_dims < 0 || (num_dims > 0 && (dim_names == nullptr || dim_sizes == nullptr))) {
    return fail(ZOE_ERROR_USAGE,
                "zoe_network_run_new: max_batch is at least 1, and each dimension has a name and a size");
  }
  return guarded([&]() -> zoe_status {
    std::vector<zoe::nn::DimSize> sizes;
    for (int32_t i = 0; i < num_dims; ++i) {
      if (dim_names[i] == nullptr) return refuse_null("zoe_network_run_new: the name of a dimension is null");
      sizes.push_back({dim_names[i], dim_sizes[i]});
    }
    auto state = zoe::nn::make_state(*network->ptr, max_batch, sizes);
    if (!state) return fail(state.error());
    auto made = std::make_unique<zoe_network_run>();
    made->network = network->ptr;
    made->state = std::move(state).value();
    made->inputs.resize(made->state.inputs().size());
    made->outputs.resize(made->state.outputs().size());
    *out = made.release();
    return ZOE_OK;
  });
}

void zoe_network_run_free(zoe_network_run* run) { delete run; }

int32_t zoe_network_run_num_inputs(const zoe_network_run* run) {
  return run != nullptr ? static_cast<int32_t>(run->inputs.size()) : 0;
}
int32_t zoe_network_run_num_outputs(const zoe_network_run* run) {
  return run != nullptr ? static_cast<int32_t>(run->outputs.size()) : 0;
}
zoe_status zoe_network_run_input(const zoe_network_run* run, int32_t index, zoe_port* out) {
  if (run == nullptr) return refuse_null("zoe_network_run_input: null");
  return give_port(run->state.inputs(), index, out);
}
zoe_status zoe_network_run_output(const zoe_network_run* run, int32_t index, zoe_port* out) {
  if (run == nullptr) return refuse_null("zoe_network_run_output: null");
  return give_port(run->state.outputs(), index, out);
}

zoe_status zoe_network_evaluate(zoe_network_run* run, int32_t batch, const float* const* inputs,
                                float* const* outputs) {
  if (run == nullptr || inputs == nullptr || outputs == nullptr) return refuse_null("zoe_network_evaluate: null");
  if (batch < 1 || batch > run->state.max_batch()) {
    return fail(ZOE_ERROR_USAGE, "zoe_network_evaluate: batch is 1 to the max_batch of zoe_network_run_new()");
  }
  if (!wrap<const float>(run->state.inputs(), batch, inputs, run->inputs) ||
      !wrap<float>(run->state.outputs(), batch, outputs, run->outputs)) {
    return refuse_null("zoe_network_evaluate: an array is null");
  }
  const zoe::nn::NetworkJob job{.network = run->network.get(),
                                .state = &run->state,
                                .batch = batch,
                                .inputs = run->inputs,
                                .outputs = run->outputs};
  if (const char* problem = job.validate()) return fail(ZOE_ERROR_USAGE, problem);
  return job.run() ? ZOE_OK : fail(ZOE_ERROR_USAGE, "zoe_network_evaluate: the shapes do not fit");
}
