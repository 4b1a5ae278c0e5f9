// SPDX-License-Identifier: MIT
#include <limits>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "nn/onnx/emit.h"

namespace zoe::nn {

Result<std::string> to_onnx(const Graph& graph, const OnnxOptions& options) {
  ZOE_TRY_ASSIGN(const std::vector<ValueInfo> values, validate(graph));
  std::size_t numbers = 0;
  for (const Weight& weight : graph.weights) numbers += weight.num_items();
  constexpr std::size_t kMost = std::size_t{1} << 31;
  if (numbers >= kMost / 4)
    return Error{ErrorCode::kLimit, fmt::format("{} weights are more than the 2 GB an ONNX file holds", numbers)};
  ZOE_TRY_ASSIGN(std::string bytes, onnx::Emitter(graph, values, options).run());
  if (bytes.size() >= kMost)
    return Error{ErrorCode::kLimit, fmt::format("{} bytes are more than the 2 GB an ONNX file holds", bytes.size())};
  return bytes;
}

Result<void> write_onnx(const std::filesystem::path& path, const Graph& graph, const OnnxOptions& options) {
  ZOE_TRY_ASSIGN(const std::string bytes, to_onnx(graph, options));
  return write_file_atomic(path, std::string_view(bytes));
}

}  // namespace zoe::nn
