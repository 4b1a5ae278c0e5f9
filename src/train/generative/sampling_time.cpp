// SPDX-License-Identifier: MIT
#include "train/generative/sampling_time.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "train/step_graph.h"

namespace zoe::train {
Result<SamplingTime> time_sampling(const Process& process, const SkeletalNet& net, int steps,
                                   const at::TensorOptions& options) {
  constexpr std::int64_t kJoints = 60, kFrames = 64, kPast = kFrames / 4;
  constexpr int kTrials = 12, kFirstTrials = 2;  // The first ones are not counted.
  ZOE_TRY_ASSIGN(const std::vector<nn::SamplerStage> stages,
                 nn::make_stages(process.numbers(), {nn::Sampler::kDdim, steps}));
  const SkeletalSizes& sizes = net.sizes;
  SkeletalInput in;
  in.known = at::zeros({1, kFrames, kJoints, sizes.token}, options);
  in.known_groups = at::zeros({1, kFrames, kJoints, sizes.groups}, options);
  in.body = at::full({1, kJoints, sizes.body}, 0.3, options);
  in.names = at::full({1, kJoints, sizes.names}, 1.0 / 16, options);
  in.words = at::full({1, sizes.words}, 0.1, options);
  in.relations = at::zeros({1, kJoints, kJoints, 2}, options.dtype(at::kLong));
  at::Tensor noise = at::randn_like(in.known), made = at::zeros_like(in.known);
  const auto window = [&] {
    // Frames are known as a whole.
    const at::Tensor is_known = in.known_groups.narrow(3, 0, 1);
    const auto predict = [&](const at::Tensor& x, const at::Tensor& time) {
      in.x = x + (in.known - x) * is_known, in.time = time;
      return net(in).prediction;
    };
    made.copy_(sample(process, stages, predict, noise, [](const at::Tensor& x) { return at::zeros_like(x); }));
  };
  const auto motion = [&](const std::function<void()>& one_window) {
    in.known.zero_();
    in.known_groups.zero_();
    one_window();
    in.known.narrow(1, 0, kPast).copy_(made.narrow(1, kFrames - kPast, kPast));
    in.known_groups.narrow(1, 0, kPast).fill_(1);
    one_window();
    return made.cpu();
  };
  const auto least_ms = [&](const std::function<void()>& one_window) {
    double least = 1e9;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto start = std::chrono::steady_clock::now();
      motion(one_window);
      const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
      if (trial >= kFirstTrials) least = std::min(least, passed.count());
    }
    return least;
  };
  StepGraph graph(options.device());
  ZOE_TRY(graph.rehearse(window));
  ZOE_TRY(graph.record(window));
  const std::function<void()> replay = [&] { graph.replay(); };
  SamplingTime time;
  time.difference = (motion(replay) - motion(window)).abs().max().item<double>();
  time.recorded_ms = least_ms(replay);
  time.launched_ms = least_ms(window);
  return time;
}

}  // namespace zoe::train
