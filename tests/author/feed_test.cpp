// SPDX-License-Identifier: MIT
// Which outputs of frame-by-frame networks are which inputs later.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/author/types.h"
#include "zoe/core/index.h"

#include "author/network/fed_back.h"
#include "control/walkers.h"

namespace zoe::author {
namespace {

using features::BlockKind;

struct Sampled {
  std::vector<float> x, y;
};

Sampled sampled(const features::Layout& layout, const features::ClipRows& rows, int frame) {
  Sampled out{std::vector<float>(layout.size(BlockKind::kInput)), std::vector<float>(layout.size(BlockKind::kOutput))};
  const features::Sample sample{0, frame, 0};
  EXPECT_TRUE((features::GatherJob{
      .layout = &layout, .clips = {&rows, 1}, .samples = {&sample, 1}, .input = out.x, .output = out.y}
                   .run()));
  return out;
}

// In the data an output is the input of the next frame, or of the frame that is `lag` further.
TEST(Feed, OutputsAreLaterInputs) {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(1, "", "", 360);
  for (const char* name : {"mann", "lmp", "pfnn"}) {
    SCOPED_TRACE(name);
    const features::Schema schema = schema_of(*find_type(name).value()).value();
    const auto layout = features::Layout::compile(schema, *walkers.skeleton, walkers.analysis).value();
    const std::vector<float> values = features::build_frame_rows(layout, {.motion = &walkers.clips[0]}).value();
    const features::ClipRows rows{values.data(), features::num_rows(layout, walkers.clips[0])};
    const Feed feed = feed_columns(layout);
    EXPECT_EQ(feed.phase_delta >= 0, std::string(name) == "pfnn");
    ASSERT_EQ(feed.columns.size() % 4, 0U);
    std::vector<int> fed(layout.size(BlockKind::kInput));
    const int now = 60;
    const Sampled present = sampled(layout, rows, now);
    int lagged = 0;
    for (std::size_t i = 0; i < feed.columns.size(); i += 4) {
      const int lag = feed.columns[i + 3];
      lagged += lag > 0 ? 1 : 0;
      const Sampled before = sampled(layout, rows, now - 1 - lag);
      for (int c = 0; c < feed.columns[i + 2]; ++c) {
        ++fed[idx(feed.columns[i] + c)];
        EXPECT_NEAR(present.x[idx(feed.columns[i] + c)], before.y[idx(feed.columns[i + 1] + c)], 1e-4F) << lag;
      }
    }
    EXPECT_EQ(lagged, std::string(name) == "lmp" ? 3 : 0);
    // All but the root's path: six numbers at eight times, and for mann the speeds of five.
    const auto alone = std::count(fed.begin(), fed.end(), 0);
    EXPECT_EQ(alone, 6 * 8 + (std::string(name) == "mann" ? 5 : 0));
    EXPECT_EQ(*std::max_element(fed.begin(), fed.end()), 1);
  }
}

}  // namespace
}  // namespace zoe::author
