// SPDX-License-Identifier: MIT
// What is written and read again: the same joints, the same vertices, the same everything.
#include <gtest/gtest.h>

#include "zoe/io/gltf.h"

#include "io/gltf_compare.h"
#include "support/data.h"

namespace zoe::io {
namespace {

namespace fs = std::filesystem;

Asset round_trip(const Asset& asset, const GltfWriteOptions& options = {}) {
  const auto bytes = encode_gltf(*asset.character, asset.clips, options);
  EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().format());
  auto again = read_gltf(*bytes);
  EXPECT_TRUE(again) << (again ? "" : again.error().format());
  return std::move(again).value();
}

TEST(GltfRoundTrip, SharedFilesKeepJointsAndVertices) {
  ZOE_NEED_DATA(data);
  int compared = 0;
  for (const char* folder : {"conformance/gltf", "characters", "creatures", "quadruped"}) {
    for (const fs::path& file : test::gltf_files_below(data / folder)) {
      const auto asset = read_gltf(file);
      if (!asset) continue;  // Those that gltf_data_test expects to fail.
      SCOPED_TRACE(file.string());
      test::expect_same(*asset, round_trip(*asset), 1e-5);
      ++compared;
    }
  }
  EXPECT_GE(compared, 55);
}

TEST(GltfRoundTrip, OtherContainersAndFormatsHoldTheSame) {
  ZOE_NEED_DATA(data);
  const auto asset = read_gltf(data / "characters" / "khronos" / "Fox.glb");
  ASSERT_TRUE(asset);
  test::expect_same(*asset, round_trip(*asset, {.container = GltfContainer::kEmbedded}), 1e-5);
  test::expect_same(*asset, round_trip(*asset, {.weights = GltfWeights::kUnsigned16}), 1e-4);
  test::expect_same(*asset, round_trip(*asset, {.weights = GltfWeights::kUnsigned8}), 5e-3);
  const fs::path folder = test::temporary_dir("gltf");
  ASSERT_TRUE(write_gltf(folder / "a fox.gltf", *asset));
  EXPECT_TRUE(fs::exists(folder / "a fox.bin"));
  const auto separate = read_gltf(folder / "a fox.gltf");
  ASSERT_TRUE(separate) << separate.error().format();
  test::expect_same(*asset, *separate, 1e-5);
}

TEST(GltfRoundTrip, ReducedKeysStayWithinTolerance) {
  ZOE_NEED_DATA(data);
  const auto asset = read_gltf(data / "characters" / "khronos" / "CesiumMan.glb");
  ASSERT_TRUE(asset);
  const auto full = encode_gltf(*asset->character, asset->clips),
             reduced = encode_gltf(*asset->character, asset->clips, {.reduce_keys = true});
  ASSERT_TRUE(full && reduced);
  EXPECT_LT(reduced->size(), full->size());
  test::expect_same(*asset, read_gltf(*reduced).value(), 1e-4);
}

}  // namespace
}  // namespace zoe::io
