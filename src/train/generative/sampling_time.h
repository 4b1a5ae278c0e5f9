// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a motion costs on a CUDA device, with a sampler that is recorded as one graph: a step of a few
// thousand tokens costs more to launch than to compute.
#pragma once

#include "zoe/core/result.h"

#include "train/generative/process.h"
#include "train/generative/skeletal_net.h"

namespace zoe::train {

struct SamplingTime {
  double recorded_ms = 0, launched_ms = 0;  // By the graph, and kernel by kernel.
  double difference = 0;                    // Largest, of both results; normalised numbers.
};
// Wall time of one motion of 60 joints and 120 frames: two windows of 64 frames, the second from the last quarter of
// the first; the least of ten. Fails where the sampler cannot be recorded.
Result<SamplingTime> time_sampling(const Process& process, const SkeletalNet& net, int steps,
                                   const at::TensorOptions& options);

}  // namespace zoe::train
