// SPDX-License-Identifier: MIT
// Features of whole files that single exporters write, with answers worked out by hand.
#include <string>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"

#include "support/data.h"

namespace zoe {
namespace {

constexpr float kUnit = 0.01F;                 // Metres in a centimetre, the default unit.
constexpr std::int64_t kSecond = 46186158000;  // Ticks.
const std::string kSecondText = std::to_string(kSecond);

Result<io::Asset> read(const std::string& text) { return io::read_fbx(as_bytes(std::string_view(text)), "made.fbx"); }

std::string file_7500(const std::string& objects, const std::string& connections) {
  return "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\nObjects: {\n" + objects +
         "}\nConnections: {\n" + connections + "}\n";
}

// A node whose x has keys 2 at 1 s and 4 at 2 s, in a take from 0 to 5 s.
Result<io::Asset> with_ends(const std::string& before, const std::string& after) {
  const std::string objects =
      " Model: 1, \"Model::a\", \"Null\" {\n }\n"
      " AnimationStack: 2, \"AnimStack::t\", \"\" {\n  Properties70: {\n"
      "   P: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n   P: \"LocalStop\", \"KTime\", \"Time\", \"\"," +
      std::to_string(5 * kSecond) +
      "\n  }\n }\n"
      " AnimationLayer: 3, \"AnimLayer::l\", \"\" {\n }\n"
      " AnimationCurveNode: 4, \"AnimCurveNode::T\", \"\" {\n }\n"
      " AnimationCurve: 5, \"AnimCurve::\", \"\" {\n  KeyTime: *2 {\n   a: " +
      kSecondText + "," + std::to_string(2 * kSecond) +
      "\n  }\n  KeyValueFloat: *2 {\n   a: 2,4\n  }\n"
      "  Pre-Extrapolation: {\n   Type: " +
      before + "\n   Repetition: -1\n  }\n  Post-Extrapolation: {\n   Type: " + after +
      "\n   Repetition: -1\n  }\n }\n";
  return read(file_7500(objects,
                        " C: \"OO\",1,0\n C: \"OO\",3,2\n C: \"OO\",4,3\n C: \"OP\",4,1, \"Lcl Translation\"\n"
                        " C: \"OP\",5,4, \"d|X\"\n"));
}

TEST(FbxFile, CurvesContinueBeforeAndAfterTheirKeys) {
  struct Case {
    const char* type;
    float at_half_s, at_2_75_s, at_3_25_s;
  };
  // Linear keys from 2 to 4 within a second.
  for (const Case& c : {Case{"C", 2, 4, 4}, Case{"R", 3, 3.5F, 2.5F}, Case{"M", 3, 2.5F, 2.5F},
                        Case{"A", 1, 5.5F, 6.5F}, Case{"K", 1, 5.5F, 6.5F}}) {
    SCOPED_TRACE(c.type);
    const auto asset = with_ends(c.type, c.type);
    ASSERT_TRUE(asset) << asset.error().format();
    ASSERT_EQ(asset->clips.size(), 1U);
    const Motion& clip = asset->clips[0];
    const auto x_at = [&](double time_s) {
      return clip.translations[static_cast<std::size_t>(std::lround(time_s * clip.fps))].x / kUnit;
    };
    ASSERT_EQ(clip.num_frames, static_cast<int>(std::lround(5 * clip.fps)) + 1);
    // Quarters of a second need not be frames: the nearest one is off by less than a frame of slope 2.
    const double frame = 2.0 / clip.fps;
    EXPECT_NEAR(x_at(0.5), c.at_half_s, frame);
    EXPECT_NEAR(x_at(1.5), 3, frame);
    EXPECT_NEAR(x_at(2.75), c.at_2_75_s, frame);
    EXPECT_NEAR(x_at(3.25), c.at_3_25_s, frame);
  }
}

// Maya's own: 23 frames that repeat to the end of the take.
TEST(FbxFile, MayasCycleRepeats) {
  ZOE_NEED_DATA(data);
  for (const char* form : {"ascii", "binary"}) {
    const auto asset =
        io::read_fbx(data / "conformance/fbx/ufbx" / ("maya_anim_extrapolation_7700_" + std::string(form) + ".fbx"));
    ASSERT_TRUE(asset) << asset.error().format();
    const Motion& clip = asset->clips.at(0);
    ASSERT_GT(clip.num_frames, 100);
    constexpr int kPeriod = 23;
    const auto x_at = [&](int frame) { return clip.translations[static_cast<std::size_t>(frame)].x; };
    EXPECT_GT(std::abs(x_at(1) - x_at(22)), 0.01F);
    for (int frame = 1; frame + kPeriod < clip.num_frames; ++frame) {
      if (frame % kPeriod == 0) continue;
      EXPECT_NEAR(x_at(frame + kPeriod), x_at(frame), 1e-5F) << frame;
    }
  }
}

// As Blender 2.79 writes: keys on the lines after the colon, a record without a value, commas that begin a line.
TEST(FbxFile, ValuesMayBeginOnTheNextLine) {
  const std::string text =
      "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 6100\n}\nObjects:  {\n"
      "\tModel: \"Model::Bone\", \"Limb\" {\n\t\tVersion: 232\n\t\tCameraIndexName:\n\t\tCulling: \"CullingOff\"\n\t}\n"
      "}\nConnections:  {\n\tConnect: \"OO\", \"Model::Bone\", \"Model::Scene\"\n}\n"
      "Takes:  {\n\tCurrent: \"Walk\"\n\tTake: \"Walk\" {\n\t\tLocalTime: 0," +
      kSecondText +
      "\n\t\tModel: \"Model::Bone\" {\n\t\t\tVersion: 1.1\n\t\t\tChannel: \"Transform\" {\n\t\t\t\tChannel: \"T\" {\n"
      "\t\t\t\t\tChannel: \"X\" {\n\t\t\t\t\t\tDefault: 0.000000000000000\n\t\t\t\t\t\tKeyVer: 4005\n"
      "\t\t\t\t\t\tKeyCount: 2\n\t\t\t\t\t\tKey: \n\t\t\t\t\t\t\t0,1.000000000000000,L,\n\t\t\t\t\t\t\t" +
      kSecondText +
      ",3.000000000000000,L\n\t\t\t\t\t\tColor: 1,0,0\n\t\t\t\t\t}\n"
      "\t\t\t\t\tChannel: \"Y\" {\n\t\t\t\t\t\tDefault: 5\n\t\t\t\t\t\tKeyVer: 4005\n\t\t\t\t\t\tKeyCount: 0\n"
      "\t\t\t\t\t\tKey: \n\t\t\t\t\t\tColor: 0,1,0\n\t\t\t\t\t}\n"
      "\t\t\t\t\tChannel: \"Z\" {\n\t\t\t\t\t\tDefault: 0\n\t\t\t\t\t\tKeyVer: 4005\n\t\t\t\t\t\tKeyCount: 2\n"
      "\t\t\t\t\t\tKey: \n\t\t\t\t\t\t\t0,1,L\n\t\t\t\t\t\t\t," +
      kSecondText + ",2,L\n\t\t\t\t\t}\n\t\t\t\t}\n\t\t\t}\n\t\t}\n\t}\n}\n";
  const auto asset = read(text);
  ASSERT_TRUE(asset) << asset.error().format();
  const Motion& clip = asset->clips.at(0);
  const Vec3 first = clip.translations.front(), last = clip.translations.back();
  EXPECT_LT(distance(first, Vec3{1, 5, 1} * kUnit), 1e-6F) << first.x << " " << first.y << " " << first.z;
  EXPECT_LT(distance(last, Vec3{3, 5, 2} * kUnit), 1e-6F) << last.x << " " << last.y << " " << last.z;
}

TEST(FbxFile, VersionsBefore5800SayWhatToDo) {
  for (const std::string& text : {std::string("; FBX 5.0.0 project file\n? not our grammar\n"),
                                  std::string("; FBX 3.0.0 project file\nModel: \"a\" {\n}\n")}) {
    const auto asset = read(text);
    ASSERT_FALSE(asset);
    EXPECT_EQ(asset.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(asset.error().message.find("before 2004"), std::string::npos) << asset.error().format();
    EXPECT_NE(asset.error().message.find("FBX Converter"), std::string::npos) << asset.error().format();
  }
  std::string binary("Kaydara FBX Binary  \0\x1a\0", 23);
  binary += std::string("\x88\x13\0\0", 4);  // 5000.
  const auto asset = read(binary + std::string(64, '\0'));
  ASSERT_FALSE(asset);
  EXPECT_NE(asset.error().message.find("version 5000 is from before 2004"), std::string::npos)
      << asset.error().format();
}

// A triangle at radius 1 around x, half bound to a bone at rest and half to one that is turned by 120 degrees.
Result<io::Asset> twisted(const std::string& skin_records, const std::string& more_models = "",
                          const std::string& more_links = "", const std::string& application = "") {
  const std::string identity = "*16 {\n   a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n  }\n";
  const auto cluster = [&](int id) {
    return " Deformer: " + std::to_string(id) +
           ", \"SubDeformer::c\", \"Cluster\" {\n  Indexes: *3 {\n   a: 0,1,2\n  }\n"
           "  Weights: *3 {\n   a: 0.5,0.5,0.5\n  }\n  Transform: " +
           identity + "  TransformLink: " + identity + " }\n";
  };
  const std::string objects =
      " Model: 1, \"Model::still\", \"LimbNode\" {\n }\n"
      " Model: 2, \"Model::turned\", \"LimbNode\" {\n  Properties70: {\n"
      "   P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",120,0,0\n  }\n }\n"
      " Model: 3, \"Model::mesh\", \"Mesh\" {\n }\n" +
      more_models +
      " Geometry: 10, \"Geometry::g\", \"Mesh\" {\n  Vertices: *9 {\n   a: 0,1,0,1,1,0,0.5,0,1\n  }\n"
      "  PolygonVertexIndex: *3 {\n   a: 0,1,-3\n  }\n }\n"
      " Deformer: 20, \"Deformer::s\", \"Skin\" {\n" +
      skin_records + " }\n" + cluster(21) + cluster(22);
  const std::string links =
      " C: \"OO\",1,0\n C: \"OO\",2,0\n C: \"OO\",3,0\n C: \"OO\",10,3\n C: \"OO\",20,10\n C: \"OO\",21,20\n"
      " C: \"OO\",22,20\n C: \"OO\",1,21\n C: \"OO\",2,22\n" +
      more_links;
  std::string text = file_7500(objects, links);
  if (!application.empty()) {
    const std::string header = "FBXVersion: 7500\n";
    text.insert(text.find(header) + header.size(),
                " SceneInfo: \"SceneInfo::GlobalInfo\", \"UserData\" {\n  Properties70: {\n"
                "   P: \"LastSaved|ApplicationName\", \"KString\", \"\", \"\", \"" +
                    application + "\"\n  }\n }\n");
  }
  return read(text);
}

TEST(FbxFile, DualQuaternionSkinsKeepTheirVolume) {
  const auto radius_of = [](const io::Asset& asset, std::size_t vertex) {
    const Vec3 p = deform_instance(*asset.character, 0, asset.character->skeleton->rest_model()).positions[vertex];
    return std::hypot(p.y, p.z) / kUnit;
  };
  const auto
      linear = twisted("  SkinningType: \"Linear\"\n"),
      dual = twisted("  SkinningType: \"DualQuaternion\"\n"),
      blend = twisted(
          "  SkinningType: \"Blend\"\n  Indexes: *2 {\n   a: 0,2\n  }\n  BlendWeights: *2 {\n   a: 0.5,1\n  }\n");
  ASSERT_TRUE(linear && dual && blend);
  EXPECT_EQ(linear->character->skins.at(0).blend, SkinBlend::kLinear);
  EXPECT_EQ(dual->character->skins.at(0).blend, SkinBlend::kDualQuaternion);
  // Half way between two directions 120 degrees apart: the cosine of 60 degrees, or the full radius.
  EXPECT_NEAR(radius_of(*linear, 0), 0.5, 1e-5);
  EXPECT_NEAR(radius_of(*dual, 0), 1.0, 1e-5);
  // Blended: half and half, linear where the file lists nothing, dual quaternions at the third point.
  EXPECT_NEAR(radius_of(*blend, 0), 0.75, 1e-5);
  EXPECT_NEAR(radius_of(*blend, 1), 0.5, 1e-5);
  EXPECT_NEAR(radius_of(*blend, 2), 1.0, 1e-5);

  // glTF cannot state it: said in a warning, and kept for our own reader.
  Warnings warnings;
  const auto bytes = io::encode_gltf(*dual->character, {}, {}, &warnings);
  ASSERT_TRUE(bytes) << bytes.error().format();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("dual quaternions"), std::string::npos);
  const auto again = io::read_gltf(*bytes);
  ASSERT_TRUE(again) << again.error().format();
  EXPECT_EQ(again->character->skins.at(0).blend, SkinBlend::kDualQuaternion);
}

// Two nodes share one skinned geometry, ten metres apart. Maya moves each copy with its node; elsewhere the bones alone
// decide, and both lie in the same place.
TEST(FbxFile, InstancedSkinsFollowTheProgramThatWroteThem) {
  const std::string second =
      " Model: 4, \"Model::copy\", \"Mesh\" {\n  Properties70: {\n"
      "   P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",1000,0,0\n  }\n }\n";
  for (const bool maya : {true, false}) {
    SCOPED_TRACE(maya);
    const auto asset = twisted("", second, " C: \"OO\",4,0\n C: \"OO\",10,4\n", maya ? "Maya" : "3ds Max");
    ASSERT_TRUE(asset) << asset.error().format();
    const Character& character = *asset->character;
    ASSERT_EQ(character.instances.size(), 2U);
    EXPECT_EQ(character.meshes.size(), 1U);  // Shared.
    const auto rest = character.skeleton->rest_model();
    const Vec3 first = deform_instance(character, 0, rest).positions[0],
               copy = deform_instance(character, 1, rest).positions[0];
    EXPECT_NEAR(copy.x - first.x, maya ? 10.0F : 0.0F, 1e-5F);
    // The same after glTF, whose skins ignore the mesh's node.
    const auto bytes = io::encode_gltf(character, {});
    ASSERT_TRUE(bytes) << bytes.error().format();
    const auto again = io::read_gltf(*bytes);
    ASSERT_TRUE(again) << again.error().format();
    ASSERT_EQ(again->character->instances.size(), 2U);
    const auto again_rest = again->character->skeleton->rest_model();
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LT(distance(deform_instance(*again->character, i, again_rest).positions[0], i == 0 ? first : copy), 1e-5F);
    }
  }
}

}  // namespace
}  // namespace zoe
