// SPDX-License-Identifier: MIT
#include "zoe/features/schema.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/features/find_schema.h"
#include "zoe/features/layout.h"

#include "features/turning_walker.h"
#include "support/data.h"

namespace zoe::features {
namespace {

std::string error_of(const std::string& toml) {
  const auto schema = Schema::parse(toml, "my.toml");
  return schema ? "parsed" : schema.error().format();
}

TEST(Channel, TextsComeBack) {
  for (const char* text :
       {"joint.position", "joint parts=position,z_axis,y_axis,velocity joints=feet,hips at=-1",
        "root parts=position,direction,style times=-1:1:13", "root.delta turn=degrees per=second", "phase.local",
        "signal name=sonar width=12", "signal name='the sea' width=3", "goal parts=position,action times=0:1:3",
        "gating", "joint parts=position,contact joints=all,-hips space=canonical", "root.position space=goal",
        "joint.velocity joints='Bip01 L Foot,Bip01 R Foot' space=parent", "terrain times=-1:0.5:12"}) {
    const auto channel = parse_channel(text);
    ASSERT_TRUE(channel) << channel.error().format();
    EXPECT_EQ(to_text(*channel), text);
  }
}

TEST(Channel, MistakesAreNamed) {
  EXPECT_NE(parse_channel("joint.positon").error().message.find("did you mean 'position'"), std::string::npos);
  EXPECT_NE(parse_channel("joints.position").error().message.find("did you mean 'joint'"), std::string::npos);
  EXPECT_NE(parse_channel("joint").error().message.find("name the parts"), std::string::npos);
  EXPECT_NE(parse_channel("joint.direction").error().message.find("a joint has no part 'direction'"),
            std::string::npos);
  EXPECT_NE(parse_channel("joint.position tims=0:1:2").error().message.find("did you mean 'times'"), std::string::npos);
  EXPECT_NE(parse_channel("root.position times=0:1").error().message.find("start:end:count"), std::string::npos);
  EXPECT_NE(parse_channel("root.position times=1:0:3").error().message.find("start:end:count"), std::string::npos);
  EXPECT_NE(parse_channel("signal name=sonar").error().message.find("name= and width="), std::string::npos);
  EXPECT_NE(parse_channel("contact width=3").error().message.find("only a signal"), std::string::npos);
  EXPECT_NE(parse_channel("root.position space=parent").error().message.find("cannot be in space 'parent'"),
            std::string::npos);
  EXPECT_NE(parse_channel("goal").error().message.find("name the parts"), std::string::npos);
  EXPECT_EQ(to_text(parse_channel("joint.rotation_6d").value()), "joint parts=x_axis,y_axis");
  EXPECT_NE(parse_channel("").error().message.find("empty"), std::string::npos);
}

TEST(Schema, UnknownKeysAndWordsAreRefusedWithPlaceAndRemedy) {
  EXPECT_NE(error_of("fsp = 30.0").find("did you mean 'fps'"), std::string::npos);
  EXPECT_NE(error_of("fps = 0.0").find("fps must be 1 to 1000"), std::string::npos);
  EXPECT_NE(error_of("[root]\nfacing = \"cat\"").find("my.toml"), std::string::npos);
  EXPECT_NE(error_of("[root]\njoints = [\"Hips\"]").find("six names"), std::string::npos);
  EXPECT_NE(error_of("[input]\nsteps = \"0\"").find("start:end:count"), std::string::npos);
  EXPECT_NE(Schema::preset("locmotion").error().message.find("did you mean 'locomotion'"), std::string::npos);
}

TEST(Schema, PresetsParseAndComeBackFromText) {
  for (const std::string& name : preset_names()) {
    const auto schema = Schema::preset(name);
    ASSERT_TRUE(schema) << name << ": " << schema.error().format();
    EXPECT_EQ(schema->name, name);
    const auto again = Schema::parse(schema->to_toml());
    ASSERT_TRUE(again) << again.error().format();
    EXPECT_EQ(again->to_toml(), schema->to_toml());
    EXPECT_EQ(again->blocks, schema->blocks);
  }
}

TEST(Layout, ComesBackFromTextWithoutAnAnalysis) {
  const SkeletonPtr skeleton = test::walker_skeleton();
  Schema schema = Schema::preset("locomotion").value();
  const Layout layout = Layout::compile(schema, *skeleton, test::walker_analysis()).value();
  const auto again = Layout::from_toml(layout.to_toml(), *skeleton, "layout.toml");
  ASSERT_TRUE(again) << again.error().format();
  EXPECT_EQ(again->to_toml(), layout.to_toml());
  EXPECT_EQ(again->frame_width(), layout.frame_width());
  EXPECT_EQ(again->root_joints().left_hip, 1);
  EXPECT_TRUE(std::equal(again->row_sources().begin(), again->row_sources().end(), layout.row_sources().begin(),
                         layout.row_sources().end()));

  const SkeletonPtr other = Skeleton::create({{"Hips"}, {"Spine", 0}}).value();
  EXPECT_NE(Layout::from_toml(layout.to_toml(), *other).error().message.find("6 joints"), std::string::npos);
  EXPECT_NE(Layout::from_toml(schema.to_toml(), *skeleton).error().message.find("compile it"), std::string::npos);
  std::string changed = layout.to_toml();
  changed.replace(changed.find("widths = [") + 10, 1, "9");
  EXPECT_NE(Layout::from_toml(changed, *skeleton).error().message.find("other widths"), std::string::npos);
}

TEST(Layout, JointsByNameRoleAndIndex) {
  const SkeletonPtr skeleton = test::walker_skeleton();
  Schema schema =
      Schema::parse("[input]\nchannels = [\"joint.position joints=Head,feet,#0\", \"joint.position joints=legs\"]")
          .value();
  const Layout layout = Layout::compile(schema, *skeleton, test::walker_analysis()).value();
  ASSERT_EQ(layout.row_sources().size(), 2U);
  EXPECT_EQ(layout.row_sources()[0].joints, (std::vector<int>{5, 2, 4, 0}));
  EXPECT_EQ(layout.row_sources()[1].joints, (std::vector<int>{1, 2, 3, 4}));
  schema.block(BlockKind::kInput).channels[0].joints = {"LeftFot"};
  EXPECT_NE(Layout::compile(schema, *skeleton, test::walker_analysis()).error().message.find("did you mean 'LeftFoot'"),
            std::string::npos);
  schema.block(BlockKind::kInput).channels[0].joints = {"hands"};
  EXPECT_NE(
      Layout::compile(schema, *skeleton, test::walker_analysis()).error().message.find("no hands found on this biped"),
      std::string::npos);
  schema.block(BlockKind::kInput).channels[0].joints = {"Pelvis"};
  EXPECT_NE(Layout::compile(schema, *skeleton, test::walker_analysis())
                .error()
                .message.find("by role: hips = Hips, head = Head, feet = LeftFoot RightFoot"),
            std::string::npos);
  schema.block(BlockKind::kInput).channels[0].joints = {"all", "-legs", "-Head"};
  EXPECT_EQ(Layout::compile(schema, *skeleton, test::walker_analysis()).value().row_sources()[0].joints,
            (std::vector<int>{0}));
  schema.contact_joints = {"RightFot"};
  EXPECT_NE(Layout::compile(schema, *skeleton, test::walker_analysis())
                .error()
                .message.find("[joints] contacts: no joint or role 'RightFot'; did you mean 'RightFoot'"),
            std::string::npos);
}

// A user's folder of clips may have a preset's name.
TEST(Schema, AFolderOfAPresetsNameIsNoFile) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path here = zoe::test::temporary_dir("find_schema");
  std::filesystem::create_directories(here / "anytop");
  std::ofstream(here / "pfnn") << "name = 'mine'\n";
  std::filesystem::current_path(here);
  EXPECT_EQ(find_schema("anytop").value().name, Schema::preset("anytop").value().name);
  EXPECT_EQ(find_schema("pfnn").value().name, "mine");
  EXPECT_FALSE(find_schema("absent.toml"));
  EXPECT_FALSE(find_schema("absent"));
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace zoe::features
