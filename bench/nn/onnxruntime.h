// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks and tests. ONNX Runtime, opened at run time from the npm package onnxruntime-node: the
// peer of zoe::nn. Nothing links it, and no part of it is in this repository.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::bench {

// The shared library: $ZOE_ONNXRUNTIME, else the path that tests/node/install.sh uses. Empty when there is none.
std::string find_onnxruntime();

// A model loaded for one thread, all optimisations on, with bound buffers for its inputs and outputs.
class OnnxSession {
 public:
  struct Tensor {
    std::string name;
    std::vector<std::int64_t> dims;
    std::span<float> values;  // Must outlive the session.
  };
  static Result<OnnxSession> open(std::span<const char> model, std::vector<Tensor> inputs, std::vector<Tensor> outputs);

  // Empty, or the runtime's message.
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
