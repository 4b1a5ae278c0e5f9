// SPDX-License-Identifier: MIT
#include "nn/nn_bench.h"

#include <cstdio>
#include <memory>

#include "zoe/core/random.h"
#include "zoe/nn/network.h"
#include "zoe/nn/onnx.h"
#include "zoe/nn/quantize.h"

#include "nn/machine.h"
#include "nn/models.h"
#include "nn/onnxruntime.h"

namespace zoe::bench {
namespace {

using Experts = nn::OnnxOptions::Experts;

struct Buffers {
  std::vector<float> in, out;
  Buffers(const nn::Graph& graph, int batch)
      : in(graph.inputs[0].shape.size() * static_cast<std::size_t>(batch)),
        out(graph.outputs[0].shape.size() * static_cast<std::size_t>(batch)) {
    Random random(3);
    for (float& x : in) x = random.uniform(-1, 1);
  }
};

// Our network, ready to be called again and again.
struct Ours {
  nn::NetworkPtr network;
  nn::NetworkState state;
  Buffers buffers;
  int batch;
  Ours(const nn::Graph& graph, int batch_size)
      : network(nn::Network::compile(graph).value()),
        state(nn::make_state(*network, batch_size)),
        buffers(graph, batch_size),
        batch(batch_size) {}
  void operator()() {
    const std::span<const float> in[] = {buffers.in};
    const std::span<float> out[] = {buffers.out};
    nn::NetworkJob{
        .network = network.get(), .state = &state, .batch = batch, .inputs = in, .outputs = out}
        .run();
    keep(buffers.out[0]);
  }
};

struct Peer {
  Buffers buffers;
  std::unique_ptr<OnnxSession> session;
  Peer(const nn::Graph& graph, int batch, Experts experts) : buffers(graph, batch) {
    const std::string model = nn::to_onnx(graph, {experts}).value();
    const auto dims = [&](nn::Shape s) {
      return s.steps == 1 ? std::vector<std::int64_t>{batch, s.width}
                          : std::vector<std::int64_t>{batch, s.steps, s.width};
    };
    auto opened =
        OnnxSession::open(model, {{graph.inputs[0].name, dims(graph.inputs[0].shape), buffers.in}},
                          {{graph.outputs[0].name, dims(graph.outputs[0].shape), buffers.out}});
    if (opened) session = std::make_unique<OnnxSession>(std::move(opened).value());
  }
  void operator()() {
    session->run();
    keep(buffers.out[0]);
  }
};

struct Case {
  const char* name;
  nn::Graph graph;
  int batch;
  std::vector<nn::WeightType> types;
  bool with_blended_weights =
      false;  // A second peer: expert matrices blended, as published controllers do.
  double published_s = 0;
  const char* published_by = "";
};

void run_case(const Options& options, const Case& c, std::vector<Row>& rows) {
  std::vector<std::unique_ptr<Ours>> ours;
  std::vector<Footprint> footprints;
  std::vector<std::function<void()>> functions;
  for (const nn::WeightType type : c.types) {
    Ours& one =
        *ours.emplace_back(std::make_unique<Ours>(with_weight_type(c.graph, type), c.batch));
    functions.push_back([&one] { one(); });
  }
  for (const auto& one : ours) footprints.emplace_back(one->network->weight_bytes());
  for (const auto& memory : footprints)
    functions.push_back([&memory] { read_all(memory.bytes()); });
  functions.push_back(run_multiply_adds);
  std::vector<std::unique_ptr<Peer>> peers;
  std::vector<std::string> peer_names;
  if (!find_onnxruntime().empty()) {
    const std::string name = "ONNX Runtime " + onnxruntime_version();
    peers.push_back(std::make_unique<Peer>(c.graph, c.batch, Experts::kBlendOutputs));
    peer_names.push_back(name + " fp32");
    if (c.with_blended_weights) {
      peers.push_back(std::make_unique<Peer>(c.graph, c.batch, Experts::kBlendWeights));
      peer_names[0] = name + " fp32, outputs blended";
      peer_names.push_back(name + " fp32, weights blended");
    }
    for (const auto& peer : peers) functions.push_back([p = peer.get()] { (*p)(); });
  }
  const std::vector<double> seconds = seconds_per_call(options, functions);
  const std::size_t n = c.types.size();
  const auto batch = static_cast<double>(c.batch);
  for (std::size_t i = 0; i < n; ++i) {
    Row row;
    row.name = std::string("nn/") + c.name + ", batch " + std::to_string(c.batch) + ", " +
               to_string(c.types[i]);
    row.unit = "items/s";
    row.ours = batch / seconds[i];
    const double operations = 2.0 * static_cast<double>(ours[i]->network->multiply_adds()) * batch;
    // int8 layers multiply pairs of 16-bit integers, twice as many at a time as floats.
    const bool int8 = c.types[i] == nn::WeightType::kI8;
    const double rate = (int8 ? 2 : 1) * kMultiplyAddOperations / seconds[2 * n];
    const double reading_s = seconds[n + i], computing_s = operations / rate;
    row.limit = batch / std::max(reading_s, computing_s);
    row.limit_name = reading_s > computing_s ? "reading the weights once"
                     : int8                  ? "16-bit multiply-adds"
                                             : "fp32 multiply-adds";
    if (peers.empty()) rows.push_back(row);
    for (std::size_t p = 0; p < peers.size(); ++p) {
      row.peer_name = peer_names[p];
      row.peer = batch / seconds[2 * n + 1 + p];
      rows.push_back(row);
    }
    if (c.published_s > 0) {
      row.peer_name = c.published_by;
      row.peer = batch / c.published_s;
      rows.push_back(row);
    }
  }
}

}  // namespace

void bench_nn(const Options& options, std::vector<Row>& rows) {
  if (find_onnxruntime().empty()) {
    std::fputs("zoe: ONNX Runtime, the peer, is not installed: run tests/node/install.sh\n",
               stderr);
  }
  const std::vector<nn::WeightType> all{nn::WeightType::kF32, nn::WeightType::kBF16,
                                        nn::WeightType::kI8};
  run_case(options, {"mlp 512x3", mlp_graph(512, 3), 1, all}, rows);
  run_case(options, {"mlp 512x3", mlp_graph(512, 3), 64, all}, rows);
  run_case(options, {"mann 8 experts", mann_graph({}), 1, all, true}, rows);
  run_case(options, {"mann 8 experts", mann_graph({}), 64, all, true}, rows);
  run_case(options, {"cxm biped", cxm_graph({}), 1, all, false, 0.0187, "reference (published)"},
           rows);
  run_case(options, {"cxm biped", cxm_graph({}), 64, all}, rows);
}

}  // namespace zoe::bench
