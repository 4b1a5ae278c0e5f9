// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A trainer without libtorch: its networks have learned the mean of the data and no more.
#pragma once

#include <numeric>

#include "zoe/dataset/sampler.h"
#include "zoe/features/tracks.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"

#include "author/walks.h"

namespace zoe::author::test {

inline nn::Graph constant(const char* in, int in_width, const char* out, const std::vector<float>& values) {
  nn::GraphBuilder b;
  const int x = b.input(in, in_width);
  const std::vector<float> zeros(values.size() * static_cast<std::size_t>(in_width), 0.0F);
  b.output(out, b.linear(x, "all", {values.size(), static_cast<std::size_t>(in_width)}, zeros, values));
  return std::move(b).build().value();
}

// out[i] = in[i] for the first columns, 0 beyond.
inline nn::Graph copied(const char* in, int in_width, const char* out, int out_width) {
  nn::GraphBuilder b;
  const int x = b.input(in, in_width);
  const auto rows = static_cast<std::size_t>(out_width), columns = static_cast<std::size_t>(in_width);
  std::vector<float> weights(rows * columns, 0.0F);
  for (std::size_t i = 0; i < std::min(rows, columns); ++i) weights[i * columns + i] = 1;
  b.output(out, b.linear(x, "all", {rows, columns}, weights, std::vector<float>(rows, 0.0F)));
  return std::move(b).build().value();
}

inline std::vector<float> mean_of(const features::TrackField& field) {
  const auto width = static_cast<std::size_t>(field.width);
  std::vector<double> sums(width);
  for (std::size_t i = 0; i < field.values.size(); ++i) sums[i % width] += static_cast<double>(field.values[i]);
  std::vector<float> mean;
  for (const double sum : sums)
    mean.push_back(static_cast<float>(sum / (static_cast<double>(field.values.size()) / static_cast<double>(width))));
  return mean;
}

// y = the mean of the dataset's outputs.
inline Result<void> make_mean_network(const TrainingRequest& request) {
  using features::BlockKind;
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(request.data));
  const dataset::Group& group = data->groups()[static_cast<std::size_t>(dataset::most_sampled_group(*data))];
  nn::Graph graph =
      constant("x", group.layout.width(BlockKind::kInput), "y", group.normalisation.block(BlockKind::kOutput).means);
  graph.metadata["layout"] = group.layout.to_toml();
  return nn::write_graph(request.out / "model.safetensors", graph);
}

constexpr int kCode = 4;

// The three networks of learned motion matching, by the tracks that they are given.
inline Result<void> make_learned_matching(const TrainingRequest& request) {
  ZOE_TRY_ASSIGN(const features::TrackFile tracks, features::read_tracks(request.data));
  const auto field = [&](const std::string& name) -> const features::TrackField& {
    for (const features::TrackField& one : tracks.fields) {
      if (one.name == name) return one;
    }
    ZOE_CHECK(false, "no such field");
    return tracks.fields[0];
  };
  nn::Graph graph;
  if (request.model == "lmm_decompressor") {
    const int pose = field("y").width;
    graph = constant("s", field("x").width + kCode, "y", mean_of(field("y")));
    ZOE_TRY(nn::write_graph(request.out / "encoder.safetensors", copied("y", 2 * pose, "z", kCode)));
  } else if (request.model == "lmm_stepper") {
    graph = copied("s", field("x").width, "s", field("x").width);
  } else {
    graph = copied("x", field("x").width, "s", field("y").width);
  }
  graph.metadata["layout"] = tracks.file.metadata().at("layout");
  return nn::write_graph(request.out / "model.safetensors", graph);
}

}  // namespace zoe::author::test
