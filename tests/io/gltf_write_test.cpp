// SPDX-License-Identifier: MIT
// What the writer makes of characters that glTF has no direct words for.
#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"

#include "io/gltf_compare.h"
#include "io/gltf_samples.h"
#include "support/data.h"

namespace zoe::io {
namespace {

Asset read_back(const Asset& asset, const GltfWriteOptions& options = {}) {
  const auto bytes = encode_gltf(*asset.character, asset.clips, options);
  EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().format());
  auto again = read_gltf(*bytes);
  EXPECT_TRUE(again) << (again ? "" : again.error().format());
  return std::move(again).value();
}

TEST(GltfWrite, BareSkeletonComesBackUnpolluted) {
  for (const int roots : {1, 3}) {
    const Asset asset = test::make_bare_skeleton(roots);
    const Asset again = read_back(asset);
    test::expect_same(asset, again, 1e-6);
    EXPECT_TRUE(again.character->meshes.empty());
    EXPECT_TRUE(again.character->skins.empty());
    EXPECT_EQ(again.character->skeleton->topology_hash(), asset.character->skeleton->topology_hash());
    EXPECT_TRUE(again.clips[0].scales.empty());
  }
}

TEST(GltfWrite, EveryInstanceDeformsAsBefore) {
  const Asset asset = test::make_everything();
  const Asset again = read_back(asset);
  ASSERT_EQ(again.clips.size(), 2U);
  for (const int frame : {0, 11, 29}) test::expect_same_instances(asset, again, 0, frame, 1e-5);
}

// FBX brings what glTF files never do: geometric transforms, skins that follow their node, split
// points.
TEST(GltfWrite, FbxCharactersDeformAsBefore) {
  ZOE_NEED_DATA(data);
  int compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data / "conformance" / "fbx")) {
    if (entry.path().extension() != ".fbx") continue;
    const auto asset = read_fbx(entry.path());
    if (!asset || asset->character->skeleton->num_joints() == 0) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Asset again = read_back(*asset);
    test::expect_same_instances(*asset, again, -1, 0, 1e-5);
    for (std::size_t c = 0; c < std::min<std::size_t>(asset->clips.size(), 2); ++c) {
      const Motion& clip = asset->clips[c];
      ASSERT_EQ(again.clips.at(c).num_frames, clip.num_frames);
      for (const int f : {0, clip.num_frames / 2}) {
        test::expect_same_instances(*asset, again, static_cast<int>(c), f, 1e-5);
      }
    }
    ++compared;
  }
  EXPECT_GE(compared, 40);
}

TEST(GltfWrite, StillClipKeepsItsLength) {
  const Asset asset = test::make_everything();
  const Asset again = read_back(asset);
  const Motion& still = again.clips[1];
  EXPECT_EQ(still.name, "still");
  EXPECT_EQ(still.num_frames, 10);
  EXPECT_DOUBLE_EQ(still.fps, 24.0);
  EXPECT_DOUBLE_EQ(still.start_time_s, 1.0);
}

TEST(GltfWrite, MorphTargetsComeBackAsTheyWere) {
  const Asset asset = test::make_everything();
  const Asset again = read_back(asset);
  const auto body = std::find_if(again.character->meshes.begin(), again.character->meshes.end(),
                                 [](const Mesh& m) { return m.name == "body"; });
  ASSERT_NE(body, again.character->meshes.end());
  const Mesh& original = asset.character->meshes[0];
  ASSERT_EQ(body->morph_targets.size(), original.morph_targets.size());
  for (std::size_t t = 0; t < original.morph_targets.size(); ++t) {
    EXPECT_EQ(body->morph_targets[t].name, original.morph_targets[t].name);
    EXPECT_EQ(body->morph_targets[t].vertices, original.morph_targets[t].vertices);
    EXPECT_EQ(body->morph_targets[t].position_deltas, original.morph_targets[t].position_deltas);
    EXPECT_EQ(body->morph_targets[t].normal_deltas, original.morph_targets[t].normal_deltas);
  }
}

TEST(GltfWrite, RefusesForeignClips) {
  const Asset asset = test::make_bare_skeleton(1), other = test::make_bare_skeleton(2);
  const auto bytes = encode_gltf(*asset.character, other.clips);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kUsage);
  EXPECT_NE(bytes.error().message.find("wave"), std::string::npos);
}

TEST(GltfWrite, UnknownImagesAreLeftOutWithAWarning) {
  Asset asset = test::make_everything();
  auto character = std::make_shared<Character>(*asset.character);
  character->images = {{.name = "photo", .mime_type = "image/tga", .bytes = std::vector<std::byte>(20), .path = {}}};
  character->materials[0].base_color_image = 0;
  Warnings warnings;
  const auto bytes = encode_gltf(*character, {}, {}, &warnings);
  ASSERT_TRUE(bytes);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("photo"), std::string::npos);
  EXPECT_EQ(read_gltf(*bytes)->character->materials[0].base_color_image, -1);
}

}  // namespace
}  // namespace zoe::io
