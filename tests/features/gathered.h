// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. One sample of a clip through a schema, its numbers by channel.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

namespace zoe::test {

struct GatheredSample {
  features::Layout layout;
  std::vector<float> blocks[features::kNumBlocks];

  // Number i of the channel, from its beginning.
  float at(std::string_view channel, int i, features::BlockKind kind = features::BlockKind::kInput) const {
    const auto column = layout.find_column(kind, channel);
    EXPECT_TRUE(column) << column.error().message;
    return column ? blocks[static_cast<std::size_t>(kind)][static_cast<std::size_t>(column->begin + i)] : NAN;
  }
};

inline GatheredSample gather(features::Layout layout, const features::ClipContext& clip, int frame) {
  using features::BlockKind;
  GatheredSample out{std::move(layout), {}};
  const auto rows = features::build_frame_rows(out.layout, clip);
  EXPECT_TRUE(rows) << rows.error().message;
  const features::ClipRows view{rows->data(), features::num_rows(out.layout, *clip.motion)};
  const features::Sample sample{0, frame, 0};
  for (std::size_t k = 0; k < features::kNumBlocks; ++k)
    out.blocks[k].resize(out.layout.size(static_cast<BlockKind>(k)));
  EXPECT_TRUE((features::GatherJob{.layout = &out.layout,
                                   .clips = {&view, 1},
                                   .samples = {&sample, 1},
                                   .input = out.blocks[0],
                                   .output = out.blocks[1],
                                   .condition = out.blocks[2]}
                   .run()));
  return out;
}

// A schema of one input, without smoothing of the root.
inline features::Schema input_schema(const std::string& channels, const std::string& tables = {}) {
  const auto schema = features::Schema::parse("fps = 60.0\n[root]\nhalf_window_s = 0.0\n[contacts]\nby_speed = true\n" +
                                              tables + "\n[input]\nchannels = [" + channels + "]");
  EXPECT_TRUE(schema) << schema.error().format();
  return schema.value();
}

}  // namespace zoe::test
