// SPDX-License-Identifier: MIT
// Small files made up here: each holds one feature of the format, with the answer known from the
// specification.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

#include "io/gltf/data_writer.h"
#include "io/gltf/uri.h"

namespace zoe::io {
namespace {

using gltf::ComponentType;
using gltf::DataWriter;
using gltf::Json;
using gltf::ViewTarget;

// A document around some data; the caller fills nodes, meshes and the like.
struct File {
  DataWriter data;
  Json root{{"asset", {{"version", "2.0"}}}};

  int floats(std::vector<float> values, const char* type) {
    data.begin_view(ViewTarget::kNone);
    return data.append_floats(values, type);
  }
  int integers(std::vector<std::uint32_t> values, ComponentType stored, const char* type, bool normalized = false) {
    data.begin_view(ViewTarget::kNone);
    return data.append_integers(values, stored, type, normalized);
  }
  Result<Asset> read(const GltfReadOptions& options = {}) const {
    Json all = root;
    if (!data.bytes().empty()) {
      all["accessors"] = data.accessors();
      all["bufferViews"] = data.views();
      all["buffers"] = {
          {{"byteLength", data.bytes().size()},
           {"uri", "data:application/octet-stream;base64," + gltf::encode_base64(as_text(data.bytes()))}}};
    }
    const std::string text = all.dump();
    return read_gltf(as_bytes(text), options);
  }
  // One node with a mesh of one primitive.
  void set_primitive(Json primitive) {
    root["meshes"] = {{{"primitives", {std::move(primitive)}}}};
    root["nodes"] = {{{"mesh", 0}}};
  }
};

const std::vector<float> kFivePoints{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};

std::vector<std::uint32_t> triangles_of_mode(int mode, bool indexed) {
  File file;
  Json primitive{{"attributes", {{"POSITION", file.floats(kFivePoints, "VEC3")}}}, {"mode", mode}};
  if (indexed) primitive["indices"] = file.integers({0, 1, 2, 3, 4}, ComponentType::kU8, "SCALAR");
  file.set_primitive(primitive);
  const auto asset = file.read();
  EXPECT_TRUE(asset) << (asset ? "" : asset.error().format());
  return asset->character->meshes[0].indices;
}

TEST(GltfRead, StripsAndFansBecomeTriangles) {
  for (const bool indexed : {false, true}) {
    EXPECT_EQ(triangles_of_mode(5, indexed), (std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2, 2, 3, 4}));
    EXPECT_EQ(triangles_of_mode(6, indexed), (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 3, 4}));
    EXPECT_EQ(triangles_of_mode(4, indexed), (std::vector<std::uint32_t>{0, 1, 2}));  // Two corners are left over.
  }
}

TEST(GltfRead, LinesAndPointsAreSkippedWithAWarning) {
  File file;
  file.set_primitive({{"attributes", {{"POSITION", file.floats(kFivePoints, "VEC3")}}}, {"mode", 1}});
  const auto asset = file.read();
  ASSERT_TRUE(asset);
  EXPECT_TRUE(asset->character->meshes[0].indices.empty());
  ASSERT_EQ(asset->warnings.size(), 1U);
}

TEST(GltfRead, IndexPastTheVerticesIsRefused) {
  File file;
  file.set_primitive({{"attributes", {{"POSITION", file.floats(kFivePoints, "VEC3")}}},
                      {"indices", file.integers({0, 1, 5}, ComponentType::kU16, "SCALAR")}});
  EXPECT_NE(file.read().error().format().find("vertex index 5 of 5"), std::string::npos);
}

TEST(GltfRead, QuantisedPositionsAreDecoded) {
  File file;
  // i16 normalised: -32768 clamps to -1.
  file.set_primitive({{"attributes",
                       {{"POSITION", file.integers({32767, 0, 0x8000, 0, 16384, 0, 0, 0, 0x8001}, ComponentType::kI16,
                                                   "VEC3", true)}}}});
  // u8 as plain numbers.
  file.root["meshes"][0]["primitives"].push_back(
      {{"attributes", {{"POSITION", file.integers({255, 0, 1, 2, 3, 4, 5, 6, 7}, ComponentType::kU8, "VEC3")}}}});
  file.root["extensionsRequired"] = {"KHR_mesh_quantization"};
  const auto asset = file.read();
  ASSERT_TRUE(asset) << asset.error().format();
  const std::vector<Vec3>& p = asset->character->meshes[0].positions;
  ASSERT_EQ(p.size(), 6U);
  EXPECT_EQ(p[0], (Vec3{1, 0, -1}));
  EXPECT_FLOAT_EQ(p[1].y, 16384.0F / 32767.0F);
  EXPECT_EQ(p[2].z, -1.0F);
  EXPECT_EQ(p[3], (Vec3{255, 0, 1}));
  EXPECT_EQ(asset->character->meshes[0].submeshes.size(), 2U);
}

TEST(GltfRead, EightInfluencesAreSortedAndNormalised) {
  File file;
  std::vector<float> three(kFivePoints.begin(), kFivePoints.begin() + 9);
  std::vector<std::uint32_t> first, second;
  std::vector<float> light, heavy;
  for (int v = 0; v < 3; ++v) {
    first.insert(first.end(), {0, 1, 2, 3});
    second.insert(second.end(), {4, 5, 6, 77});  // 77 is rubbish behind a weight of zero.
    light.insert(light.end(), {0.1F, 0.2F, 0.3F, 0.4F});
    heavy.insert(heavy.end(), {0.5F, 0.25F, 0.25F, 0});
  }
  file.set_primitive({{"attributes",
                       {{"POSITION", file.floats(three, "VEC3")},
                        {"JOINTS_0", file.integers(first, ComponentType::kU8, "VEC4")},
                        {"WEIGHTS_0", file.floats(light, "VEC4")},
                        {"JOINTS_1", file.integers(second, ComponentType::kU16, "VEC4")},
                        {"WEIGHTS_1", file.floats(heavy, "VEC4")}}}});
  file.root["nodes"][0]["skin"] = 0;
  for (int i = 0; i < 7; ++i) file.root["nodes"].push_back(Json::object());
  file.root["skins"] = {{{"joints", {1, 2, 3, 4, 5, 6, 7}}}};
  const auto asset = file.read();
  ASSERT_TRUE(asset) << asset.error().format();
  const Mesh& mesh = asset->character->meshes[0];
  ASSERT_EQ(mesh.influences_per_vertex, 8);
  EXPECT_EQ(mesh.influence_joints[0], 4);
  EXPECT_FLOAT_EQ(mesh.influence_weights[0], 0.25F);  // 0.5 of a sum of 2.
  float sum = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    sum += mesh.influence_weights[k];
    EXPECT_LE(mesh.influence_weights[k], mesh.influence_weights[k > 0 ? k - 1 : 0]);
  }
  EXPECT_NEAR(sum, 1.0F, 1e-6F);
  EXPECT_EQ(asset->character->skeleton->kind(0), JointKind::kNode);
  EXPECT_EQ(asset->character->skeleton->kind(1), JointKind::kBone);
}

// A file with one moving node; `path` of four numbers is a rotation.
File animated(const char* path, const char* interpolation, std::vector<float> times, std::vector<float> values,
              const char* type) {
  File file;
  const int input = file.floats(std::move(times), "SCALAR"), output = file.floats(std::move(values), type);
  file.root["nodes"] = {{{"name", "a"}}};
  file.root["animations"] = {{{"samplers", {{{"input", input}, {"output", output}, {"interpolation", interpolation}}}},
                              {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}}}}};
  return file;
}

TEST(GltfRead, StepHoldsLinearMovesAndClampsOutside) {
  const auto step = animated("translation", "STEP", {1, 2}, {0, 0, 0, 4, 0, 0}, "VEC3").read({.fps = 4});
  ASSERT_TRUE(step);
  EXPECT_DOUBLE_EQ(step->clips[0].start_time_s, 1.0);
  EXPECT_EQ(step->clips[0].name, "clip_0");
  EXPECT_EQ(step->clips[0].translations[3].x, 0.0F);
  EXPECT_EQ(step->clips[0].translations[4].x, 4.0F);
  EXPECT_EQ(step->character->skeleton->kind(0), JointKind::kBone);  // No skin, but it moves.
  const auto linear = animated("translation", "LINEAR", {1, 2}, {0, 0, 0, 4, 0, 0}, "VEC3").read({.fps = 4});
  ASSERT_TRUE(linear);
  EXPECT_FLOAT_EQ(linear->clips[0].translations[3].x, 3.0F);
}

TEST(GltfRead, RotationsTakeTheShortWayAtConstantSpeed) {
  const float s = std::sin(0.6F), c = std::cos(0.6F);
  // The second key is written with the opposite sign.
  const auto asset = animated("rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, -s, 0, 0, -c}, "VEC4").read({.fps = 4});
  ASSERT_TRUE(asset);
  for (int f = 0; f <= 4; ++f) {
    const Quat expected = from_axis_angle(Vec3{1, 0, 0}, 1.2F * static_cast<float>(f) / 4);
    const Quat actual = asset->clips[0].rotations[static_cast<std::size_t>(f)];
    EXPECT_LT(angle_between(actual, expected), 1e-5F) << f;
    EXPECT_GT(dot(actual, expected), 0.0F) << f;  // Signs do not jump along the track.
  }
}

TEST(GltfRead, CubicSplineFollowsTheHermiteFormula) {
  // One key each: in-tangent, value, out-tangent. Steps of two seconds, so that tangents must be
  // scaled.
  const auto asset =
      animated("translation", "CUBICSPLINE", {0, 2}, {9, 9, 9, 1, 0, 0, 3, 0, 0, -1, 0, 0, 5, 0, 0, 9, 9, 9}, "VEC3")
          .read({.fps = 8});
  ASSERT_TRUE(asset) << asset.error().format();
  for (int f = 0; f <= 16; ++f) {
    const double t = f / 16.0, t2 = t * t, t3 = t2 * t;
    const double x =
        (2 * t3 - 3 * t2 + 1) * 1 + 2 * (t3 - 2 * t2 + t) * 3 + (-2 * t3 + 3 * t2) * 5 + 2 * (t3 - t2) * -1;
    EXPECT_NEAR(asset->clips[0].translations[static_cast<std::size_t>(f)].x, x, 1e-5) << f;
  }
}

TEST(GltfRead, ValueCountsMustFitTheKeys) {
  EXPECT_NE(animated("translation", "LINEAR", {0, 1, 2}, {0, 0, 0, 4, 0, 0}, "VEC3")
                .read()
                .error()
                .format()
                .find("3 keys but 2 values"),
            std::string::npos);
  EXPECT_NE(
      animated("translation", "LINEAR", {1, 0}, {0, 0, 0, 4, 0, 0}, "VEC3").read().error().format().find("go back"),
      std::string::npos);
}

TEST(GltfRead, NodeMatricesAreDecomposedAndShearIsReported) {
  File file;
  const Affine m = to_affine(Transform{{1, 2, 3}, from_axis_angle(Vec3{0, 0, 1}, 0.5F), {2, 1, -1}});
  const auto matrix = [](const Affine& a) {
    return Json{a.x.x, a.x.y, a.x.z, 0, a.y.x, a.y.y, a.y.z, 0, a.z.x, a.z.y, a.z.z, 0, a.t.x, a.t.y, a.t.z, 1};
  };
  file.root["nodes"] = {{{"matrix", matrix(m)}}};
  const auto clean = file.read();
  ASSERT_TRUE(clean);
  EXPECT_TRUE(clean->warnings.empty());
  const Affine again = clean->character->skeleton->rest_model()[0];
  for (const auto& [a, b] : {std::pair{again.x, m.x}, {again.y, m.y}, {again.z, m.z}, {again.t, m.t}})
    EXPECT_LT(distance(a, b), 1e-6F);
  Affine sheared = m;
  sheared.y = sheared.y + sheared.x;
  file.root["nodes"] = {{{"name", "bent"}, {"matrix", matrix(sheared)}}};
  const auto bent = file.read();
  ASSERT_TRUE(bent);
  ASSERT_EQ(bent->warnings.size(), 1U);
  EXPECT_EQ(bent->warnings[0].where.joint, "bent");
}

TEST(GltfRead, ChildrenFirstFilesAreReordered) {
  File file;
  file.root["nodes"] = {{{"name", "tip"}},
                        {{"name", "mid"}, {"children", {0}}},
                        {{"name", "root"}, {"children", {1, 3}}},
                        {{"name", "other"}}};
  file.root["scenes"] = {{{"nodes", {2}}}};
  const auto asset = file.read();
  ASSERT_TRUE(asset);
  const Skeleton& skeleton = *asset->character->skeleton;
  ASSERT_EQ(skeleton.num_joints(), 4);
  EXPECT_EQ(skeleton.name(0), "root");
  EXPECT_EQ(skeleton.name(1), "mid");
  EXPECT_EQ(skeleton.name(2), "tip");
  EXPECT_EQ(skeleton.parent(2), 1);
  EXPECT_EQ(skeleton.parent(3), 0);
}

TEST(GltfRead, TheTypeOfAnImageIsThatOfItsAddress) {
  File file;
  file.set_primitive({{"attributes", {{"POSITION", file.floats(kFivePoints, "VEC3")}}}, {"material", 0}});
  file.root["images"] = {{{"uri", "data:image/webp;base64,UklGRg=="}}};
  file.root["textures"] = {{{"source", 0}}};
  file.root["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
  const auto asset = file.read();
  ASSERT_TRUE(asset) << asset.error().format();
  ASSERT_EQ(asset->character->images.size(), 1U);
  EXPECT_EQ(asset->character->images[0].mime_type, "image/webp");
  EXPECT_EQ(asset->character->images[0].bytes.size(), 4U);
}

}  // namespace
}  // namespace zoe::io
