// SPDX-License-Identifier: MIT
// Part of Zoetrope. Work on a CUDA device, recorded once and launched as a whole: a step of hundreds of small kernels
// costs more to launch than to run. The same tensors take part each time: inputs are copied into them before, results
// are read afterwards. Random numbers follow torch's seed at the time of the launch.
#pragma once

#include <functional>
#include <memory>

#include "zoe/core/result.h"

#include "train/torch.h"

namespace zoe::train {

class StepGraph {
 public:
  explicit StepGraph(at::Device device);
  ~StepGraph();
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  // True if this build and device have such graphs.
  static bool available(at::Device device);

  // Runs `work` twice and returns why it cannot be recorded: it waits for the device in its middle. A failed recording
  // leaves torch's memory and random numbers in disorder; this does not.
  Result<void> rehearse(const std::function<void()>& work);
  // Records `work` without running it. After an error the process must end.
  Result<void> record(const std::function<void()>& work);
  void replay();

 private:
  struct Recording;
  std::unique_ptr<Recording> recording_;
};

}  // namespace zoe::train
