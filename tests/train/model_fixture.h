// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A small model of any kind with toy data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "train/model.h"
#include "train/settings.h"

namespace zoe::train {

struct SmallModel {
  std::unique_ptr<BatchSource> source;
  std::unique_ptr<Config> config;
  std::vector<std::size_t> selected;  // Indices of the model's fields among the source's.
  std::vector<Field> fields;          // Of the model, in its order.
  std::vector<FieldStatistics> statistics;
  std::unique_ptr<Model> model;

  // Training samples [first, first + count), of the model's number type.
  Batch batch(std::size_t first, std::size_t count) const;
};

// settings: "model.dropout=0.2" and the like, over the small sizes.
SmallModel make_small(const ModelInfo& info, at::ScalarType type, std::uint64_t seed,
                      const std::vector<std::string>& settings = {}, int width = 4);

// Inputs for the model's graph: fields of the data where names agree, noise otherwise (recurrent
// states).
std::vector<at::Tensor> graph_inputs(const SmallModel& small, const nn::Graph& graph, std::int64_t batch);

// What zoe::nn computes.
std::vector<at::Tensor> run_network(const nn::Graph& graph, const std::vector<at::Tensor>& inputs);
// What ONNX Runtime computes, which must be there.
std::vector<at::Tensor> run_onnx(const nn::Graph& graph, const std::vector<at::Tensor>& inputs);

}  // namespace zoe::train
