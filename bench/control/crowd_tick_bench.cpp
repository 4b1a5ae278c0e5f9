// SPDX-License-Identifier: MIT
#include "control/crowd_tick_bench.h"

#include <algorithm>
#include <ctime>

#include "zoe/anatomy/analysis.h"
#include "zoe/author/make_body.h"
#include "zoe/author/types.h"
#include "zoe/control/crowd.h"
#include "zoe/control/sources.h"
#include "zoe/core/thread_pool.h"
#include "zoe/features/frame_rows.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"
#include "zoe/synth/clip.h"

#include "nn/models.h"

namespace zoe::bench {
namespace {

using features::BlockKind;
constexpr int kThreads = 2;
constexpr double kTick_s = 1.0 / 60;
constexpr int kFirstTicks = 80;
constexpr double kBar = 1000;  // Characters at 60 ticks per second.

double process_cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A walking body and its features for a type.
struct Walk {
  Motion motion;
  features::Layout layout;
  std::vector<float> rows;
  features::ClipRows clip;

  static Walk make(const char* type_name) {
    const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(3));
    Motion motion = synth::make_clip(body, {.seconds = 6, .fps = 30}, Random(1)).value().motion;
    const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
    const author::Type& type = *author::find_type(type_name).value();
    auto layout =
        features::Layout::compile(features::Schema::parse(type.schema).value(), *motion.skeleton, analysis).value();
    auto rows = features::build_frame_rows(layout, {.motion = &motion}).value();
    Walk walk{std::move(motion), std::move(layout), std::move(rows), {}};
    walk.clip = {walk.rows.data(), features::num_rows(walk.layout, walk.motion)};
    return walk;
  }
  control::Body body() const { return author::make_body(layout, motion.skeleton, {&clip, 1}).value(); }
  // [width of the output] Mean over the clip. The first frame of sequences.
  std::vector<float> mean_output() const {
    std::vector<float> mean(static_cast<std::size_t>(layout.width(BlockKind::kOutput))),
        one(layout.size(BlockKind::kOutput));
    for (int f = 0; f + 1 < clip.num_rows; ++f) {
      const features::Sample sample{0, f, 0};
      features::GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = one}.run();
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / static_cast<float>(clip.num_rows - 1);
    }
    return mean;
  }
};

// A MANN of the published hidden sizes whose output is the clip's mean frame with slight noise. The body stays upright,
// so that every part of a tick runs, and there is no restart.
nn::Graph standing_mann(const Walk& walk, std::size_t hidden, std::size_t experts) {
  const auto in = static_cast<std::size_t>(walk.layout.width(BlockKind::kInput));
  const auto out = static_cast<std::size_t>(walk.layout.width(BlockKind::kOutput));
  const std::vector<float> mean = walk.mean_output();
  Random random(5);
  const auto noise = [&](std::size_t count, float scale) {
    std::vector<float> values(count);
    for (float& v : values) v = scale * random.uniform(-1, 1);
    return values;
  };
  const int gate_end =
      walk.layout.columns(BlockKind::kInput)[1].begin + walk.layout.columns(BlockKind::kInput)[1].width;
  const auto gate_in = static_cast<std::size_t>(gate_end);
  std::vector<float> biases;
  for (std::size_t e = 0; e < experts; ++e) biases.insert(biases.end(), mean.begin(), mean.end());
  nn::GraphBuilder b;
  const int x = b.input("x", static_cast<int>(in));
  const int gate = b.softmax(b.linear(
      b.linear(b.slice(x, 0, gate_end), "gate0", {32, gate_in}, noise(32 * gate_in, 0.2F), {}, nn::Activation::kElu),
      "gate1", {experts, 32}, noise(experts * 32, 0.2F), {}));
  const int h0 = b.expert_linear(x, gate, "main0", {experts, hidden, in}, noise(experts * hidden * in, 0.05F), {},
                                 nn::Activation::kElu);
  const int h1 = b.expert_linear(h0, gate, "main1", {experts, hidden, hidden}, noise(experts * hidden * hidden, 0.03F),
                                 {}, nn::Activation::kElu);
  b.output("y",
           b.expert_linear(h1, gate, "main2", {experts, out, hidden}, noise(experts * out * hidden, 1e-5F), biases));
  nn::Graph graph = std::move(b).build().value();
  graph.metadata["layout"] = walk.layout.to_toml();
  return graph;
}

// Codebook matching of a given width, which also stays upright.
nn::Graph standing_cxm(const Walk& walk, std::size_t hidden) {
  const auto in = static_cast<std::size_t>(walk.layout.width(BlockKind::kInput));
  const std::vector<float> mean = walk.mean_output(), spread(mean.size(), 1e-4F);
  nn::Graph graph = cxm_graph({.in = in, .hidden = hidden, .channels = hidden / 8, .out = mean.size()});
  for (nn::Weight& weight : graph.weights) {
    const auto set = [&](const std::vector<float>& values) {
      weight = nn::make_weight(weight.name, weight.shape, values);
    };
    if (weight.name == "out.mean") set(mean);
    if (weight.name == "out.std") set(spread);
  }
  graph.metadata["layout"] = walk.layout.to_toml();
  return graph;
}

// CPU seconds of one tick of one character, all threads together. The least of some seconds of ticks.
double tick_cpu_s(const control::ControllerPtr& controller, int characters, ThreadPool& pool,
                  const control::CrowdOptions& crowd_options = {}) {
  std::vector<PlanarRoot> places(static_cast<std::size_t>(characters));
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = {{static_cast<float>(i % 100), 0, static_cast<float>(i / 100)}, 0};
  control::Crowd crowd(controller, places, crowd_options);
  std::vector<control::Intent> intents(places.size(), control::Intent::move({0, 0, 1}));
  // Two ticks make one step of all characters: measured in pairs.
  const int pairs = std::clamp(6000 / characters, 1, 200);
  // The first second blends out of the stand, which every character does once, however large the crowd is.
  for (int i = 0; i < kFirstTicks; ++i) crowd.tick(intents, kTick_s, pool);
  double best_s = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double start_s = process_cpu_s();
    for (int i = 0; i < 2 * pairs; ++i) crowd.tick(intents, kTick_s, pool);
    if (round > 0) best_s = std::min(best_s, (process_cpu_s() - start_s) / (2.0 * pairs * characters));
  }
  return best_s;
}

// The same for the network alone, in the crowd's batches: the lower bound for a crowd.
double network_cpu_s(const nn::Network& network) {
  constexpr int kBatch = 64;
  nn::NetworkState state = nn::make_state(network, kBatch);
  std::vector<std::vector<float>> in, out;
  for (const nn::Port& port : network.inputs()) in.emplace_back(kBatch * port.shape.size(), 0.1F);
  for (const nn::Port& port : network.outputs()) out.emplace_back(kBatch * port.shape.size());
  const std::vector<std::span<const float>> inputs(in.begin(), in.end());
  const std::vector<std::span<float>> outputs(out.begin(), out.end());
  double best_s = 1e30;
  for (int round = 0; round < 12; ++round) {
    const double start_s = process_cpu_s();
    nn::NetworkJob{.network = &network, .state = &state, .batch = kBatch, .inputs = inputs, .outputs = outputs}.run();
    if (round > 1) best_s = std::min(best_s, (process_cpu_s() - start_s) / kBatch);
  }
  return best_s / 2;  // There are twice as many ticks as steps.
}

}  // namespace

void bench_crowd_tick(const Options& /*options*/, std::vector<Row>& rows) {
  const Walk walk = Walk::make("mann"), sequences = Walk::make("cxm");
  const control::Body body = walk.body(), sequences_body = sequences.body();
  ThreadPool pool(kThreads - 1);
  const auto add = [&](const std::string& name, double cpu_s, double network_s = 0) {
    rows.push_back({.name = "crowd/" + name,
                    .unit = "characters at 60 Hz on 2 cores",
                    .ours = kThreads * kTick_s / cpu_s,
                    .limit = network_s > 0 ? kThreads * kTick_s / network_s : 0,
                    .limit_name = network_s > 0 ? "the network alone" : "",
                    .bar = kBar});
  };
  struct Size {
    const char* name;
    std::size_t hidden, experts;
    nn::WeightType type;
  };
  const Size sizes[] = {{"MANN 512 x 8, float32", 512, 8, nn::WeightType::kF32},
                        {"MANN 512 x 8, bfloat16", 512, 8, nn::WeightType::kBF16},
                        {"MANN 512 x 8, int8", 512, 8, nn::WeightType::kI8},
                        {"MANN 256 x 8, float32", 256, 8, nn::WeightType::kF32},
                        {"a minimal network", 8, 1, nn::WeightType::kF32}};
  for (const Size& size : sizes) {
    const nn::Graph graph = with_weight_type(standing_mann(walk, size.hidden, size.experts), size.type);
    const nn::NetworkPtr network = nn::Network::compile(graph).value();
    const double network_s = size.hidden > 8 ? network_cpu_s(*network) : 0;
    const auto controller = control::make_neural_controller({"mann", body, network, {}}).value();
    for (const int characters : {10, 100, 1000, 10000}) {
      if (size.type != nn::WeightType::kI8 && size.hidden == 512 && characters == 10000)
        continue;  // Takes a minute of one core.
      add(std::string(size.name) + ", " + std::to_string(characters) + " characters",
          tick_cpu_s(controller, characters, pool), network_s);
    }
    if (size.type != nn::WeightType::kI8 && size.hidden > 8) continue;
    // One metre between neighbours, so all have ten neighbours. The eye is in a corner of the square.
    control::CrowdOptions options;
    options.avoidance.emplace();
    add(std::string(size.name) + ", 1000 characters with avoidance", tick_cpu_s(controller, 1000, pool, options),
        network_s);
    options.detail.emplace();
    add(std::string(size.name) + ", 1000 with avoidance, far ones in less detail",
        tick_cpu_s(controller, 1000, pool, options));
  }
  const Size widths[] = {{"CxM 1024, float32", 1024, 0, nn::WeightType::kF32},
                         {"CxM 512, float32", 512, 0, nn::WeightType::kF32},
                         {"CxM 512, int8", 512, 0, nn::WeightType::kI8}};
  for (const Size& size : widths) {
    const nn::Graph graph = with_weight_type(standing_cxm(sequences, size.hidden), size.type);
    const auto controller =
        control::make_cxm_controller({"cxm", sequences_body, nn::Network::compile(graph).value(), {}}).value();
    for (const int characters : {10, 100, 1000}) {
      add(std::string(size.name) + ", " + std::to_string(characters) + " characters",
          tick_cpu_s(controller, characters, pool));
    }
  }
}

}  // namespace zoe::bench
