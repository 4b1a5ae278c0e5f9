// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/nn/quantize.h"

#include "nn/convert.h"

namespace zoe::nn {
namespace {

float worst_of(const std::vector<OutputError>& errors) {
  float worst = 0;
  for (const OutputError& error : errors) worst = std::max(worst, error.worst());
  return worst;
}

}  // namespace

Result<SmallNetwork> quantize_within(const Graph& graph, float max_error, int count,
                                     std::span<const std::span<const float>> inputs) {
  const std::vector<int> axes = matrix_scale_axes(graph);
  struct Candidate {
    std::size_t weight;
    float gain;  // Squared error that int8 adds, per byte that bfloat16 would cost.
  };
  std::vector<Candidate> candidates;

  // With the first `kept` candidates in bfloat16.
  const auto attempt = [&](std::size_t kept) -> Result<SmallNetwork> {
    SmallNetwork small{with_weight_type(graph, WeightType::kI8), {}, {}};
    for (std::size_t i = 0; i < kept; ++i) {
      Weight weight = graph.weights[candidates[i].weight];
      convert_weight(weight, WeightType::kBF16, 0);
      small.kept.push_back(weight.name);
      small.graph.weights[candidates[i].weight] = std::move(weight);
    }
    ZOE_TRY_ASSIGN(small.errors, compare_outputs(graph, small.graph, count, inputs));
    return small;
  };

  ZOE_TRY_ASSIGN(SmallNetwork best, attempt(0));
  if (worst_of(best.errors) <= max_error) return best;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] == 0) continue;
    Graph one = graph;
    convert_weight(one.weights[i], WeightType::kI8, axes[i]);
    ZOE_TRY_ASSIGN(const std::vector<OutputError> errors, compare_outputs(graph, one, count, inputs));
    const float worst = worst_of(errors);
    candidates.push_back({i, worst * worst / static_cast<float>(one.weights[i].num_items())});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
  // The error decreases with the number of kept weights: finds the smallest sufficient number by bisection.
  std::size_t low = 1, high = candidates.size();
  ZOE_TRY_ASSIGN(best, attempt(high));
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    ZOE_TRY_ASSIGN(SmallNetwork tried, attempt(middle));
    if (worst_of(tried.errors) <= max_error) {
      best = std::move(tried);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best;
}

}  // namespace zoe::nn
