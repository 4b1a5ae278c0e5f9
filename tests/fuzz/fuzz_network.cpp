// SPDX-License-Identifier: MIT
// A network file: read, compiled and, when it is small, run; and written again as ONNX.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"
#include "zoe/nn/onnx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto graph = zoe::nn::graph_from_bytes({reinterpret_cast<const std::byte*>(data), size});
  if (!graph) return 0;
  const auto network = zoe::nn::Network::compile(*graph);
  if (!network) std::abort();  // What has been read is valid.
  // What a careful program does with a stranger's file: small ones only.
  constexpr int kBatch = 3;
  std::vector<zoe::nn::DimSize> sizes;
  for (const std::string& dim : (*network)->dims()) sizes.push_back({dim, 2});
  const auto cost = (*network)->cost(kBatch, sizes);
  if (!cost || cost->multiply_adds > 1'000'000 || cost->state_bytes > (1U << 20)) return 0;
  auto made = zoe::nn::make_state(**network, kBatch, sizes);
  if (!made) std::abort();  // Its cost is known.
  zoe::nn::NetworkState& state = *made;
  for (const int batch : {1, kBatch}) {
    std::vector<std::vector<float>> in, out;
    for (const zoe::nn::Port& port : state.inputs())
      in.emplace_back(port.shape.size() * static_cast<std::size_t>(batch), 0.5F);
    for (const zoe::nn::Port& port : state.outputs())
      out.emplace_back(port.shape.size() * static_cast<std::size_t>(batch));
    const std::vector<std::span<const float>> inputs(in.begin(), in.end());
    const std::vector<std::span<float>> outputs(out.begin(), out.end());
    const zoe::nn::NetworkJob job{network->get(), &state, batch, inputs, outputs};
    if (!job.run()) std::abort();
  }
  // A dimension that no input tells cannot be written.
  if (!zoe::nn::to_onnx(*graph) && sizes.empty()) std::abort();
  return 0;
}
