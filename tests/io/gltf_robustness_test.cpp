// SPDX-License-Identifier: MIT
// Damaged and hostile glTF: refused or read, never a crash, a hang, or memory out of proportion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

#include "io/gltf_samples.h"
#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::io {
namespace {

// Strict: 16 bytes for each byte of input, as mutate() checks it, without the allowance for small
// files.
void read_strictly(std::span<const std::byte> bytes) {
  GltfReadOptions options;
  options.expansion_allowance = 0;
  (void)read_gltf(bytes, options);
}

Result<Asset> read_text(const std::string& json) { return read_gltf(as_bytes(json)); }

// The smallest file with a mesh; `accessor` is the JSON of the only accessor, 48 bytes of zeros are
// behind it.
std::string with_accessor(const std::string& accessor, const std::string& more = {}) {
  return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":48,"uri":"data:;base64,)" + std::string(64, 'A') +
         R"("}],"bufferViews":[{"buffer":0,"byteLength":48}],"accessors":[)" + accessor +
         R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}])" + more + "}";
}

TEST(GltfRobustness, DamagedGlbIsSurvived) {
  for (const Asset& asset : {test::make_everything(), test::make_bare_skeleton(2)}) {
    const auto bytes = encode_gltf(*asset.character, asset.clips);
    ASSERT_TRUE(bytes);
    test::expect_survives_damage(asset.character->name + ".glb", *bytes, read_strictly);
  }
}

TEST(GltfRobustness, DamagedEmbeddedGltfIsSurvived) {
  const Asset asset = test::make_bare_skeleton(1);
  const auto bytes = encode_gltf(*asset.character, asset.clips, {.container = GltfContainer::kEmbedded});
  ASSERT_TRUE(bytes);
  test::expect_survives_damage("bare.gltf", *bytes, read_strictly);
}

TEST(GltfRobustness, DamagedRealFilesAreSurvived) {
  ZOE_NEED_DATA(data);
  for (const char* name :
       {"InterpolationTest/glTF-Binary/InterpolationTest.glb", "AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
        "SimpleSparseAccessor/glTF-Embedded/SimpleSparseAccessor.gltf", "RiggedSimple/glTF-Binary/RiggedSimple.glb"}) {
    const auto file = MappedFile::open(data / "conformance" / "gltf" / "khronos" / name);
    ASSERT_TRUE(file);
    test::expect_survives_damage(name, file->bytes(), read_strictly);
  }
}

TEST(GltfRobustness, HostileCountsAreRefusedBeforeAllocating) {
  const test::AllocationMeter meter;
  // 2^60 elements in 48 bytes; behind no bytes at all; replaced sparsely.
  EXPECT_EQ(
      read_text(with_accessor(R"({"bufferView":0,"componentType":5126,"count":1152921504606846976,"type":"VEC3"})"))
          .error()
          .code,
      ErrorCode::kInvalid);
  EXPECT_EQ(
      read_text(with_accessor(R"({"componentType":5126,"count":1152921504606846976,"type":"VEC3"})")).error().code,
      ErrorCode::kLimit);
  EXPECT_EQ(
      read_text(
          with_accessor(
              R"({"componentType":5126,"count":4000000000,"type":"VEC3",)"
              R"("sparse":{"count":1,"indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}})"))
          .error()
          .code,
      ErrorCode::kLimit);
  EXPECT_FALSE(read_text(with_accessor(
      R"({"bufferView":0,"byteOffset":18446744073709551600,"componentType":5126,"count":2,"type":"VEC3"})")));
  EXPECT_FALSE(
      read_text(with_accessor(R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)"
                              R"("sparse":{"count":1152921504606846976,)"
                              R"("indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}})")));
  EXPECT_LT(meter.peak_bytes(), std::size_t{1} << 20);
}

// The last element may be replaced, the one behind it not: it would be written out of bounds.
TEST(GltfRobustness, SparseIndicesEndAtTheLastElement) {
  const auto replacing = [](const char* index_base64) {
    std::string json =
        with_accessor(R"({"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,)"
                      R"("indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0,"byteOffset":4}}})");
    // The index in four bytes, then 1.0 as the x of the value.
    json.replace(json.find("base64,") + 7, 12, std::string(index_base64) + "AAAAgD8A");
    return read_text(json);
  };
  const auto last = replacing("AgAA");
  ASSERT_TRUE(last) << last.error().format();
  const std::vector<Vec3>& positions = last->character->meshes.at(0).positions;
  ASSERT_EQ(positions.size(), 3U);
  EXPECT_EQ(positions[2], (Vec3{1, 0, 0}));
  EXPECT_EQ(positions[1], Vec3{});
  const auto behind = replacing("AwAA");
  ASSERT_FALSE(behind);
  EXPECT_NE(behind.error().message.find("replaces element 3 of 3"), std::string::npos) << behind.error().format();
}

TEST(GltfRobustness, TwoKeysFarApartAreNoMemoryBomb) {
  // Keys at 0 and 3e38 seconds.
  const std::string json =
      R"({"asset":{"version":"2.0"},
    "buffers":[{"byteLength":32,"uri":"data:;base64,AAAAAAAAf38AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}],
    "bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},
      {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
    "nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1}],
      "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]})";
  const test::AllocationMeter meter;
  const auto asset = read_text(json);
  ASSERT_FALSE(asset);
  EXPECT_TRUE(asset.error().code == ErrorCode::kLimit || asset.error().code == ErrorCode::kInvalid)
      << asset.error().format();
  EXPECT_LT(meter.peak_bytes(), std::size_t{1} << 20);
}

TEST(GltfRobustness, AMillionNodesAreRefused) {
  std::string json = R"({"asset":{"version":"2.0"},"nodes":[{})";
  for (int i = 1; i < 1'000'000; ++i) json += ",{}";
  json += "]}";
  EXPECT_EQ(read_text(json).error().code, ErrorCode::kLimit);
}

TEST(GltfRobustness, DeepHierarchiesAndDeepJsonNeedNoStack) {
  std::string chain = R"({"asset":{"version":"2.0"},"nodes":[)";
  for (int i = 0; i < 60000; ++i) chain += fmt::format(R"({}{{"children":[{}]}})", i > 0 ? "," : "", i + 1);
  EXPECT_TRUE(read_text(chain + ",{}]}"));
  EXPECT_EQ(read_text(R"({"asset":{"version":"2.0"},"extras":)" + std::string(100000, '[')).error().code,
            ErrorCode::kLimit);
}

TEST(GltfRobustness, CyclesAndSecondParentsAreNamed) {
  const auto nodes = [](const char* list) {
    return read_text(std::string(R"({"asset":{"version":"2.0"},"nodes":[)") + list + "]}").error().format();
  };
  EXPECT_NE(nodes(R"({"children":[1]},{"children":[2]},{"children":[0]})").find("cycle"), std::string::npos);
  EXPECT_NE(nodes(R"({"children":[0]})").find("nodes[0] is its own child"), std::string::npos);
  EXPECT_NE(nodes(R"({"children":[2]},{"children":[2]},{})").find("nodes[2] has two parents"), std::string::npos);
  EXPECT_NE(nodes(R"({"children":[5]})").find("child 5"), std::string::npos);
  EXPECT_NE(nodes(R"({"mesh":3})").find("meshes[3]"), std::string::npos);
  EXPECT_NE(nodes(R"({"translation":[1,2]})").find("nodes[0].translation"), std::string::npos);
  EXPECT_NE(nodes(R"({"translation":[1,2,1e300]})").find("nodes[0].translation"), std::string::npos);
}

TEST(GltfRobustness, NamesThatLeaveTheFolderAreNotFollowed) {
  const auto folder = test::temporary_dir("gltf_uri");
  ASSERT_TRUE(write_file_atomic(folder / "secret.bin", std::string(48, 'x')));
  for (const char* uri : {"../secret.bin", "%2e%2e/secret.bin", "a/../../secret.bin", "file:///etc/hostname",
                          "/etc/hostname", "http://x/y.bin"}) {
    const std::string json =
        fmt::format(R"({{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":4,"uri":"{}"}}]}})", uri);
    ASSERT_TRUE(write_file_atomic(folder / "in" / "a.gltf", json));
    const auto asset = read_gltf(folder / "in" / "a.gltf");
    ASSERT_FALSE(asset) << uri;
    EXPECT_EQ(asset.error().code, ErrorCode::kUnsupported) << asset.error().format();
  }
  // From memory no file is opened unless a folder is given.
  EXPECT_EQ(read_text(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"secret.bin"}]})").error().code,
            ErrorCode::kUsage);
}

TEST(GltfRobustness, UnknownExtensionsAreRefusedWithAWord) {
  const auto required = [](const char* name) {
    return read_text(
        fmt::format(R"({{"asset":{{"version":"2.0"}},"extensionsUsed":["{0}"],"extensionsRequired":["{0}"]}})", name));
  };
  ASSERT_FALSE(required("ACME_secret"));
  EXPECT_EQ(required("ACME_secret").error().code, ErrorCode::kUnsupported);
  EXPECT_NE(required("ACME_secret").error().message.find("export again without"), std::string::npos);
  EXPECT_TRUE(required("KHR_draco_mesh_compression"));  // Nothing is compressed: see gltf_compressed_test.cpp.
  EXPECT_TRUE(required("EXT_meshopt_compression"));
  EXPECT_TRUE(required("KHR_mesh_quantization"));
  EXPECT_TRUE(required("KHR_materials_clearcoat"));
}

}  // namespace
}  // namespace zoe::io
