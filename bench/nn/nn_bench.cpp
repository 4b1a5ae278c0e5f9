// SPDX-License-Identifier: MIT
#include "nn/nn_bench.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/batch.h"
#include "zoe/nn/onnx.h"
#include "zoe/nn/quantize.h"

#include "nn/crowd_bench.h"
#include "nn/kernels/amx.h"
#include "nn/machine.h"
#include "nn/models.h"
#include "nn/onnxruntime.h"
#include "nn/step_profile.h"
#include "nn/torch_peer.h"
#include "nn/transformer.h"

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

// Our network on this thread, ready for repeated calls.
struct Ours {
  nn::NetworkPtr network;
  ThreadPool nobody_else{0};
  nn::BatchState state;
  Buffers buffers;
  int batch;
  Ours(const nn::Graph& graph, int batch_size)
      : network(nn::Network::compile(graph).value()),
        state(nn::make_batch_state(*network, nobody_else)),
        buffers(graph, batch_size),
        batch(batch_size) {}
  void operator()() {
    const std::span<const float> in[] = {buffers.in};
    const std::span<float> out[] = {buffers.out};
    nn::BatchJob{.network = network.get(), .state = &state, .batch = batch, .inputs = in, .outputs = out}.run();
    keep(buffers.out[0]);
  }
};

struct OnnxPeer {
  Buffers buffers;
  std::unique_ptr<OnnxSession> session;
  std::string problem;
  OnnxPeer(const nn::Graph& graph, int batch, Experts experts) : buffers(graph, batch) {
    const std::string model = nn::to_onnx(graph, {experts}).value();
    const auto dims = [&](nn::Shape s) {
      return s.steps == 1 ? std::vector<std::int64_t>{batch, s.width}
                          : std::vector<std::int64_t>{batch, s.steps, s.width};
    };
    auto opened = OnnxSession::open(model, {{graph.inputs[0].name, dims(graph.inputs[0].shape), buffers.in}},
                                    {{graph.outputs[0].name, dims(graph.outputs[0].shape), buffers.out}});
    if (!opened) {
      problem = opened.error().message;
      return;
    }
    session = std::make_unique<OnnxSession>(std::move(opened).value());
    problem = session->run();
  }
  void operator()() {
    session->run();
    keep(buffers.out[0]);
  }
};

// A peer that runs the same network on the same inputs. Without a timer it holds the reason.
struct Peer {
  std::string name;
  Timer timer;
};

// A peer with other results is not timed. Results may differ by rounding, about 1e-6.
Peer checked(std::string name, Timer timer, const std::vector<float>& ours, const std::vector<float>& theirs,
             const std::string& problem) {
  if (!problem.empty()) return {name + ": " + problem, {}};
  float worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const float d = std::abs(ours[i] - theirs[i]) / std::max(1.0F, std::abs(ours[i]));
    worst = d <= worst ? worst : d;
  }
  if (!(worst < 1e-4F)) return {name + ": differs from ours by " + std::to_string(worst), {}};
  return {std::move(name), std::move(timer)};
}

struct Case {
  const char* name;
  nn::Graph graph;
  int batch;
  std::vector<nn::WeightType> types;
  bool with_blended_weights = false;  // A second peer: expert matrices blended, as published controllers do.
  double published_s = 0;
  const char* published_by = "";
};

// The process of libtorch, started once. Null: there is none, and `why` holds the reason.
TorchPeer* torch_peer(std::string& why) {
  static Result<TorchPeer> one = TorchPeer::start();
  if (!one) why = one.error().message;
  return one ? &*one : nullptr;
}

Peer torch_peer_of(const Case& c, const std::vector<float>& ours) {
  std::string problem;
  TorchPeer* torch = torch_peer(problem);
  if (torch == nullptr) return {"libtorch: " + problem, {}};
  Buffers buffers(c.graph, c.batch);
  if (const auto opened = torch->open(c.graph, c.batch, buffers.in, buffers.out); !opened)
    problem = opened.error().message;
  return checked(
      "libtorch " + torch->version() + " fp32", [torch](long calls) { return torch->seconds_of(calls); }, ours,
      buffers.out, problem);
}

void run_case(const Options& options, const Case& c, std::vector<Row>& rows) {
  std::vector<std::unique_ptr<Ours>> ours;
  std::vector<Footprint> footprints;
  std::vector<Timer> timers;
  for (const nn::WeightType type : c.types) {
    Ours& one = *ours.emplace_back(std::make_unique<Ours>(with_weight_type(c.graph, type), c.batch));
    one();
    timers.push_back(timer_of([&one] { one(); }));
  }
  for (const auto& one : ours) footprints.emplace_back(one->network->weight_bytes());
  for (const auto& memory : footprints) timers.push_back(timer_of([&memory] { read_all(memory.bytes()); }));
  timers.push_back(timer_of(run_multiply_adds));
  timers.push_back(timer_of(run_integer_multiply_adds));
  const bool amx = nn::kernels::use_amx();
  if (amx) timers.push_back(timer_of(run_matrix_products));

  const std::vector<float>& expected = ours[0]->buffers.out;  // Result of float32 weights.
  std::vector<std::unique_ptr<OnnxPeer>> sessions;
  std::vector<Peer> peers;
  const auto add_onnx = [&](Experts experts, const char* how) {
    if (find_onnxruntime().empty()) {
      peers.push_back({"ONNX Runtime: run tests/node/install.sh", {}});
      return;
    }
    OnnxPeer& one = *sessions.emplace_back(std::make_unique<OnnxPeer>(c.graph, c.batch, experts));
    peers.push_back(checked("ONNX Runtime " + onnxruntime_version() + " fp32" + how, timer_of([&one] { one(); }),
                            expected, one.buffers.out, one.problem));
  };
  if (c.with_blended_weights) {
    add_onnx(Experts::kBlendOutputs, ", outputs blended");
    add_onnx(Experts::kBlendWeights, ", weights blended");
  } else {
    add_onnx(Experts::kBlendOutputs, "");
  }
  peers.push_back(torch_peer_of(c, expected));
  const std::size_t first_peer = timers.size();
  for (const Peer& peer : peers)
    if (peer.timer) timers.push_back(peer.timer);

  const std::vector<double> seconds = seconds_per_call(options, timers);
  const std::size_t n = c.types.size();
  const auto batch = static_cast<double>(c.batch);
  for (std::size_t i = 0; i < n; ++i) {
    Row row;
    row.name = std::string("nn/") + c.name + ", batch " + std::to_string(c.batch) + ", " + to_string(c.types[i]);
    row.unit = "items/s";
    row.ours = batch / seconds[i];
    const double operations = 2.0 * static_cast<double>(ours[i]->network->multiply_adds()) * batch;
    const bool int8 = c.types[i] == nn::WeightType::kI8;
    const bool matrix_unit = amx && c.batch > 1 && c.types[i] == nn::WeightType::kBF16;
    const double rate = matrix_unit ? kMatrixOperations / seconds[2 * n + 2]
                                    : kMultiplyAddOperations / seconds[int8 ? 2 * n + 1 : 2 * n];
    const double reading_s = seconds[n + i], computing_s = operations / rate;
    row.limit = batch / std::max(reading_s, computing_s);
    row.limit_name = reading_s > computing_s ? "reading the weights once"
                     : matrix_unit           ? "bfloat16 matrix products"
                     : int8                  ? "8-bit multiply-adds"
                                             : "fp32 multiply-adds";
    std::size_t timed = first_peer;
    for (const Peer& peer : peers) {
      row.peer_name = peer.name;
      row.peer = peer.timer ? batch / seconds[timed++] : 0;
      rows.push_back(row);
    }
    if (c.published_s > 0) {
      row.peer_name = c.published_by;
      row.peer = batch / c.published_s;
      rows.push_back(row);
    }
  }
}

// Where the time of one item goes. Products are measured against the multiply-adds of their numbers: those of int8
// layers are integers, attention is always float32.
void profile_case(const Options& options, const Case& c, std::vector<Row>& rows) {
  for (const nn::WeightType type : c.types) {
    const Ours ours(with_weight_type(c.graph, type), 1);
    StepProfile profile(*ours.network, ours.buffers.in);
    const std::vector<double> seconds =
        seconds_per_call(options, {[&] { profile(); }, run_multiply_adds, run_integer_multiply_adds});
    const bool int8 = type == nn::WeightType::kI8, amx = type == nn::WeightType::kBF16 && nn::kernels::use_amx();
    const double floats = kMultiplyAddOperations / 2 / seconds[1], integers = kMultiplyAddOperations / 2 / seconds[2];
    const auto add = [&](const char* what, double multiply_adds, double seconds_of, double limit_s) {
      Row row;
      row.name = std::string("nn/") + c.name + ", " + to_string(type) + ": " + what;
      row.unit = multiply_adds > 0 ? "G multiply-adds/s" : "runs/s";
      const double unit = multiply_adds > 0 ? multiply_adds * 1e-9 : 1;
      row.ours = unit / seconds_of;
      if (limit_s > 0) row.limit = unit / limit_s, row.limit_name = "multiply-adds";
      rows.push_back(row);
    };
    using enum StepProfile::Part;
    const double linear = profile.multiply_adds(kLinear), attention = profile.multiply_adds(kAttention);
    const double linear_limit_s = amx ? 0 : linear / (int8 ? integers : floats), attention_limit_s = attention / floats;
    add("matrix products", linear + attention, profile.seconds(kLinear) + profile.seconds(kAttention),
        amx ? 0 : linear_limit_s + attention_limit_s);
    add("linear layers", linear, profile.seconds(kLinear), linear_limit_s);
    add("attention", attention, profile.seconds(kAttention), attention_limit_s);
    add("other operations", 0, profile.seconds(kRest), 0);
  }
}

}  // namespace

void bench_nn(const Options& options, std::vector<Row>& rows) {
  const std::vector<nn::WeightType> all{nn::WeightType::kF32, nn::WeightType::kBF16, nn::WeightType::kI8};
  run_case(options, {"mlp 512x3", mlp_graph(512, 3), 1, all}, rows);
  run_case(options, {"mlp 512x3", mlp_graph(512, 3), 64, all}, rows);
  run_case(options, {"mlp 512x3", mlp_graph(512, 3), 1000, all}, rows);
  run_case(options, {"mann 8 experts", mann_graph({}), 1, all, true}, rows);
  run_case(options, {"mann 8 experts", mann_graph({}), 64, all, true}, rows);
  run_case(options, {"mann 8 experts", mann_graph({}), 1000, all}, rows);
  bench_crowd_network(options, rows);
  run_case(options, {"cxm biped", cxm_graph({}), 1, all, false, 0.0187, "reference (published)"}, rows);
  run_case(options, {"cxm biped", cxm_graph({}), 64, all}, rows);
  run_case(options, {"cxm biped", cxm_graph({}), 1000, all}, rows);
  const nn::DimSize sizes[] = {{"frames", 120}, {"joints", 60}};
  const Case transformer{"transformer 4x128, 60 joints x 120 frames", bind_dims(transformer_graph(), sizes).value(), 1,
                         all};
  run_case(options, transformer, rows);
  profile_case(options, transformer, rows);
}

}  // namespace zoe::bench
