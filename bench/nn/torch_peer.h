// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. libtorch as a peer of zoe::nn, in a separate process (zoe-train, see
// zoe/train/graph_server.h), because nothing here links torch.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "zoe/nn/graph.h"

namespace zoe::bench {

class TorchPeer {
 public:
  // Starts the program. The error gives the reason of a failure, e.g. a build without the trainer.
  static Result<TorchPeer> start();

  // Runs the graph once on the inputs of all ports, one after the other, and fills `outputs`.
  Result<void> open(const nn::Graph& graph, int batch, std::span<const float> inputs, std::span<float> outputs);
  // CPU time of `calls` runs on one thread. Infinite when the process is gone.
  double seconds_of(long calls);

  std::string version() const;  // E.g. "1.13.1 (CPU)", after open().

  TorchPeer(TorchPeer&&) noexcept;
  TorchPeer& operator=(TorchPeer&&) noexcept;
  ~TorchPeer();

 private:
  struct Process;
  explicit TorchPeer(std::unique_ptr<Process> process);
  std::unique_ptr<Process> process_;
};

}  // namespace zoe::bench
