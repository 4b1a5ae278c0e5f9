// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Networks for learned motion matching that need no training.
#pragma once

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/nn/graph_builder.h"

#include "control/walkers.h"

namespace zoe::test {

// Networks that know the database by heart: a code is a frame's number, answers are rows of tables.
// What learned matching does with them must be motion matching.
struct Oracle {
  nn::Graph decompressor, stepper, projector;
};

inline nn::Graph looked_up(int width, int begin, const char* in, const char* out, const std::vector<float>& table,
                           std::size_t columns) {
  nn::GraphBuilder b;
  const int s = b.input(in, width);
  b.output(out, b.embedding(b.slice(s, begin, begin + 1), "table", {table.size() / columns, columns}, table));
  return std::move(b).build().value();
}

inline Oracle make_oracle(const Walkers& walkers, const control::MotionDatabase& database) {
  const int dims = database.num_dims(), frames = database.num_frames();
  const auto outputs = walkers.layout.size(features::BlockKind::kOutput);
  std::vector<float> states, after, poses, centres, norms;
  for (int f = 0; f < frames; ++f) {
    std::vector<float> s(idx(dims) + 1);
    database.features(f, std::span(s).first(idx(dims)));
    s.back() = static_cast<float>(f);
    states.insert(states.end(), s.begin(), s.end());
    float norm = 0;
    for (int c = 0; c < dims; ++c) {
      centres.push_back(-2 * s[idx(c)]);
      norm += s[idx(c)] * s[idx(c)];
    }
    const int clip = database.clip_of(f);
    norms.push_back(f < database.end_of(clip) - 20 ? norm : 1e6F);
    const int local = f - database.begin_of(clip);
    const features::ClipRows rows = walkers.sources()[idx(clip)].rows;
    const features::Sample sample{0, local, 0};
    poses.resize(poses.size() + outputs);
    EXPECT_TRUE((features::GatherJob{.layout = &walkers.layout,
                                     .clips = {&rows, 1},
                                     .samples = {&sample, 1},
                                     .output = std::span(poses).last(outputs)}
                     .run()));
  }
  const std::size_t width = idx(dims) + 1;
  for (int f = 0; f < frames; ++f) {
    const int next = std::min(f + 1, database.end_of(database.clip_of(f)) - 1);
    after.insert(after.end(), states.begin() + static_cast<std::ptrdiff_t>(idx(next) * width),
                 states.begin() + static_cast<std::ptrdiff_t>(idx(next + 1) * width));
  }
  nn::GraphBuilder b;
  const int x = b.input("x", dims);
  const int nearest = b.argmin(b.linear(x, "distance", {idx(frames), idx(dims)}, centres, norms));
  b.output("s", b.embedding(nearest, "states", {idx(frames), width}, states));
  Oracle oracle{looked_up(dims + 1, dims, "s", "y", poses, outputs), looked_up(dims + 1, dims, "s", "s", after, width),
                std::move(b).build().value()};
  oracle.decompressor.metadata["layout"] = walkers.layout.to_toml();
  return oracle;
}

}  // namespace zoe::test
