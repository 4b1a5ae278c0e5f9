// SPDX-License-Identifier: MIT
#include "nn/crowd_bench.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/batch.h"
#include "zoe/nn/quantize.h"

#include "nn/models.h"

namespace zoe::bench {
namespace {

constexpr int kCharacters = 1000;
constexpr int kThreads = 2;

double process_cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Shortest times of a pool for the whole crowd.
class Crowd {
 public:
  Crowd(const nn::Network& network, int num_threads)
      : network_(network), pool_(num_threads - 1), state_(make_batch_state(network, pool_)) {}

  void run_once(std::span<const float> x, std::span<float> y) {
    const std::span<const float> in[] = {x};
    const std::span<float> out[] = {y};
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start_s = process_cpu_s();
    nn::BatchJob{.network = &network_, .state = &state_, .batch = kCharacters, .inputs = in, .outputs = out}.run();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    wall_s = std::min(wall_s, spent.count());
    cpu_s = std::min(cpu_s, process_cpu_s() - cpu_start_s);
  }
  double wall_s = 1e30;
  double cpu_s = 1e30;  // Of all threads together.

 private:
  const nn::Network& network_;
  ThreadPool pool_;
  nn::BatchState state_;
};

}  // namespace

void bench_crowd_network(const Options& options, std::vector<Row>& rows) {
  const nn::Graph graph = mann_graph({});
  Random random(3);
  std::vector<float> x(graph.inputs[0].shape.size() * kCharacters);
  std::vector<float> y(graph.outputs[0].shape.size() * kCharacters);
  for (float& value : x) value = random.uniform(-1, 1);
  for (const nn::WeightType type : {nn::WeightType::kF32, nn::WeightType::kBF16, nn::WeightType::kI8}) {
    const auto network = nn::Network::compile(with_weight_type(graph, type)).value();
    Crowd alone(*network, 1), all(*network, kThreads);
    for (int repeat = 0; repeat < 2 * options.num_samples; ++repeat) {
      alone.run_once(x, y);
      all.run_once(x, y);
    }
    const std::string name = "nn/mann 8 experts, batch " + std::to_string(kCharacters) + ", " + to_string(type) + ", " +
                             std::to_string(kThreads) + " threads";
    const auto add = [&](const std::string& row_name, const char* peer, double all_s, double alone_s) {
      rows.push_back({.name = row_name,
                      .unit = "items/s",
                      .ours = kCharacters / all_s,
                      .peer = kCharacters / alone_s,
                      .peer_name = peer,
                      .limit = kThreads * kCharacters / alone_s,
                      .limit_name = "threads × one thread"});
    };
    add(name, "one thread (wall clock)", all.wall_s, alone.wall_s);
    // Valid on a busy machine too, where the wall clock depends on other programs.
    add(name + ", by CPU time", "one thread (CPU time)", all.cpu_s / kThreads, alone.cpu_s);
  }
}

}  // namespace zoe::bench
