// SPDX-License-Identifier: MIT
// Real files: everything in the shared data loads, what is invalid on purpose is refused.
#include <filesystem>

#include <gtest/gtest.h>

#include "zoe/io/gltf.h"

#include "io/gltf_compare.h"
#include "support/data.h"

namespace zoe::io {
namespace {

namespace fs = std::filesystem;

// Files that assimp's authors broke on purpose (two of them also lack their .bin).
bool is_invalid_on_purpose(const fs::path& path) {
  for (const char* name : {"BoxWithInfinites", "IndexOutOfRange", "RecursiveNodes", "badNumber"}) {
    if (path.stem() == name) return true;
  }
  return false;
}

TEST(GltfData, ConformanceFilesLoadOrAreRefused) {
  ZOE_NEED_DATA(data);
  int loaded = 0, refused = 0;
  for (const fs::path& file : test::gltf_files_below(data / "conformance" / "gltf")) {
    const auto asset = read_gltf(file);
    if (is_invalid_on_purpose(file)) {
      EXPECT_FALSE(asset) << file;
      ++refused;
    } else {
      EXPECT_TRUE(asset) << file << ": " << (asset ? "" : asset.error().format());
      ++loaded;
    }
  }
  EXPECT_EQ(refused, 4);
  EXPECT_GE(loaded, 25);
}

TEST(GltfData, EveryOtherSharedFileLoads) {
  ZOE_NEED_DATA(data);
  constexpr test::FolderCount kFolders[] = {
      {"characters/ai4animationpy", 2},   {"characters/kaykit", 1},
      {"characters/khronos", 3},          {"characters/mesh2motion", 2},
      {"characters/robot_expressive", 1}, {"creatures/mesh2motion", 12},
      {"creatures/quaternius", 11},       {"quadruped/dog_ai4animationpy", 2},
  };
  const auto files = test::gltf_files_below(data);
  EXPECT_EQ(test::missing_files(data, files, kFolders), "");
  for (const fs::path& file : files) {
    if (file.string().starts_with((data / "conformance").string())) continue;
    const auto asset = read_gltf(file);
    EXPECT_TRUE(asset) << (asset ? "" : asset.error().format());
    EXPECT_TRUE(!asset || asset->character->skeleton->num_joints() > 0) << file;
  }
}

TEST(GltfData, RefusalsNameTheElement) {
  ZOE_NEED_DATA(data);
  const fs::path folder = data / "conformance" / "gltf" / "assimp";
  const auto error_of = [&](const char* name) { return read_gltf(folder / name).error().format(); };
  EXPECT_NE(error_of("RecursiveNodes/RecursiveNodes.gltf").find("cycle"), std::string::npos);
  EXPECT_NE(error_of("BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb").find("vertices of accessors[2]"),
            std::string::npos);
  EXPECT_NE(error_of("wrongTypes/badNumber.gltf").find("materials[0].normalTexture"), std::string::npos);
  EXPECT_NE(error_of("IndexOutOfRange/IndexOutOfRange.gltf").find("IndexOutOfRange.bin"), std::string::npos);
}

TEST(GltfData, FrameRatesAreFound) {
  ZOE_NEED_DATA(data);
  const fs::path momentum = data / "conformance" / "gltf" / "momentum";
  const auto slow = read_gltf(momentum / "test_24fps.glb");
  const auto fast = read_gltf(momentum / "test_30fps.glb");
  ASSERT_TRUE(slow && fast);
  EXPECT_DOUBLE_EQ(slow->clips[0].fps, 24.0);
  EXPECT_DOUBLE_EQ(fast->clips[0].fps, 30.0);
  EXPECT_EQ(slow->clips[0].num_frames, fast->clips[0].num_frames);
  EXPECT_NEAR(slow->clips[0].duration_s() / fast->clips[0].duration_s(), 30.0 / 24.0, 1e-6);
  EXPECT_EQ(slow->character->skins[0].joints.size(), 161U);
}

TEST(GltfData, SceneCanBeChosen) {
  ZOE_NEED_DATA(data);
  const fs::path file =
      data / "conformance" / "gltf" / "khronos" / "MultipleScenes" / "glTF-Embedded" / "MultipleScenes.gltf";
  const auto second = read_gltf(file), first = read_gltf(file, {.scene = 0});  // The file's default is 1.
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->character->skeleton->num_joints(), 1);
  EXPECT_EQ(first->character->meshes[0].indices.size(), 3U);
  EXPECT_EQ(second->character->meshes[0].indices.size(), 6U);
  EXPECT_EQ(read_gltf(file, {.scene = 2}).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace zoe::io
