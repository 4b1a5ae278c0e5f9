// SPDX-License-Identifier: MIT
// Damaged and hostile FBX files: refused or read, never a crash, a hang or a flood of memory.
#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/io/fbx.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe {
namespace {

// Sparse keys may fill 64 MB of frames in good faith; here only what is in proportion to the file
// is granted.
const io::FbxReadOptions kStrict{.bytes_always_granted = 0};

void read_all(std::span<const std::byte> bytes) {
  const auto asset = io::read_fbx(bytes, "damaged.fbx", kStrict);
  EXPECT_TRUE(asset || !asset.error().message.empty());
}

void expect_survives(const std::filesystem::path& path, int flips) {
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  test::expect_survives_damage(path.filename().string(), file->bytes(), read_all, {.flips = flips});
}

TEST(FbxDamage, SkinnedAnimatedBinary) {
  ZOE_NEED_DATA(data);
  expect_survives(data / "conformance/fbx/ufbx/maya_game_sausage_7500_binary_deform.fbx", 2000);
}
TEST(FbxDamage, BlendShapesBinary) {
  ZOE_NEED_DATA(data);
  expect_survives(data / "conformance/fbx/ufbx/blender440_shape_weight_anim_7400_binary.fbx", 2000);
}
TEST(FbxDamage, LegacyAscii) {
  ZOE_NEED_DATA(data);
  expect_survives(data / "conformance/fbx/ufbx/max2009_cube_anim_6100_ascii.fbx", 2000);
}
TEST(FbxDamage, LayersAscii) {
  ZOE_NEED_DATA(data);
  expect_survives(data / "conformance/fbx/ufbx/maya_anim_layers_7500_ascii.fbx", 2000);
}

// A small ASCII file around some objects and connections.
std::string scene(const std::string& objects, const std::string& connections) {
  return "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\nGlobalSettings: "
         "{\n}\nObjects: {\n" +
         objects + "}\nConnections: {\n" + connections + "}\n";
}
Result<io::Asset> read_text(const std::string& text) {
  return io::read_fbx(as_bytes(std::string_view(text)), "made.fbx");
}

TEST(FbxDamage, SelfParentAndLongCycle) {
  const auto self = read_text(scene(" Model: 1, \"Model::a\", \"Null\" {\n }\n", " C: \"OO\",1,1\n"));
  ASSERT_FALSE(self);
  EXPECT_EQ(self.error().where.joint, "a");
  std::string objects, connections;
  for (int i = 1; i <= 2000; ++i) {
    objects += " Model: " + std::to_string(i) + ", \"Model::n" + std::to_string(i) + "\", \"Null\" {\n }\n";
    connections += " C: \"OO\"," + std::to_string(i) + "," + std::to_string(i % 2000 + 1) + "\n";
  }
  EXPECT_FALSE(read_text(scene(objects, connections)));
}

TEST(FbxDamage, TakeOfTenThousandYearsIsALimit) {
  const std::string stack =
      " Model: 1, \"Model::a\", \"Null\" {\n }\n"
      " AnimationStack: 2, \"AnimStack::t\", \"\" {\n  Properties70: {\n"
      "   P: \"LocalStop\", \"KTime\", \"Time\", \"\",9000000000000000000\n  }\n }\n"
      " AnimationLayer: 3, \"AnimLayer::l\", \"\" {\n }\n AnimationCurveNode: 4, "
      "\"AnimCurveNode::T\", \"\" {\n }\n"
      " AnimationCurve: 5, \"AnimCurve::\", \"\" {\n  KeyTime: *2 {\n   a: 0,9000000000000000000\n "
      " }\n"
      "  KeyValueFloat: *2 {\n   a: 0,1\n  }\n }\n";
  const auto asset = read_text(scene(stack,
                                     " C: \"OO\",1,0\n C: \"OO\",3,2\n C: \"OO\",4,3\n C: "
                                     "\"OP\",4,1, \"Lcl Translation\"\n C: \"OP\",5,4, \"d|X\"\n"));
  ASSERT_FALSE(asset);
  EXPECT_EQ(asset.error().code, ErrorCode::kLimit) << asset.error().format();
}

// A curve is decoded for everything it drives.
TEST(FbxDamage, CurveThatDrivesThousandsIsALimit) {
  const auto numbers = [](int count) {
    std::string list = "*" + std::to_string(count) + " {\n   a: 0";
    for (int i = 1; i < count; ++i) list += ",0";
    return list + "\n  }\n";
  };
  const auto driven = [&](int num_models) {
    std::string objects =
        " AnimationStack: 2, \"AnimStack::t\", \"\" {\n }\n"
        " AnimationLayer: 3, \"AnimLayer::l\", \"\" {\n }\n"
        " AnimationCurve: 5, \"AnimCurve::\", \"\" {\n  KeyTime: " +
        numbers(20000) + "  KeyValueFloat: " + numbers(20000) + " }\n";
    std::string connections = " C: \"OO\",3,2\n";
    for (int i = 0; i < num_models; ++i) {
      const std::string model = std::to_string(10 + 2 * i), curves = std::to_string(11 + 2 * i);
      objects += " Model: " + model + ", \"Model::a" + model + "\", \"Null\" {\n }\n" +
                 " AnimationCurveNode: " + curves + ", \"AnimCurveNode::T\", \"\" {\n }\n";
      connections += " C: \"OO\"," + model + ",0\n C: \"OO\"," + curves + ",3\n C: \"OP\"," + curves + "," + model +
                     ", \"Lcl Translation\"\n C: \"OP\",5," + curves + ", \"d|X\"\n";
    }
    return read_text(scene(objects, connections));
  };
  EXPECT_TRUE(driven(3));
  const auto refused = driven(3000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit) << refused.error().format();
}

TEST(FbxDamage, PolygonOutsideItsPointsIsRefused) {
  const std::string mesh =
      " Model: 1, \"Model::a\", \"Mesh\" {\n }\n Geometry: 2, \"Geometry::\", \"Mesh\" {\n  "
      "Vertices: *9 {\n   a: 0,0,0,1,0,0,0,1,0\n  }\n"
      "  PolygonVertexIndex: *3 {\n   a: 0,1,-9\n  }\n }\n";
  const auto asset = read_text(scene(mesh, " C: \"OO\",1,0\n C: \"OO\",2,1\n"));
  ASSERT_FALSE(asset);
  EXPECT_EQ(asset.error().code, ErrorCode::kInvalid);
}

TEST(FbxDamage, NothingIsNotAnFbx) {
  EXPECT_FALSE(read_text(""));
  EXPECT_FALSE(read_text("hello"));
}

}  // namespace
}  // namespace zoe
