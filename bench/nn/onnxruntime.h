// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks and tests. ONNX Runtime, opened at run time from the npm package
// onnxruntime-node: the peer of zoe::nn. Nothing links it, and nothing of it is in this repository.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::bench {

// The shared library: $ZOE_ONNXRUNTIME, else where tests/node/install.sh puts it; empty when there
// is none.
std::string find_onnxruntime();

// A model loaded for one thread, all optimisations on, with the buffers of its inputs and outputs
// bound to it.
class OnnxSession {
 public:
  struct Tensor {
    std::string name;
    std::vector<std::int64_t> dims;
    std::span<float> values;  // Must outlive the session.
  };
  static Result<OnnxSession> open(std::span<const char> model, std::vector<Tensor> inputs, std::vector<Tensor> outputs);

  // Empty, or the runtime's words.
  std::string run();

  OnnxSession(OnnxSession&&) noexcept;
  OnnxSession& operator=(OnnxSession&&) noexcept;
  ~OnnxSession();

 private:
  struct Impl;
  explicit OnnxSession(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// E.g. "1.30.0"; empty when there is none.
std::string onnxruntime_version();

}  // namespace zoe::bench
