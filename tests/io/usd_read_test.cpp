// SPDX-License-Identifier: MIT
// Reading .usda: what we write, and small files by hand in the manner of Blender, Houdini and Omniverse. Expected
// positions are computed by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/read.h"
#include "zoe/io/usd.h"
#include "zoe/io/write.h"

#include "io/gltf_compare.h"
#include "io/gltf_samples.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::io {
namespace {

namespace fs = std::filesystem;

Result<Asset> read_text(const std::string& text) { return read_usd(as_bytes(std::string_view(text)), "made.usda"); }

Asset usd_round_trip(const Asset& asset) {
  const auto text = encode_usda(*asset.character, asset.clips);
  EXPECT_TRUE(text) << (text ? "" : text.error().format());
  auto again = read_text(text->text);
  EXPECT_TRUE(again) << (again ? "" : again.error().format());
  return std::move(again).value();
}

void expect_same_joints(const Asset& expected, const Asset& actual) {
  const Skeleton &a = *expected.character->skeleton, &b = *actual.character->skeleton;
  ASSERT_EQ(a.num_joints(), b.num_joints());
  for (int j = 0; j < a.num_joints(); ++j) {
    EXPECT_EQ(a.name(j), b.name(j));
    EXPECT_EQ(a.parent(j), b.parent(j));
    EXPECT_EQ(a.kind(j), b.kind(j)) << a.name(j);
  }
  ASSERT_EQ(expected.clips.size(), actual.clips.size());
  for (std::size_t c = 0; c < expected.clips.size(); ++c) {
    const Motion &left = expected.clips[c], &right = actual.clips[c];
    EXPECT_EQ(left.name, right.name);
    EXPECT_NEAR(left.fps, right.fps, 1e-6);
    EXPECT_NEAR(left.start_time_s, right.start_time_s, 1e-4);
    ASSERT_EQ(left.num_frames, right.num_frames) << left.name;
    for (int f = 0; f < left.num_frames; f += std::max(1, left.num_frames / 5)) {
      const auto x = test::model_pose(expected, &left, f), y = test::model_pose(actual, &right, f);
      float extent = 0.01F, worst = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        extent = std::max(extent, distance(x[j].t, x[0].t));
        worst = std::max(worst, distance(x[j].t, y[j].t));
      }
      EXPECT_LE(worst, 1e-4F * extent) << left.name << " frame " << f;
    }
  }
}

TEST(UsdRoundTrip, SkeletonAndClips) {
  Asset asset = test::make_bare_skeleton(3);
  Motion still = make_motion(asset.character->skeleton, "still \"one\"\\", 24, 10, true);
  still.start_time_s = 1;
  asset.clips.push_back(still);
  expect_same_joints(asset, usd_round_trip(asset));
}

// Joint 1 of a skin is bound twice there, which USD cannot hold, and one skin follows its node.
TEST(UsdRoundTrip, MeshesSkinsShapesMaterials) {
  Asset asset = test::make_everything();
  auto character = std::make_shared<Character>(*asset.character);
  character->skins[1].joint_from_mesh[6] = character->skins[1].joint_from_mesh[1];
  character->instances.pop_back();
  asset.character = character;
  asset.clips.pop_back();
  Motion& clip = asset.clips[0];
  std::vector<float> weights;
  for (int f = 0; f < clip.num_frames; ++f) {
    const auto row = clip.frame_morph_weights(f);
    weights.insert(weights.end(), row.begin(), row.begin() + 3);
  }
  clip.num_morph_weights = 3;
  clip.morph_weights = weights;
  const Asset again = usd_round_trip(asset);
  expect_same_joints(asset, again);
  for (const int frame : {0, 10, 29}) test::expect_same_instances(asset, again, 0, frame, 1e-4);
  ASSERT_EQ(again.character->materials.size(), 2U);
  EXPECT_EQ(again.character->materials[0].name, "red");
  EXPECT_EQ(again.character->materials[0].base_color, (Vec4{1, 0, 0, 1}));
  EXPECT_EQ(again.character->materials[1].alpha_mode, Material::AlphaMode::kMask);
  ASSERT_EQ(again.character->meshes[0].morph_targets.size(), 3U);
  EXPECT_EQ(again.character->meshes[0].morph_targets[1].name, "sparse");
  for (std::size_t v = 0; v < asset.character->meshes[0].uvs.size(); ++v) {
    const Vec2 a = asset.character->meshes[0].uvs[v], b = again.character->meshes[0].uvs.at(v);
    EXPECT_LT(std::abs(a.x - b.x) + std::abs(a.y - b.y), 1e-6F);
  }
  EXPECT_EQ(again.character->meshes[0].submeshes.size(), 2U);
}

TEST(UsdRoundTrip, SharedFilesKeepJointsAndVertices) {
  ZOE_NEED_DATA(data);
  for (const char* name : {"characters/khronos/Fox.glb", "characters/khronos/CesiumMan.glb",
                           "characters/robot_expressive/RobotExpressive.glb", "biped/ozz_pab/run.fbx"}) {
    auto asset = read_asset(data / name);
    ASSERT_TRUE(asset) << asset.error().format();
    SCOPED_TRACE(name);
    if (asset->clips.size() > 2) asset->clips.resize(2);
    const Asset again = usd_round_trip(*asset);
    expect_same_joints(*asset, again);
    for (std::size_t c = 0; c < asset->clips.size(); ++c)
      test::expect_same_instances(*asset, again, static_cast<int>(c), asset->clips[c].num_frames / 2, 1e-4);
  }
}

TEST(UsdRoundTrip, TexturesOfTextAndArchive) {
  Asset asset = test::make_everything();
  auto character = std::make_shared<Character>(*asset.character);
  const std::string_view png("\x89PNG\r\n\x1a\n rest");
  character->images.push_back({"skin", "image/png", {as_bytes(png).begin(), as_bytes(png).end()}, ""});
  character->materials[0].base_color_image = 0;
  asset.character = character;
  const fs::path folder = test::temporary_dir("usd");
  for (const char* name : {"a.usda", "a.usdz"}) {
    ASSERT_TRUE(write_asset(folder / name, asset));
    const auto again = read_asset(folder / name);
    ASSERT_TRUE(again) << again.error().format();
    ASSERT_EQ(again->character->images.size(), 1U) << name;
    EXPECT_EQ(again->character->images[0].bytes, character->images[0].bytes);
    EXPECT_EQ(again->character->materials[0].base_color_image, 0);
  }
  EXPECT_TRUE(fs::exists(folder / "a_textures" / "skin.png"));
}

// Two joints, Z up, centimetres, the rig turned and scaled by ops of the prims above, as Blender and Houdini write it.
constexpr const char* kHouse = R"(#usda 1.0
(
    defaultPrim = "House"
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = 25
    """A note that is no entry = of anything."""
)

def Xform "House"
{
    double3 xformOp:translate = (100, 0, 0)  # one metre
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def SkelRoot "Rig" ( prepend apiSchemas = ["SkelBindingAPI"] )
    {
        float3 xformOp:rotateXYZ = (0, 0, 90)
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:rotateXYZ", "xformOp:scale"]
        rel skel:skeleton = </House/Rig/Skel>
        def Skeleton "Skel"
        {
            uniform token[] joints = ["Hip", "Hip/Knee"]
            uniform matrix4d[] bindTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,50,1) ),
                ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (10,0,50,1) )]
            uniform matrix4d[] restTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,50,1) ),
                ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (10,0,0,1) )]
            rel skel:animationSource = </House/Rig/Skel/Anim>
            def SkelAnimation "Anim"
            {
                uniform token[] joints = ["Hip/Knee", "Hip"]
                uniform token[] blendShapes = ["smile"]
                quatf[] rotations.timeSamples = {
                    0: [(1, 0, 0, 0), (1, 0, 0, 0)],
                    2: [(1, 0, 0, 0), (0.7071068, 0, 0, 0.7071068)],
                }
                float3[] translations = [(10, 0, 0), (0, 0, 50)]
                half3[] scales = [(1, 1, 1), (1, 1, 1)]
                float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }
            }
        }
        def Mesh "Quad" ( prepend apiSchemas = ["SkelBindingAPI"] )
        {
            int[] faceVertexCounts = [4]
            int[] faceVertexIndices = [0, 1, 2, 3]
            point3f[] points = [(0, 0, 50), (10, 0, 50), (10, 10, 50), (0, 10, 50)]
            texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "faceVarying" )
            int[] primvars:skel:jointIndices = [0, 1, 1, 0, 1, 0, 0, 1] ( elementSize = 2  interpolation = "vertex" )
            float[] primvars:skel:jointWeights = [1, 0, 1, 0, 2, 0, 1, 0] ( elementSize = 2  interpolation = "vertex" )
            uniform token[] skel:blendShapes = ["smile"]
            rel skel:blendShapeTargets = </House/Rig/Quad/smile>
            def BlendShape "smile" { uniform vector3f[] offsets = [(0, 0, 5)]; uniform int[] pointIndices = [2] }
        }
    }
}
)";

TEST(UsdRead, UnitsAxesOpsAndOrder) {
  const auto asset = read_text(kHouse);
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_EQ(asset->source.up_axis, 'z');
  EXPECT_DOUBLE_EQ(asset->source.metres_per_unit, 0.01);
  const Skeleton& skeleton = *asset->character->skeleton;
  ASSERT_EQ(skeleton.num_joints(), 2);
  EXPECT_EQ(skeleton.name(1), "Knee");
  ASSERT_EQ(asset->clips.size(), 1U);
  const Motion& clip = asset->clips[0];
  EXPECT_EQ(clip.fps, 25);
  ASSERT_EQ(clip.num_frames, 3);
  const auto near = [](Vec3 a, Vec3 b) { return distance(a, b) < 1e-5F; };
  // File: hip (100, 0, 100) cm; knee 20 cm further along y, since the rig is turned. Z up to Y up: (x, z, -y).
  const auto rest = test::model_pose(*asset, &clip, 0);
  EXPECT_TRUE(near(rest[0].t, {1, 1, 0})) << rest[0].t.x << " " << rest[0].t.y << " " << rest[0].t.z;
  EXPECT_TRUE(near(rest[1].t, {1, 1, -0.2F}));
  // A quarter turn around the file's z: the knee goes to -x. Half of it after one frame.
  EXPECT_TRUE(near(test::model_pose(*asset, &clip, 2)[1].t, {0.8F, 1, 0}));
  const float h = 0.2F * std::sqrt(0.5F);
  EXPECT_TRUE(near(test::model_pose(*asset, &clip, 1)[1].t, {1 - h, 1, -h}));
}

TEST(UsdRead, FacesSkinAndShapesByHand) {
  const auto asset = read_text(kHouse);
  ASSERT_TRUE(asset);
  const Character& character = *asset->character;
  ASSERT_EQ(character.meshes.size(), 1U);
  const Mesh& mesh = character.meshes[0];
  EXPECT_EQ(mesh.indices.size(), 6U);
  EXPECT_EQ(mesh.num_vertices(), 4U);
  EXPECT_EQ(mesh.uvs[2], (Vec2{1, 0}));
  ASSERT_EQ(mesh.influences_per_vertex, 2);
  EXPECT_EQ(mesh.influence_weights[4], 1.0F);  // 2 of 2.
  const Motion& clip = asset->clips[0];
  ASSERT_EQ(clip.num_morph_weights, 1);
  EXPECT_FLOAT_EQ(clip.morph_weights[1], 0.5F);
  const auto deformed = deform_instance(character, 0, test::model_pose(*asset, &clip, 2), clip.frame_morph_weights(2));
  // Point 2, (10, 10, 50 + 5), follows the knee: turned by 90° around the hip, then by the rig's 90° and scale 2:
  // file (100 - 20, 0 - 20, 110).
  const Vec3 p = deformed.positions[2];
  EXPECT_LT(distance(p, {0.8F, 1.1F, 0.2F}), 1e-5F) << p.x << " " << p.y << " " << p.z;
}

TEST(UsdRead, PlainMeshesAndQuads) {
  const auto asset = read_text(R"(#usda 1.0
(
    metersPerUnit = 1
)
def Mesh "plane" { point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]
  int[] faceVertexCounts = [4]; int[] faceVertexIndices = [0,1,2,3]
  uniform token orientation = "leftHanded"
  color3f[] primvars:displayColor = [(1, 0, 0)]
  matrix4d xformOp:transform = ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,2,0,1) )
  uniform token[] xformOpOrder = ["xformOp:transform"] }
class "_hidden" { def Mesh "no" { point3f[] points = [(0,0,0)] } }
)");
  ASSERT_TRUE(asset) << asset.error().format();
  ASSERT_EQ(asset->character->meshes.size(), 1U);
  EXPECT_EQ(asset->character->instances[0].joint_from_mesh.t, (Vec3{0, 2, 0}));
  EXPECT_TRUE(asset->clips.empty());
}

TEST(UsdRead, RefusesWithPlaceAndRemedy) {
  const auto code_of = [](const std::string& text, ErrorCode code, const char* part, std::int64_t line) {
    const auto asset = read_text(text);
    ASSERT_FALSE(asset) << text;
    EXPECT_EQ(asset.error().code, code) << asset.error().format();
    EXPECT_NE(asset.error().format().find(part), std::string::npos) << asset.error().format();
    if (line > 0) {
      EXPECT_EQ(asset.error().where.line, line) << asset.error().format();
    }
  };
  code_of("PXR-USDC\0\0", ErrorCode::kUnsupported, "usdcat", 0);
  code_of("#usda 1.0\ndef Xform \"a\" (\n  prepend references = @b.usda@\n)\n{\n}\n", ErrorCode::kUnsupported,
          "flatten", 3);
  code_of("#usda 1.0\n(\n  subLayers = [ @b.usda@ ]\n)\n", ErrorCode::kUnsupported, "subLayers", 3);
  code_of("#usda 1.0\ndef Mesh \"a\" {\n  float3[] points = [(0, 0\n}\n", ErrorCode::kSyntax, "not closed", 0);
  code_of("#usda 1.0\ndef Mesh \"a\" {\n  point3f[] points = [(0, 0, x)]\n}\n", ErrorCode::kSyntax, "number", 3);
  code_of(
      "#usda 1.0\ndef Mesh \"a\" {\n  point3f[] points = [(0, 0, 0)]\n int[] faceVertexCounts = [3]\n"
      " int[] faceVertexIndices = [0, 0, 7]\n}\n",
      ErrorCode::kInvalid, "point 7", 2);
  code_of("hello", ErrorCode::kSyntax, "#usda", 1);
  std::string deep = "#usda 1.0\n";
  for (int i = 0; i < 2000; ++i) deep += "def \"a\" {\n";
  code_of(deep, ErrorCode::kLimit, "nested", 0);
}

TEST(UsdRead, SurvivesDamage) {
  const auto text = encode_usda(*test::make_everything().character, test::make_everything().clips);
  ASSERT_TRUE(text);
  const auto read = [](std::span<const std::byte> bytes) {
    const auto asset = read_usd(bytes, "damaged.usda", {.expansion_allowance = 0});
    EXPECT_TRUE(asset || !asset.error().message.empty());
  };
  test::expect_survives_damage("everything.usda", as_bytes(text->text), read, {.flips = 300});
  test::expect_survives_damage("house.usda", as_bytes(std::string_view(kHouse)), read, {.flips = 2000});
}

}  // namespace
}  // namespace zoe::io
