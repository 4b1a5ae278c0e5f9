// SPDX-License-Identifier: MIT
// Small scenes written out here, with answers worked out by hand.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/fbx.h"

namespace zoe {
namespace {

constexpr double kUnit = 0.01;  // Metres in a centimetre, the default unit.

std::string property(const std::string& name, const std::string& values) {
  return "   P: \"" + name + "\", \"\", \"\", \"A\"," + values + "\n";
}
std::string model(int id, const std::string& name, const std::string& kind, const std::string& properties) {
  return " Model: " + std::to_string(id) + ", \"Model::" + name + "\", \"" + kind + "\" {\n  Properties70: {\n" +
         properties + "  }\n }\n";
}
std::string link(int source, int target) {
  return " C: \"OO\"," + std::to_string(source) + "," + std::to_string(target) + "\n";
}
std::string scene(const std::string& settings, const std::string& objects, const std::string& connections) {
  return "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\nGlobalSettings: "
         "{\n Properties70: {\n" +
         settings + " }\n}\nObjects: {\n" + objects + "}\nConnections: {\n" + connections + "}\n";
}
Result<io::Asset> read(const std::string& text) { return io::read_fbx(as_bytes(std::string_view(text)), "made.fbx"); }
Affine world(const io::Asset& asset, const char* joint) {
  const Skeleton& skeleton = *asset.character->skeleton;
  return skeleton.rest_model()[static_cast<std::size_t>(skeleton.find(joint))];
}
void expect_near(Vec3 actual, Vec3d expected) {
  EXPECT_LT(distance(to_double(actual), expected), 1e-6) << actual.x << " " << actual.y << " " << actual.z << " is not "
                                                         << expected.x << " " << expected.y << " " << expected.z;
}

TEST(FbxScene, PivotChain) {
  const auto asset = read(scene("",
                                model(1, "a", "Null",
                                      property("Lcl Translation", "1,0,0") + property("RotationPivot", "0,1,0") +
                                          property("ScalingPivot", "2,0,0") + property("Lcl Rotation", "0,0,90") +
                                          property("Lcl Scaling", "3,1,1") + property("RotationActive", "1")),
                                link(1, 0)));
  ASSERT_TRUE(asset) << asset.error().format();
  // Origin: scaled about (2,0,0) to (-4,0,0); turned about (0,1,0) to (1,-3,0); moved to (2,-3,0).
  expect_near(world(*asset, "a").t, Vec3d{2, -3, 0} * kUnit);
  expect_near(world(*asset, "a").x, {0, 3, 0});
}

// From 7.0 on a class is the third property of an object.
TEST(FbxScene, TheFirstModernVersionHasNumbersBeforeNames) {
  std::string text = scene("", model(1, "a", "LimbNode", "") + model(2, "b", "Null", ""), link(1, 0) + link(2, 1));
  text.replace(text.find("7500"), 4, "7000");
  const auto asset = read(text);
  ASSERT_TRUE(asset) << asset.error().format();
  const Skeleton& skeleton = *asset->character->skeleton;
  EXPECT_EQ(skeleton.kind(skeleton.find("a")), JointKind::kBone);
  EXPECT_EQ(skeleton.kind(skeleton.find("b")), JointKind::kNode);
}

TEST(FbxScene, RotationSpaceCountsOnlyWhenActive) {
  const auto rotations = property("PreRotation", "0,0,90") + property("Lcl Rotation", "0,0,90");
  const auto off = read(scene("", model(1, "a", "Null", rotations + property("RotationActive", "0")), link(1, 0)));
  const auto on = read(scene("", model(1, "a", "Null", rotations + property("RotationActive", "1")), link(1, 0)));
  ASSERT_TRUE(off && on);
  expect_near(world(*off, "a").x, {0, 1, 0});
  expect_near(world(*on, "a").x, {-1, 0, 0});
}

// Parent stretched along x; child moved by (1,0,0) and turned by 90 degrees; its own child moved by
// (0,1,0).
Result<io::Asset> inherit_scene(int type) {
  const std::string objects =
      model(1, "p", "Null", property("Lcl Scaling", "2,1,1")) +
      model(2, "c", "Null",
            property("Lcl Translation", "1,0,0") + property("Lcl Rotation", "0,0,90") +
                property("InheritType", std::to_string(type))) +
      model(3, "g", "Null", property("Lcl Translation", "0,1,0") + property("InheritType", "1"));
  return read(scene("", objects, link(1, 0) + link(2, 1) + link(3, 2)));
}

TEST(FbxScene, InheritRSrsShears) {
  const auto asset = inherit_scene(1);
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_EQ(asset->character->skeleton->num_joints(), 3);
  expect_near(world(*asset, "c").y, {-2, 0, 0});
  expect_near(world(*asset, "g").t, Vec3d{0, 0, 0});
}
TEST(FbxScene, InheritRrsDropsTheParentsScale) {
  const auto asset = inherit_scene(2);
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_EQ(asset->character->skeleton->num_joints(), 4);
  EXPECT_NE(asset->character->skeleton->find("p_scale"), kNoJoint);
  expect_near(world(*asset, "c").t, Vec3d{2, 0, 0} * kUnit);  // Still moved by the parent's scale.
  expect_near(world(*asset, "c").y, {-1, 0, 0});
  expect_near(world(*asset, "g").t, Vec3d{1, 0, 0} * kUnit);
}
TEST(FbxScene, InheritRrSsScalesAlongOwnAxes) {
  const auto asset = inherit_scene(0);
  ASSERT_TRUE(asset) << asset.error().format();
  expect_near(world(*asset, "c").x, {0, 2, 0});
  expect_near(world(*asset, "c").y, {-1, 0, 0});
  expect_near(world(*asset, "g").t, Vec3d{1, 0, 0} * kUnit);
}

TEST(FbxScene, LeftHandedFilesAreMirrored) {
  const std::string mesh =
      " Geometry: 2, \"Geometry::\", \"Mesh\" {\n  Vertices: *9 {\n   a: 0,0,0,1,0,0,0,1,0\n  }\n"
      "  PolygonVertexIndex: *3 {\n   a: 0,1,-3\n  }\n }\n";
  const auto asset = read(
      scene(property("CoordAxisSign", "-1"),
            model(1, "a", "Mesh", property("Lcl Translation", "1,2,3") + property("Lcl Rotation", "0,0,90")) + mesh,
            link(1, 0) + link(2, 1)));
  ASSERT_TRUE(asset) << asset.error().format();
  const Character& character = *asset->character;
  const auto deformed = deform_instance(character, 0, character.skeleton->rest_model());
  // In the file the corners are (1,2,3), (1,3,3), (0,2,3) and the face looks along +z; only x
  // changes its sign.
  expect_near(deformed.positions[0], Vec3d{-1, 2, 3} * kUnit);
  expect_near(deformed.positions[1], Vec3d{-1, 3, 3} * kUnit);
  expect_near(deformed.positions[2], Vec3d{0, 2, 3} * kUnit);
  const auto& i = character.meshes[0].indices;
  const Vec3 normal =
      cross(deformed.positions[i[1]] - deformed.positions[i[0]], deformed.positions[i[2]] - deformed.positions[i[0]]);
  EXPECT_GT(normal.z, 0);
  EXPECT_GT(determinant(character.skeleton->rest_model()[0]), 0);
}

TEST(FbxScene, UnitIsAppliedToLengthsOnly) {
  const auto asset = read(scene(property("UnitScaleFactor", "100"),
                                model(1, "a", "Null", property("Lcl Translation", "1,2,3")), link(1, 0)));
  ASSERT_TRUE(asset) << asset.error().format();
  expect_near(world(*asset, "a").t, {1, 2, 3});
  expect_near(world(*asset, "a").x, {1, 0, 0});
}

TEST(FbxScene, OldTakeWithEveryKindOfKey) {
  const std::string text =
      "; FBX 6.1.0 project file\nFBXHeaderExtension: {\n FBXVersion: 6100\n}\nObjects: {\n Model: "
      "\"Model::a\", \"LimbNode\" {\n"
      "  Properties60: {\n   Property: \"Lcl Translation\", \"Lcl Translation\", \"A+\",0,0,0\n  "
      "}\n }\n}\n"
      "Connections: {\n Connect: \"OO\", \"Model::a\", \"Model::Scene\"\n}\n"
      "Takes: {\n Take: \"walk\" {\n  LocalTime: 0,92372316000\n  Model: \"Model::a\" {\n   "
      "Channel: \"Transform\" {\n    Channel: \"T\" {\n"
      "     Channel: \"X\" {\n      Default: 0\n      KeyVer: 4005\n      KeyCount: 3\n"
      "      Key: 0,1,L,46186158000,3,C,s,92372316000,7,U,s,0,0,n\n     }\n"
      "     Channel: \"Y\" {\n      Default: 5\n     }\n"
      "     Channel: \"Z\" {\n      Default: 0\n      KeyVer: 4005\n      KeyCount: 2\n"
      "      Key: 0,0,U,s,0,0,a,0.333,0.333,92372316000,8,U,a,n\n     }\n"
      "    }\n   }\n  }\n }\n}\nVersion5: {\n Settings: {\n  FrameRate: \"4\"\n }\n}\n";
  const auto asset = read(text);
  ASSERT_TRUE(asset) << asset.error().format();
  ASSERT_EQ(asset->clips.size(), 1U);
  const Motion& clip = asset->clips[0];
  EXPECT_EQ(clip.name, "walk");
  EXPECT_EQ(clip.fps, 4);
  ASSERT_EQ(clip.num_frames, 9);
  EXPECT_EQ(clip.skeleton->kind(0), JointKind::kBone);
  const auto at = [&](int frame) { return to_double(clip.frame(frame).translations[0]) / kUnit; };
  EXPECT_NEAR(at(2).x, 2, 1e-5);  // Linear.
  EXPECT_NEAR(at(7).x, 3, 1e-5);  // Held.
  EXPECT_NEAR(at(8).x, 7, 1e-5);
  EXPECT_NEAR(at(3).y, 5, 1e-5);  // No keys: the default.
  EXPECT_NEAR(at(4).z, 4, 1e-2);  // Flat cubic.
}

// The fuzzer's seeds are whole little scenes: they must be read, not refused at the first record.
TEST(FbxScene, FuzzSeedsHoldWhatTheyClaim) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "ZOE_SOURCE_DIR is not set";
  const auto folder = std::filesystem::path(source) / "tests/fuzz/seeds/fuzz_fbx";
  const auto full = io::read_fbx(folder / "full_7500.fbx");
  ASSERT_TRUE(full) << full.error().format();
  EXPECT_EQ(full->character->skeleton->num_joints(), 4);  // Three nodes and a scale joint.
  ASSERT_EQ(full->character->instances.size(), 1U);
  EXPECT_EQ(full->character->meshes[0].morph_targets.size(), 2U);
  EXPECT_EQ(full->character->skins[0].joints.size(), 2U);  // A bone, and the node of free vertices.
  ASSERT_EQ(full->clips.size(), 1U);
  EXPECT_EQ(full->clips[0].num_frames, 11);
  const auto old = io::read_fbx(folder / "take_6100.fbx");
  ASSERT_TRUE(old) << old.error().format();
  EXPECT_EQ(old->character->skins.size(), 1U);
  ASSERT_EQ(old->clips.size(), 1U);
  const auto last = old->clips[0].frame_morph_weights(old->clips[0].num_frames - 1);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_FLOAT_EQ(last[0], 1.0F);
  const auto next_line = io::read_fbx(folder / "next_line_6100.fbx");
  ASSERT_TRUE(next_line) << next_line.error().format();
  ASSERT_EQ(next_line->clips.size(), 1U);
  EXPECT_NEAR(next_line->clips[0].translations.back().x, 0.01F, 1e-6F);  // Mirrored: back at the first key.
  const auto blend = io::read_fbx(folder / "blend_7500.fbx");
  ASSERT_TRUE(blend) << blend.error().format();
  EXPECT_EQ(blend->character->instances.size(), 2U);
  EXPECT_EQ(blend->character->skins[0].blend, SkinBlend::kDualQuaternion);
  EXPECT_EQ(blend->character->meshes[0].linear_shares.size(), 3U);
}

}  // namespace
}  // namespace zoe
