// SPDX-License-Identifier: MIT
// VRM: names of bones and meta of glTF files, 0.x and 1.0, in and out.
#include "zoe/io/vrm.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe::io {
namespace {

// The required bones in a T-pose: joint i + 1 is bone i, all below joint 0.
Asset make_person() {
  std::vector<JointDesc> joints{{"Armature", kNoJoint, {}, JointKind::kNode}};
  float height = 1;
  for (const std::string_view name : required_human_bones()) {
    const float side = name.starts_with("left") ? 0.2F : name.starts_with("right") ? -0.2F : 0.0F;
    const float out = name.ends_with("Hand") ? 4.0F : 1.0F;
    const bool arm = name.ends_with("Arm") || name.ends_with("Hand");
    joints.push_back({"J_" + std::string(name), 0, {{side * out, arm ? 1.5F : height, 0}}});
    height += 0.01F;
  }
  Asset asset;
  auto character = std::make_shared<Character>();
  character->name = "person";
  character->skeleton = Skeleton::create(std::move(joints)).value();
  asset.character = character;
  return asset;
}

Vrm make_vrm() {
  Vrm vrm;
  int joint = 1;
  for (const std::string_view name : required_human_bones()) vrm.bones.push_back({std::string(name), joint++});
  vrm.meta = {"Ann \"A\"", "2", {"Me", "You"}, ""};
  return vrm;
}

TEST(Vrm, ComesBack) {
  const Asset asset = make_person();
  const std::filesystem::path path = test::temporary_dir("vrm") / "person.vrm";
  Warnings warnings;
  const auto written = write_vrm(path, *asset.character, {}, make_vrm(), &warnings);
  ASSERT_TRUE(written) << written.error().format();
  EXPECT_TRUE(warnings.empty()) << warnings[0].format();
  const auto vrm = read_vrm(path);
  ASSERT_TRUE(vrm && *vrm);
  EXPECT_EQ((*vrm)->spec_version, "1.0");
  EXPECT_EQ((*vrm)->meta.name, "Ann \"A\"");
  EXPECT_EQ((*vrm)->meta.version, "2");
  EXPECT_EQ((*vrm)->meta.authors, (std::vector<std::string>{"Me", "You"}));
  EXPECT_FALSE((*vrm)->meta.licence.empty());
  const auto again = read_asset(path);  // By content, whatever the name.
  ASSERT_TRUE(again);
  ASSERT_EQ((*vrm)->bones.size(), required_human_bones().size());
  for (const HumanBone& bone : (*vrm)->bones) EXPECT_EQ(again->character->skeleton->name(bone.joint), "J_" + bone.name);
}

TEST(Vrm, MissingBonesAndDoubleJointsAreRefused) {
  const Asset asset = make_person();
  const std::filesystem::path path = test::temporary_dir("vrm_bad") / "person.vrm";
  Vrm vrm = make_vrm();
  vrm.bones.pop_back();
  const auto missing = write_vrm(path, *asset.character, {}, vrm);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("rightHand"), std::string::npos) << missing.error().message;
  vrm = make_vrm();
  vrm.bones[1].joint = vrm.bones[0].joint;
  EXPECT_FALSE(write_vrm(path, *asset.character, {}, vrm));
  vrm.bones[1].joint = 99;
  EXPECT_FALSE(write_vrm(path, *asset.character, {}, vrm));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Vrm, ArmsDownGiveAWarning) {
  const Asset asset = make_person();
  auto character = std::make_shared<Character>(*asset.character);
  std::vector<JointDesc> joints(character->skeleton->joints().begin(), character->skeleton->joints().end());
  for (JointDesc& joint : joints) {
    if (joint.name.ends_with("Hand")) joint.rest_local.translation.y = 0.5F;
  }
  character->skeleton = Skeleton::create(joints).value();
  Warnings warnings;
  ASSERT_TRUE(write_vrm(test::temporary_dir("vrm_arms") / "a.vrm", *character, {}, make_vrm(), &warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("T-pose"), std::string::npos);
}

TEST(Vrm, OldFilesAndDamage) {
  const auto read = [](const std::string& extension) {
    const std::string text = R"({"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1,2]},{"name":"b"},)"
                             R"({"name":"c"}],"scenes":[{"nodes":[0]}],"scene":0)" +
                             extension + "}";
    return read_vrm(as_bytes(std::string_view(text)));
  };
  const auto old =
      read(R"(,"extensions":{"VRM":{"meta":{"title":"T","author":"A","version":"3","licenseName":"CC0"},"humanoid":)"
           R"({"humanBones":[{"bone":"hips","node":0},{"bone":"leftThumbProximal","node":1},)"
           R"({"bone":"leftThumbIntermediate","node":2},{"bone":"head","node":7},{"node":1},5]}}})");
  ASSERT_TRUE(old && *old) << (old ? "" : old.error().format());
  EXPECT_EQ((*old)->spec_version, "0.x");
  EXPECT_EQ((*old)->meta.name, "T");
  EXPECT_EQ((*old)->meta.authors, std::vector<std::string>{"A"});
  EXPECT_EQ((*old)->bones, (std::vector<HumanBone>{{"hips", 0}, {"leftThumbMetacarpal", 1}, {"leftThumbProximal", 2}}));
  const auto plain = read("");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(*plain);
  for (const char* odd : {R"(,"extensions":{"VRMC_vrm":5})", R"(,"extensions":{"VRMC_vrm":{"humanoid":[1]}})",
                          R"(,"extensions":{"VRM":{"humanoid":{"humanBones":{"hips":{"node":-1}}},"meta":"x"}})"}) {
    const auto vrm = read(odd);
    ASSERT_TRUE(vrm && *vrm) << odd;
    EXPECT_TRUE((*vrm)->bones.empty());
  }
  EXPECT_FALSE(read(","));
}

}  // namespace
}  // namespace zoe::io
