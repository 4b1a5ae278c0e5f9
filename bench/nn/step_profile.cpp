// SPDX-License-Identifier: MIT
#include "nn/step_profile.h"

#include <algorithm>

#include "nn/attention_shape.h"
#include "nn/execute.h"
#include "support/bench.h"

namespace zoe::bench {
namespace {

StepProfile::Part part_of(const nn::Step& step) {
  if (step.op == nn::Op::kAttention) return StepProfile::kAttention;
  return step.linears.empty() ? StepProfile::kRest : StepProfile::kLinear;
}

}  // namespace

StepProfile::StepProfile(const nn::Network& network, const std::vector<float>& input)
    : network_(network),
      input_(input),
      memory_(nn::allocate_zeroed(network.state_bytes(1))),
      output_(network.outputs()[0].shape.size()),
      step_s_(network.plan().steps.size()) {
  const nn::Plan& plan = network.plan();
  for (const nn::Step& step : plan.steps) {
    if (step.op == nn::Op::kAttention)
      multiply_adds_[kAttention] += static_cast<double>(nn::AttentionShape(step, plan).multiply_adds(step.axis));
    const auto rows = static_cast<double>(plan.slots[static_cast<std::size_t>(step.outputs[0])].shape.steps);
    for (const int i : step.linears) {
      const nn::kernels::PackedLinear& linear = plan.linears[static_cast<std::size_t>(i)].packed;
      multiply_adds_[kLinear] += rows * static_cast<double>(linear.in * linear.out * linear.segments);
    }
  }
}

void StepProfile::operator()() {
  std::fill(step_s_.begin(), step_s_.end(), 0.0);
  const std::span<const float> in[] = {input_};
  const std::span<float> out[] = {output_};
  nn::Executor executor(network_.plan(), reinterpret_cast<float*>(memory_.get()), 1, 1);
  executor.set_clock({thread_cpu_s, step_s_});
  executor.run(in, out);
  double seconds[kNumParts] = {};
  const nn::Plan& plan = network_.plan();
  for (std::size_t i = 0; i < step_s_.size(); ++i) seconds[part_of(plan.steps[i])] += step_s_[i];
  for (int part = 0; part < kNumParts; ++part) best_s_[part] = std::min(best_s_[part], seconds[part]);
  keep(output_[0]);
}

}  // namespace zoe::bench
