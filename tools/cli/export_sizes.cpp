// SPDX-License-Identifier: MIT
#include "export_sizes.h"

#include <charconv>

#include <fmt/format.h>

namespace zoe::cli {

Result<nn::Graph> with_sizes(const nn::Graph& graph, const std::vector<std::string>& words) {
  if (words.empty()) return graph;
  if (graph.dims.empty())
    return Error{ErrorCode::kUsage, fmt::format("--size {}: the network has no dimensions", words[0])};
  std::vector<nn::DimSize> sizes;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    int size = 0;
    const char* end = word.data() + word.size();
    const char* begin = equals == std::string::npos ? end : word.data() + equals + 1;
    const auto [at, wrong] = std::from_chars(begin, end, size);
    if (begin == end || at != end || wrong != std::errc{})
      return Error{ErrorCode::kUsage,
                   fmt::format("--size {}: must be NAME=N, one of {}", word, fmt::join(graph.dims, ", "))};
    sizes.push_back({std::string_view(word).substr(0, equals), size});
  }
  return nn::bind_dims(graph, sizes);
}

Result<SizedGraph> with_example_sizes(const nn::Graph& graph) {
  if (graph.dims.empty()) return SizedGraph{graph, {}};
  constexpr int kSizes[][nn::RowCount::kMaxDims] = {{3, 5, 2, 4}, {16, 12, 24, 20}, {64, 64, 64, 64}};
  Error why{ErrorCode::kInvalid, "no size fits"};
  for (const auto& tried : kSizes) {
    std::vector<nn::DimSize> sizes;
    for (std::size_t i = 0; i < graph.dims.size(); ++i) sizes.push_back({graph.dims[i], tried[i]});
    Result<nn::Graph> bound = nn::bind_dims(graph, sizes);
    if (bound) return SizedGraph{std::move(*bound), std::move(sizes)};
    why = std::move(bound).error();
  }
  return why;
}

}  // namespace zoe::cli
