// SPDX-License-Identifier: MIT
// Files that other viewers tolerate: weights and keys that are no finite numbers, texture transforms.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

#include "io/gltf/data_writer.h"
#include "io/gltf/repair.h"
#include "io/gltf/uri.h"
#include "support/data.h"

namespace zoe::io {
namespace {

using gltf::ComponentType;
using gltf::DataWriter;
using gltf::Json;
using gltf::ViewTarget;

const float kNan = std::nanf("");
const float kInf = INFINITY;

struct File {
  DataWriter data;
  Json root{{"asset", {{"version", "2.0"}}}};

  int floats(const std::vector<float>& values, const char* type) {
    data.begin_view(ViewTarget::kNone);
    return data.append_floats(values, type);
  }
  Result<Asset> read() const {
    Json all = root;
    all["accessors"] = data.accessors();
    all["bufferViews"] = data.views();
    all["buffers"] = {{{"byteLength", data.bytes().size()},
                       {"uri", "data:application/octet-stream;base64," + gltf::encode_base64(as_text(data.bytes()))}}};
    // min and max of the accessors may be NaN, which JSON writes as null; the reader does not need them.
    for (Json& accessor : all["accessors"]) {
      accessor.erase("min");
      accessor.erase("max");
    }
    const std::string text = all.dump();
    return read_gltf(as_bytes(text));
  }
};

bool has_warning(const Asset& asset, std::string_view part) {
  for (const Warning& warning : asset.warnings) {
    if (warning.message.find(part) != std::string::npos) return true;
  }
  return false;
}

// A row of vertices along x; vertices left of 2 belong to joint 1, the others to joint 2 of a skin with three joints.
Result<Asset> skinned_row(std::size_t num_vertices, const std::vector<std::pair<std::size_t, float>>& broken) {
  File file;
  std::vector<float> positions, weights;
  std::vector<std::uint32_t> joints;
  for (std::size_t v = 0; v < num_vertices; ++v) {
    positions.insert(positions.end(), {static_cast<float>(v) * 0.1F, static_cast<float>(v % 2), 0});
    joints.insert(joints.end(), {positions[3 * v] < 2 ? 1U : 2U, 0, 0, 0});
    weights.insert(weights.end(), {1, 0, 0, 0});
  }
  for (const auto& [vertex, value] : broken)
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(4 * vertex), 4, value);
  const int position = file.floats(positions, "VEC3"), weight = file.floats(weights, "VEC4");
  file.data.begin_view(ViewTarget::kNone);
  const int joint = file.data.append_integers(joints, ComponentType::kU8, "VEC4", false);
  file.root["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", position}, {"JOINTS_0", joint}, {"WEIGHTS_0", weight}}}}}}}};
  file.root["skins"] = {{{"joints", {1, 2, 3}}}};
  file.root["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"name", "a"}}, {{"name", "b"}}, {{"name", "c"}}};
  return file.read();
}

TEST(GltfRepair, WeightsOfAFewVerticesComeFromTheirNeighbours) {
  const auto asset = skinned_row(60, {{3, kNan}, {40, kInf}, {41, 0.0F}});
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(has_warning(*asset, "NaN skin weights in 2 vertices of 60"));
  EXPECT_TRUE(has_warning(*asset, "no skin weight in 3 vertices of 60; bound like the nearest vertex"));
  const Mesh& mesh = asset->character->meshes[0];
  for (const auto& [vertex, joint] : {std::pair<std::size_t, int>{3, 1}, {40, 2}, {41, 2}}) {
    EXPECT_EQ(mesh.influence_joints[4 * vertex], joint) << vertex;
    EXPECT_EQ(mesh.influence_weights[4 * vertex], 1.0F) << vertex;
  }
}

TEST(GltfRepair, ASingleVertexIsRepairedToo) {
  const auto asset = skinned_row(60, {{40, 0.0F}});
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(has_warning(*asset, "no skin weight in 1 vertex of 60; bound like the nearest vertex"));
  EXPECT_EQ(asset->character->meshes[0].influence_weights[4 * 40], 1.0F);
}

// A NaN beside good weights only costs its own slot.
TEST(GltfRepair, OneBadWeightOfAVertexCountsAsZero) {
  File file;
  const int position = file.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  const int weight = file.floats({0.5F, kNan, 0.25F, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  file.data.begin_view(ViewTarget::kNone);
  const int joint = file.data.append_integers(std::vector<std::uint32_t>{0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                              ComponentType::kU8, "VEC4", false);
  file.root["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", position}, {"JOINTS_0", joint}, {"WEIGHTS_0", weight}}}}}}}};
  file.root["skins"] = {{{"joints", {1, 2, 3}}}};
  file.root["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"name", "a"}}, {{"name", "b"}}, {{"name", "c"}}};
  const auto asset = file.read();
  ASSERT_TRUE(asset) << asset.error().format();
  const Mesh& mesh = asset->character->meshes[0];
  EXPECT_NEAR(mesh.influence_weights[0], 2.0F / 3, 1e-6F);
  EXPECT_NEAR(mesh.influence_weights[1], 1.0F / 3, 1e-6F);
  EXPECT_EQ(mesh.influence_joints[1], 2);
}

TEST(GltfRepair, ManyUnboundVerticesFollowTheFirstJoint) {
  std::vector<std::pair<std::size_t, float>> broken;
  for (std::size_t v = 0; v < 30; ++v) broken.emplace_back(v + 20, 0.0F);
  const auto asset = skinned_row(60, broken);
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(has_warning(*asset, "no skin weight in 30 vertices of 60; bound to the skin's first joint"));
  EXPECT_EQ(asset->character->meshes[0].influence_joints[4 * 25], 0);
}

TEST(GltfRepair, SharedBeeLoads) {
  ZOE_NEED_DATA(data);
  const auto asset = read_gltf(data / "assets/creatures/quaternius_platformer/Bee.glb");
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(has_warning(*asset, "NaN skin weights in 12 vertices"));
  EXPECT_TRUE(has_warning(*asset, "bound like the nearest vertex"));
  for (std::size_t i = 0; i < asset->character->instances.size(); ++i) {
    const auto deformed = deform_instance(*asset->character, i, asset->character->skeleton->rest_model());
    for (const Vec3 p : deformed.positions) ASSERT_TRUE(is_finite(p));
  }
}

Result<Asset> animated(const std::vector<float>& times, const std::vector<float>& values, const char* type,
                       const char* path, const char* interpolation = "LINEAR") {
  File file;
  const int input = file.floats(times, "SCALAR"), output = file.floats(values, type);
  file.root["nodes"] = {{{"name", "a"}}};
  file.root["animations"] = {{{"name", "clip"},
                              {"samplers", {{{"input", input}, {"output", output}, {"interpolation", interpolation}}}},
                              {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}}}}};
  return file.read();
}

TEST(GltfRepair, KeysAreInterpolatedBetweenTheirNeighbours) {
  // Keys at 30 fps; the second and third of five are broken, and the last.
  const std::vector<float> times{0, 1 / 30.0F, 2 / 30.0F, 3 / 30.0F, 4 / 30.0F};
  const auto asset =
      animated(times, {0, 0, 0, kNan, 0, 0, 1, kInf, 0, 3, 6, 0, kNan, kNan, kNan}, "VEC3", "translation");
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(has_warning(*asset, "clip 'clip': 3 keys are no finite numbers"));
  const std::vector<Vec3>& t = asset->clips.at(0).translations;
  ASSERT_EQ(t.size(), 5U);
  EXPECT_LT(distance(t[1], {1, 2, 0}), 1e-5F);
  EXPECT_LT(distance(t[2], {2, 4, 0}), 1e-5F);
  EXPECT_LT(distance(t[4], {3, 6, 0}), 1e-5F);
}

TEST(GltfRepair, RotationsOfLengthZeroAreNoRotations) {
  const float s = std::sqrt(0.5F);
  const auto asset = animated({0, 1 / 30.0F, 2 / 30.0F}, {0, 0, s, s, 0, 0, 0, 0, 0, 0, -s, -s}, "VEC4", "rotation");
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(has_warning(*asset, "1 key is no finite number"));
  // Both neighbours are the same turn, with opposite signs.
  EXPECT_LT(angle_between(asset->clips.at(0).rotations[1], Quat{0, 0, s, s}), 1e-4F);
}

TEST(GltfRepair, BadTimesAndTangents) {
  const auto timed = animated({0, kNan, 2 / 30.0F}, {0, 0, 0, 1, 0, 0, 2, 0, 0}, "VEC3", "translation");
  ASSERT_TRUE(timed) << timed.error().format();
  EXPECT_LT(distance(timed->clips.at(0).translations[1], {1, 0, 0}), 1e-5F);
  const auto cubic = animated({0, 1}, {0, 0, 0, 1, 0, 0, kNan, 0, 0, 0, kInf, 0, 3, 0, 0, 0, 0, 0}, "VEC3",
                              "translation", "CUBICSPLINE");
  ASSERT_TRUE(cubic) << cubic.error().format();
  EXPECT_LT(distance(cubic->clips.at(0).translations.front(), {1, 0, 0}), 1e-5F);
  EXPECT_LT(distance(cubic->clips.at(0).translations.back(), {3, 0, 0}), 1e-5F);
  // Nothing to go by: the track keeps the rest pose, and the clip says so. No time at all is refused.
  const auto none = animated({0, 1 / 30.0F}, {kNan, 0, 0, kNan, 0, 0}, "VEC3", "translation");
  ASSERT_TRUE(none) << none.error().format();
  EXPECT_TRUE(has_warning(*none, "1 tracks have no good key"));
  EXPECT_LT(length(none->clips.at(0).translations[0]), 1e-6F);
  EXPECT_FALSE(animated({kNan, kNan}, {0, 0, 0, 1, 0, 0}, "VEC3", "translation"));
}

TEST(GltfRepair, PositionsAreRefusedWithMeshAndVertex) {
  File file;
  const int position = file.floats({0, 0, 0, 1, 0, 0, 0, kNan, 0}, "VEC3");
  file.root["meshes"] = {{{"name", "rock"}, {"primitives", {{{"attributes", {{"POSITION", position}}}}}}}};
  file.root["nodes"] = {{{"mesh", 0}}};
  const auto asset = file.read();
  ASSERT_FALSE(asset);
  EXPECT_NE(asset.error().message.find("'rock'"), std::string::npos) << asset.error().format();
  EXPECT_NE(asset.error().message.find("1 of 3 vertices"), std::string::npos);
  EXPECT_NE(asset.error().message.find("vertex 2"), std::string::npos);
}

// KHR_texture_transform: offset + rotation * scale. gltfpack states the range of quantised uvs so.
TEST(GltfRepair, TextureTransformsMoveTheUvs) {
  File file;
  const int position = file.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  const int uv = file.floats({0, 0, 1, 0, 0.5F, 1}, "VEC2");
  const auto texture = [](double x) {
    return Json{{"index", 0}, {"extensions", {{"KHR_texture_transform", {{"offset", {x, 0.5}}, {"scale", {2, 4}}}}}}};
  };
  file.root["meshes"] = {{{"primitives",
                           {{{"attributes", {{"POSITION", position}, {"TEXCOORD_0", uv}}}, {"material", 0}},
                            {{"attributes", {{"POSITION", position}, {"TEXCOORD_0", uv}}}, {"material", 1}}}}}};
  file.root["nodes"] = {{{"mesh", 0}}};
  file.root["textures"] = {{{"source", 0}}};
  file.root["images"] = {{{"uri", "data:image/png;base64,AAAA"}}};
  const Json still{{"index", 0}, {"extensions", {{"KHR_texture_transform", {{"texCoord", 0}}}}}};
  file.root["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", texture(0.25)}}}},
                            {{"pbrMetallicRoughness", {{"baseColorTexture", still}}}}};
  const auto asset = file.read();
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(asset->warnings.empty()) << asset->warnings[0].message;
  const std::vector<Vec2>& uvs = asset->character->meshes[0].uvs;
  ASSERT_EQ(uvs.size(), 6U);  // The same vertices twice: the materials lay them out differently.
  EXPECT_NEAR(uvs[1].x, 2.25F, 1e-6F);
  EXPECT_NEAR(uvs[1].y, 0.5F, 1e-6F);
  EXPECT_NEAR(uvs[2].x, 1.25F, 1e-6F);
  EXPECT_NEAR(uvs[2].y, 4.5F, 1e-6F);
  EXPECT_NEAR(uvs[4].x, 1, 1e-6F);

  // A second texture that wants another transform cannot be honoured: a warning.
  file.root["materials"][0]["normalTexture"] = texture(0.75);
  const auto mixed = file.read();
  ASSERT_TRUE(mixed);
  EXPECT_TRUE(has_warning(*mixed, "another uv set or transform"));
}

}  // namespace
}  // namespace zoe::io
