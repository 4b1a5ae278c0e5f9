// SPDX-License-Identifier: MIT
// glTF with meshopt and Draco compression: what the libraries' own encoders wrote, damage, and hostile sizes.
// tests/node compares with other decoders.
#include <cstring>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

#include "io/gltf/data_writer.h"
#include "io/gltf/uri.h"
#include "support/allocation.h"

#ifdef ZOE_WITH_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif
#ifdef ZOE_WITH_DRACO
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#endif

namespace zoe::io {
namespace {

using gltf::Json;

// A grid of 9 × 9 vertices on a wave.
struct Grid {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
};
Grid make_grid(std::uint32_t side = 9) {
  Grid grid;
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      grid.positions.push_back({static_cast<float>(x), std::sin(static_cast<float>(x + y)), static_cast<float>(y)});
    }
  }
  for (std::uint32_t y = 0; y + 1 < side; ++y) {
    for (std::uint32_t x = 0; x + 1 < side; ++x) {
      const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
      for (const std::uint32_t corner : {a, c, b, b, c, d}) grid.indices.push_back(corner);
    }
  }
  return grid;
}

std::string data_uri(std::span<const std::byte> bytes) {
  return "data:application/octet-stream;base64," + gltf::encode_base64(as_text(bytes));
}
Result<Asset> read(const Json& root) {
  const std::string text = root.dump();
  return read_gltf(as_bytes(text));
}

// The same triangles, corner by corner, in any order of triangles.
double largest_corner_error(const Mesh& mesh, const Grid& grid) {
  double largest = mesh.indices.size() == grid.indices.size() ? 0 : 1e9;
  for (std::size_t i = 0; i + 2 < mesh.indices.size() && largest < 1e9; i += 3) {
    double best = 1e9;
    for (std::size_t k = 0; k < grid.indices.size(); k += 3) {
      for (std::size_t turn = 0; turn < 3; ++turn) {
        double error = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          const Vec3 p = mesh.positions[mesh.indices[i + c]], q = grid.positions[grid.indices[k + (c + turn) % 3]];
          error = std::max<double>(error, distance(p, q));
        }
        best = std::min(best, error);
      }
    }
    largest = std::max(largest, best);
  }
  return largest;
}

#ifdef ZOE_WITH_MESHOPTIMIZER
template <typename T>
std::vector<std::byte> to_bytes(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Positions as floats of 12 bytes, indices as triangles.
Json meshopt_file(const Grid& grid) {
  std::vector<unsigned char> vertices(meshopt_encodeVertexBufferBound(grid.positions.size(), sizeof(Vec3)));
  vertices.resize(meshopt_encodeVertexBuffer(vertices.data(), vertices.size(), grid.positions.data(),
                                             grid.positions.size(), sizeof(Vec3)));
  std::vector<unsigned char> indices(meshopt_encodeIndexBufferBound(grid.indices.size(), grid.positions.size()));
  indices.resize(meshopt_encodeIndexBuffer(indices.data(), indices.size(), grid.indices.data(), grid.indices.size()));
  std::vector<unsigned char> all = vertices;
  all.insert(all.end(), indices.begin(), indices.end());
  const std::size_t position_bytes = grid.positions.size() * sizeof(Vec3), index_bytes = grid.indices.size() * 4;
  const auto extension = [](std::size_t offset, std::size_t length, std::size_t stride, std::size_t count,
                            const char* mode) {
    return Json{{"EXT_meshopt_compression",
                 {{"buffer", 0},
                  {"byteOffset", offset},
                  {"byteLength", length},
                  {"byteStride", stride},
                  {"count", count},
                  {"mode", mode}}}};
  };
  return {{"asset", {{"version", "2.0"}}},
          {"extensionsRequired", {"EXT_meshopt_compression"}},
          {"buffers",
           {{{"byteLength", all.size()}, {"uri", data_uri(to_bytes(all))}},
            {{"byteLength", position_bytes + index_bytes}}}},
          {"bufferViews",
           {{{"buffer", 1},
             {"byteLength", position_bytes},
             {"byteStride", 12},
             {"extensions", extension(0, vertices.size(), 12, grid.positions.size(), "ATTRIBUTES")}},
            {{"buffer", 1},
             {"byteOffset", position_bytes},
             {"byteLength", index_bytes},
             {"extensions", extension(vertices.size(), indices.size(), 4, grid.indices.size(), "TRIANGLES")}}}},
          {"accessors",
           {{{"bufferView", 0}, {"componentType", 5126}, {"count", grid.positions.size()}, {"type", "VEC3"}},
            {{"bufferView", 1}, {"componentType", 5125}, {"count", grid.indices.size()}, {"type", "SCALAR"}}}},
          {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
          {"nodes", {{{"mesh", 0}}}}};
}

TEST(GltfCompressed, MeshoptGivesTheSameMesh) {
  const Grid grid = make_grid();
  const auto asset = read(meshopt_file(grid));
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_EQ(asset->character->meshes[0].positions, grid.positions);
  EXPECT_LT(largest_corner_error(asset->character->meshes[0], grid), 1e-9);
}

TEST(GltfCompressed, MeshoptFiltersAreUndone) {
  // Floats as 2^exponent × mantissa, and directions on an octahedron.
  const std::vector<float> directions{0, 0, 1, 0, 1, 0, 0, 0, 0, 0.6F, 0.8F, 0};
  std::vector<std::int16_t> octahedral(12);
  meshopt_encodeFilterOct(octahedral.data(), 3, 8, 16, directions.data());
  std::vector<unsigned char> encoded(meshopt_encodeVertexBufferBound(3, 8));
  encoded.resize(meshopt_encodeVertexBuffer(encoded.data(), encoded.size(), octahedral.data(), 3, 8));
  Json root = meshopt_file(make_grid());
  root["buffers"].push_back({{"byteLength", encoded.size()}, {"uri", data_uri(to_bytes(encoded))}});
  root["buffers"].push_back({{"byteLength", 36}, {"uri", data_uri(std::vector<std::byte>(36))}});
  root["buffers"].push_back({{"byteLength", 24}});
  root["bufferViews"].push_back({{"buffer", 3}, {"byteLength", 36}});
  root["bufferViews"].push_back({{"buffer", 4},
                                 {"byteLength", 24},
                                 {"byteStride", 8},
                                 {"extensions",
                                  {{"EXT_meshopt_compression",
                                    {{"buffer", 2},
                                     {"byteLength", encoded.size()},
                                     {"byteStride", 8},
                                     {"count", 3},
                                     {"mode", "ATTRIBUTES"},
                                     {"filter", "OCTAHEDRAL"}}}}}});
  root["accessors"].push_back({{"bufferView", 2}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}});
  root["accessors"].push_back(
      {{"bufferView", 3}, {"componentType", 5122}, {"normalized", true}, {"count", 3}, {"type", "VEC3"}});
  root["meshes"][0]["primitives"] = {{{"attributes", {{"POSITION", 2}, {"NORMAL", 3}}}}};
  const auto asset = read(root);
  ASSERT_TRUE(asset) << asset.error().format();
  const std::vector<Vec3>& normals = asset->character->meshes[0].normals;
  ASSERT_EQ(normals.size(), 3U);
  EXPECT_LT(distance(normals[0], {0, 0, 1}), 1e-3F);
  EXPECT_LT(distance(normals[1], {1, 0, 0}), 1e-3F);
  EXPECT_LT(distance(normals[2], {0, 0.6F, 0.8F}), 1e-3F);
}

TEST(GltfCompressed, HostileMeshoptIsRefusedBeforeAllocating) {
  const Json good = meshopt_file(make_grid());
  const auto with = [&](const char* field, Json value) {
    Json root = good;
    root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][field] = std::move(value);
    return read(root);
  };
  const test::AllocationMeter meter;
  EXPECT_FALSE(with("count", std::uint64_t{1} << 60));
  EXPECT_FALSE(with("count", 80));
  EXPECT_FALSE(with("byteStride", 0));
  EXPECT_FALSE(with("byteStride", 6));
  EXPECT_FALSE(with("buffer", 7));
  EXPECT_FALSE(with("buffer", 1));  // Has no bytes.
  EXPECT_FALSE(with("byteLength", 1000000));
  EXPECT_FALSE(with("byteOffset", 1000000));
  EXPECT_FALSE(with("mode", "BANANA"));
  EXPECT_FALSE(with("filter", "QUATERNION"));  // Its stride must be 8.
  EXPECT_FALSE(with("byteLength", 3));         // Cut short.
  EXPECT_LT(meter.peak_bytes(), std::size_t{4} << 20);
}
#endif

#ifdef ZOE_WITH_DRACO
Json draco_file(const Grid& grid, bool edgebreaker, int num_extra_attributes = 0) {
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(static_cast<int>(grid.indices.size() / 3));
  const int position = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const std::int16_t zero = 0;
  for (int i = 0; i < num_extra_attributes; ++i) {
    const int extra = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 1, draco::DT_INT16);
    for (std::size_t f = 0; f < grid.indices.size() / 3; ++f) {
      builder.SetAttributeValuesForFace(extra, draco::FaceIndex(static_cast<std::uint32_t>(f)), &zero, &zero, &zero);
    }
  }
  for (std::size_t f = 0; f < grid.indices.size() / 3; ++f) {
    const auto corner = [&](std::size_t c) { return &grid.positions[grid.indices[3 * f + c]].x; };
    builder.SetAttributeValuesForFace(position, draco::FaceIndex(static_cast<std::uint32_t>(f)), corner(0), corner(1),
                                      corner(2));
  }
  const auto mesh = builder.Finalize();
  draco::Encoder encoder;
  encoder.SetEncodingMethod(edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING : draco::MESH_SEQUENTIAL_ENCODING);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
  draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
  const std::span<const std::byte> bytes = as_bytes(std::string_view(buffer.data(), buffer.size()));
  return {{"asset", {{"version", "2.0"}}},
          {"extensionsRequired", {"KHR_draco_mesh_compression"}},
          {"buffers", {{{"byteLength", bytes.size()}, {"uri", data_uri(bytes)}}}},
          {"bufferViews", {{{"buffer", 0}, {"byteLength", bytes.size()}}}},
          {"accessors",
           {{{"componentType", 5126}, {"count", mesh->num_points()}, {"type", "VEC3"}},
            {{"componentType", 5123}, {"count", grid.indices.size()}, {"type", "SCALAR"}}}},
          {"meshes",
           {{{"primitives",
              {{{"attributes", {{"POSITION", 0}}},
                {"indices", 1},
                {"extensions",
                 {{"KHR_draco_mesh_compression",
                   {{"bufferView", 0}, {"attributes", {{"POSITION", mesh->attribute(0)->unique_id()}}}}}}}}}}}}},
          {"nodes", {{{"mesh", 0}}}}};
}

TEST(GltfCompressed, DracoGivesTheMeshWithinQuantisation) {
  const Grid grid = make_grid();
  for (const bool edgebreaker : {true, false}) {
    SCOPED_TRACE(edgebreaker);
    const auto asset = read(draco_file(grid, edgebreaker));
    ASSERT_TRUE(asset) << asset.error().format();
    // 14 bits over 8 units.
    EXPECT_LT(largest_corner_error(asset->character->meshes[0], grid), 8.0 / (1 << 14) * 2);
  }
}

TEST(GltfCompressed, DamagedDracoIsRefused) {
  for (const bool edgebreaker : {true, false}) {
    const Json good = draco_file(make_grid(), edgebreaker);
    const std::string uri = good["buffers"][0]["uri"];
    const auto data = gltf::parse_data_uri(uri);
    const std::vector<std::byte> bytes = *gltf::decode_base64(data->payload);
    const test::AllocationMeter meter;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const unsigned bit : {1U, 16U, 128U}) {
        std::vector<std::byte> damaged = bytes;
        damaged[i] ^= static_cast<std::byte>(bit);
        Json root = good;
        root["buffers"][0]["uri"] = data_uri(damaged);
        (void)read(root);  // May be read: the damage may hit a coordinate. Must not crash, hang or take much memory.
      }
    }
    EXPECT_LT(meter.peak_bytes(), std::size_t{16} << 20);
    Json root = good;
    root["accessors"][0]["count"] = 80;
    const auto fewer = read(root);
    ASSERT_FALSE(fewer);
    EXPECT_NE(fewer.error().message.find("meshes[0]"), std::string::npos) << fewer.error().format();
    EXPECT_NE(fewer.error().message.find("accessors"), std::string::npos) << fewer.error().format();
  }
}

// Attributes that no accessor names are decoded too: their number and width are bounded.
TEST(GltfCompressed, HostileDracoAttributesAreRefusedBeforeAllocating) {
  for (const bool edgebreaker : {true, false}) {
    SCOPED_TRACE(edgebreaker);
    const Json good = draco_file(make_grid(160), edgebreaker, 24);
    ASSERT_TRUE(read(good));
    const std::string uri = good["buffers"][0]["uri"];
    std::vector<std::byte> bytes = *gltf::decode_base64(gltf::parse_data_uri(uri)->payload);
    // Type, data type, number of components, normalised. 255 components of 8 bytes, for 25,600 vertices: 78 MB each.
    const std::byte head[] = {std::byte{draco::GeometryAttribute::GENERIC}, std::byte{draco::DT_INT16}, std::byte{1},
                              std::byte{0}};
    int num_patched = 0;
    for (auto at = bytes.begin();; ++at) {
      at = std::search(at, bytes.end(), std::begin(head), std::end(head));
      if (at == bytes.end()) break;
      at[1] = std::byte{draco::DT_INT64};
      at[2] = std::byte{255};
      ++num_patched;
    }
    ASSERT_EQ(num_patched, 24);
    Json root = good;
    root["buffers"][0]["uri"] = data_uri(bytes);
    const test::AllocationMeter meter;
    const auto asset = read(root);
    ASSERT_FALSE(asset);
    EXPECT_NE(asset.error().message.find("attributes are larger"), std::string::npos) << asset.error().format();
    EXPECT_LT(meter.peak_bytes(), std::size_t{32} << 20);
  }
}
#endif

#if defined(ZOE_WITH_DRACO) && defined(ZOE_WITH_MESHOPTIMIZER)
// The fuzzer's seeds are whole characters: they must be read.
TEST(GltfCompressed, FuzzSeedsAreRead) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "ZOE_SOURCE_DIR is not set";
  const auto folder = std::filesystem::path(source) / "tests/fuzz/seeds/fuzz_gltf";
  for (const char* name : {"draco.glb", "draco_sequential.glb", "gltfpack.glb", "meshopt.glb"}) {
    SCOPED_TRACE(name);
    const auto asset = read_gltf(folder / name);
    ASSERT_TRUE(asset) << asset.error().format();
    EXPECT_GT(asset->character->skeleton->num_joints(), 2);
    EXPECT_FALSE(asset->clips.empty());
  }
}
#endif

// With or without the libraries: a clear reason or the mesh.
TEST(GltfCompressed, WithoutDataTheReasonNamesTheView) {
  const Json root{
      {"asset", {{"version", "2.0"}}},
      {"extensionsRequired", {"EXT_meshopt_compression"}},
      {"buffers", {{{"byteLength", 4}, {"uri", "data:;base64,AAAAAA=="}}, {{"byteLength", 36}}}},
      {"bufferViews",
       {{{"buffer", 1},
         {"byteLength", 36},
         {"extensions",
          {{"EXT_meshopt_compression",
            {{"buffer", 0}, {"byteLength", 4}, {"byteStride", 12}, {"count", 3}, {"mode", "ATTRIBUTES"}}}}}}}}};
  const auto asset = read(root);
  ASSERT_FALSE(asset);
  EXPECT_NE(asset.error().message.find("bufferViews[0]"), std::string::npos) << asset.error().format();
  EXPECT_NE(asset.error().message.find("meshopt"), std::string::npos);
  EXPECT_NE(asset.error().message.find("export again without compression"), std::string::npos);
}

}  // namespace
}  // namespace zoe::io
