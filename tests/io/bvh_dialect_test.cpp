// SPDX-License-Identifier: MIT
// Every spelling of BVH that we know of, and damage that is mended with a warning.
#include "zoe/math/euler.h"

#include "io/bvh_support.h"

namespace zoe::test {
namespace {

// A root with six channels and a child with three; `motion` follows.
std::string two_joints(const std::string& motion) {
  return "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition "
         "Zrotation Xrotation "
         "Yrotation\n JOINT Leg\n {\n  OFFSET 0 -1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n "
         " End Site\n  {\n"
         "   OFFSET 0 -0.5 0\n  }\n }\n}\nMOTION\n" +
         motion;
}

const std::string kRows = "1 2 3 90 0 0 0 0 0\n4 5 6 0 90 0 10 20 30\n";

void expect_rows(const Result<io::Asset>& asset) {
  ASSERT_TRUE(asset) << asset.error().format();
  ASSERT_EQ(asset->clips.size(), 1U);
  const Motion& motion = asset->clips[0];
  ASSERT_EQ(motion.num_frames, 2);
  EXPECT_EQ(motion.translations[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(motion.translations[3], (Vec3{4, 5, 6}));
  EXPECT_LT(angle_between(motion.rotations[0], axis_rotation(2, 1.57079633F)), 1e-6F);
  const Quat expected = to_float(
      from_euler<double>(EulerOrder::kZXY, {10 * kRadiansPerDegree, 20 * kRadiansPerDegree, 30 * kRadiansPerDegree}));
  EXPECT_LT(angle_between(motion.rotations[4], expected), 1e-6F);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(BvhDialect, LineEndsOfEverySystem) {
  const std::string text = two_joints("Frames: 2\nFrame Time: 0.0333333\n" + kRows);
  for (const std::string& variant : {text, replaced(text, "\n", "\r\n"), replaced(text, "\n", "\r"),
                                     replaced(text, " ", "\t"), "\xef\xbb\xbf" + text, replaced(text, "\n", " \t\n\n"),
                                     text.substr(0, text.size() - 1), text + std::string(3, '\0')}) {
    const auto asset = read_text(variant);
    expect_rows(asset);
    EXPECT_TRUE(asset->warnings.empty()) << asset->warnings[0].format();
    EXPECT_EQ(asset->clips[0].fps, 30);
  }
}

TEST(BvhDialect, NumbersOfOtherLocales) {
  const std::string head = "Frames: 2\nFrame Time: 0,0333333\n";
  expect_rows(read_text(two_joints(head + "1,0 2,0 3,0 90,0 0,0 0 0 0 0\n4,0 5 6 0 90,0 0 10,0 20,0 30\n")));
  expect_rows(read_text(two_joints(head + "1.0, 2.0, 3, 90, 0, 0, 0, 0, 0,\n4, 5, 6, 0, 90, 0, 10, 20, 30,\n")));
  expect_rows(read_text(two_joints(head + "1,2,3,90,0,0,0,0,0\n4;5;6;0;90;0;10;20;30\n")));
  expect_rows(read_text(two_joints(head + "+1e0 20E-1 3. 9.0e+1 0 -0 0 0 0\n4 5 6 0 90 0 10 20 30\n")));
}

TEST(BvhDialect, NumbersThatAreNotFiniteKeepTheFrameBefore) {
  const auto asset = read_text(two_joints("Frames: 3\nFrame Time: 0.1\n" + kRows + "nan 7 -1.#IND inf 0 0 0 0 1e99\n"));
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_EQ(asset->clips[0].translations[6], (Vec3{4, 7, 6}));
  EXPECT_TRUE(has_warning(*asset, "not finite"));
  EXPECT_EQ(asset->warnings[0].where.line, 21);
  const auto first = read_text(two_joints("Frames: 1\nFrame Time: 0.1\nnan nan nan nan 0 0 0 0 0\n"));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->clips[0].translations[0], (Vec3{0, 1, 0}));  // The rest pose.
}

TEST(BvhDialect, FrameCountsThatAreWrongOrMissing) {
  struct Case {
    const char* head;
    const char* warning;
  };
  for (const Case& c :
       {Case{"Frames: 5\nFrame Time: 0.1\n", "states 5 frames"},
        Case{"Frames: 1\nFrame Time: 0.1\n", "states 1 frames"}, Case{"Frame Time: 0.1\n", "no frame count"},
        Case{"Frames: 2\n", "no frame time"}, Case{"", "no frame time"},
        Case{"Frames: many\nFrame Time: 0.1\n", "no frame count"}, Case{"Frames: 2\nFrame Time: 0\n", "no frame time"},
        Case{"Frames: 999999999999\nFrame Time: 0.1\n", "states"}}) {
    SCOPED_TRACE(c.head);
    const auto asset = read_text(two_joints(c.head + kRows));
    expect_rows(asset);
    EXPECT_TRUE(has_warning(*asset, c.warning));
  }
  for (const char* head : {"Frame Time: 0.1\nFrames: 2\n", "FRAMES:2\nFRAME TIME:0.1\n", "frames 2\nFrameTime 0.1\n",
                           "Frames : 2\nFrame Time : 0.1\n", "Frames: 2 Frame Time: 0.1 "}) {
    SCOPED_TRACE(head);
    const auto asset = read_text(two_joints(head + kRows));
    expect_rows(asset);
    EXPECT_EQ(asset->clips[0].fps, 10);
    EXPECT_TRUE(asset->warnings.empty()) << asset->warnings[0].format();
  }
}

TEST(BvhDialect, RowsThatDoNotFollowLines) {
  const std::string head = "Frames: 2\nFrame Time: 0.1\n";
  const auto wrapped = read_text(two_joints(head + "1 2 3\n90 0 0 0 0 0\n4 5 6\n0 90 0 10 20 30\n"));
  expect_rows(wrapped);
  EXPECT_TRUE(has_warning(*wrapped, "one after the other"));
  expect_rows(read_text(two_joints(head + replaced(kRows, "\n", " "))));
  const auto cut = read_text(two_joints("Frames: 3\nFrame Time: 0.1\n" + kRows + "1 2 3"));
  expect_rows(cut);
  EXPECT_TRUE(has_warning(*cut, "ends inside frame 2"));
  const auto trailer = read_text(two_joints(head + kRows + "\nexported by nobody\n"));
  expect_rows(trailer);
  EXPECT_TRUE(has_warning(*trailer, "follows the last frame"));
}

TEST(BvhDialect, DamagedRowsAreRefusedWithTheirLine) {
  const std::string head = "Frames: 3\nFrame Time: 0.1\n";
  for (const char* row : {"1 2 3\n", "1 2 3 90 0 0 0 0 0 0\n", "1 2 3 90 0 zero 0 0 0\n"}) {
    const auto asset = read_text(two_joints(head + "1 2 3 90 0 0 0 0 0\n" + row + "1 2 3 90 0 0 0 0 0\n"));
    ASSERT_FALSE(asset) << row;
    EXPECT_EQ(asset.error().where.line, 20) << asset.error().format();
    EXPECT_EQ(asset.error().where.file, "test.bvh");
  }
}

TEST(BvhDialect, NamesBracesAndEndSites) {
  const auto asset = read_text(
      "hierarchy root My Rig:Hips {offset 0 0 0 channels 1 xROTATION\n"
      "joint A { OFFSET 1 0 0 CHANNELS 0 end site { offset 1 0 0 } }\n"
      "JOINT A\n{\nOFFSET 2 0 0\nEnd Site Tip of A\n{\nOFFSET 1 0 0\nCHANNELS 0\n}\n}\n"
      "JOINT\n{\nOFFSET 3 0 0\nEndSite\n{\nOFFSET 1 0 0\n}\n}\n}\n"
      "ROOT Prop { OFFSET 5 0 0 CHANNELS 3 Xposition Yposition\nZposition }\nMOTION\nFrames: "
      "1\nFrame Time: 1\n90 7 8 9\n");
  ASSERT_TRUE(asset) << asset.error().format();
  const Skeleton& skeleton = *asset->character->skeleton;
  ASSERT_EQ(skeleton.num_joints(), 8);
  const std::vector<std::string> names{"My Rig:Hips", "A", "A_End", "A", "Tip of A", "joint_5", "joint_5_End", "Prop"};
  const std::vector<int> parents{-1, 0, 1, 0, 3, 0, 5, -1};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(skeleton.name(i), names[static_cast<std::size_t>(i)]);
    EXPECT_EQ(skeleton.parent(i), parents[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(skeleton.kind(2), JointKind::kEndSite);
  EXPECT_EQ(skeleton.kind(4), JointKind::kEndSite);
  EXPECT_EQ(skeleton.kind(3), JointKind::kBone);
  EXPECT_EQ(asset->clips[0].translations[7], (Vec3{7, 8, 9}));
  EXPECT_TRUE(has_warning(*asset, "used twice"));
  EXPECT_TRUE(has_warning(*asset, "without a name"));
}

TEST(BvhDialect, NineChannelsAndRotationBeforePosition) {
  const auto asset = read_text(
      "HIERARCHY\nROOT A\n{\nOFFSET 1 2 3\nCHANNELS 9 Xposition Yposition Zposition Zrotation "
      "Yrotation Xrotation "
      "Xscale Yscale Zscale\nJOINT B\n{\nOFFSET 4 5 6\nCHANNELS 6 Xrotation Yrotation Zrotation "
      "Zposition Yposition "
      "Xposition\n}\nJOINT C\n{\nOFFSET 7 8 9\nCHANNELS 2 Yposition "
      "Yrotation\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n"
      "10 20 30 0 0 90 1 2 3 0 90 0 3 2 1 -8 180\n");
  ASSERT_TRUE(asset) << asset.error().format();
  const Motion& motion = asset->clips[0];
  EXPECT_EQ(motion.translations[0], (Vec3{10, 20, 30}));
  EXPECT_EQ(motion.translations[1], (Vec3{1, 2, 3}));
  EXPECT_EQ(motion.translations[2], (Vec3{7, -8, 9}));  // Only y is replaced.
  ASSERT_EQ(motion.scales.size(), 3U);
  EXPECT_EQ(motion.scales[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(motion.scales[1], (Vec3{1, 1, 1}));
  EXPECT_LT(angle_between(motion.rotations[0], axis_rotation(0, 1.57079633F)), 1e-6F);
  EXPECT_LT(angle_between(motion.rotations[1], axis_rotation(1, 1.57079633F)), 1e-6F);
}

TEST(BvhDialect, AxesThatRepeatMultiplyInOrder) {
  const auto asset = read_text(
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Zrotation\n}\n"
      "MOTION\nFrames: 1\nFrame Time: 1\n30 40 50\n");
  ASSERT_TRUE(asset) << asset.error().format();
  const double d = kRadiansPerDegree;
  const Quatd expected = axis_rotation(2, 30 * d) * axis_rotation(0, 40 * d) * axis_rotation(2, 50 * d);
  EXPECT_LT(angle_between(to_double(asset->clips[0].rotations[0]), expected), 1e-6);
}

TEST(BvhDialect, ManyTurnsStayExactAndContinuous) {
  std::string rows;
  for (int frame = 0; frame < 100; ++frame) rows += std::to_string(frame * 77) + "\n";
  rows += "1e12\n";
  const auto asset = read_text(
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\nMOTION\nFrames: 101\n"
      "Frame Time: 1\n" +
      rows);
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(is_continuous(asset->clips[0]));
  for (int frame = 0; frame <= 100; ++frame) {
    const double angle_deg = frame == 100 ? 280 : (frame * 77) % 360;  // 1e12 = 280 modulo 360.
    EXPECT_LT(angle_between(to_double(asset->clips[0].rotations[static_cast<std::size_t>(frame)]),
                            axis_rotation(1, angle_deg * kRadiansPerDegree)),
              1e-6)
        << frame;
  }
}

TEST(BvhDialect, UnitsAndUpAxis) {
  const std::string text = two_joints("Frames: 2\nFrame Time: 0.1\n" + kRows);
  const auto plain = read_text(text), scaled = read_text(text, {.metres_per_unit = 0.01}),
             turned = read_text(text, {.up = 'z'});
  ASSERT_TRUE(plain && scaled && turned);
  EXPECT_FALSE(plain->source.unit_known);
  EXPECT_TRUE(scaled->source.unit_known);
  EXPECT_EQ(scaled->source.metres_per_unit, 0.01);
  EXPECT_EQ(turned->source.up_axis, 'z');
  for (int frame = 0; frame < 2; ++frame) {
    const auto a = model_pose(plain->clips[0], frame), b = model_pose(scaled->clips[0], frame),
               c = model_pose(turned->clips[0], frame);
    for (std::size_t j = 0; j < a.size(); ++j) {
      EXPECT_LT(distance(a[j].t * 0.01F, b[j].t), 1e-7F);
      EXPECT_LT(distance(Vec3{a[j].t.x, a[j].t.z, -a[j].t.y}, c[j].t), 2e-6F);
    }
  }
  EXPECT_EQ(read_text(text, {.up = 'x'}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(read_text(text, {.metres_per_unit = -1}).error().code, ErrorCode::kUsage);
}

// Two feet below the root along z: the file is Z up, which it cannot state.
TEST(BvhDialect, ABodyThatStandsAlongZIsNamed) {
  const auto standing = [](const char* leg) {
    return std::string("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n") +
           "JOINT LeftFoot\n{\nOFFSET " + leg + "\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\nJOINT RightFoot\n{\nOFFSET " + leg +
           "\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n";
  };
  const std::string z = standing("0 0 -9"), y = standing("0 -9 0");
  const auto wrong = read_text(z), right = read_text(z, {.up = 'z'}), plain = read_text(y),
             turned = read_text(y, {.up = 'z'});
  ASSERT_TRUE(wrong && right && plain && turned);
  EXPECT_TRUE(has_warning(*wrong, "--bvh-up z"));
  EXPECT_FALSE(has_warning(*right, "--bvh-up"));
  EXPECT_FALSE(has_warning(*plain, "--bvh-up"));
  EXPECT_FALSE(has_warning(*turned, "--bvh-up z"));
}

TEST(BvhDialect, HierarchiesThatAreMendedOrRefused) {
  const auto counted = read_text(
      "ROOT A\n{\nOFFSET 0 0 0\nCHANNELS 6 Xrotation Yrotation\n}\nMOTION\nFrames: 1\nFrame "
      "Time: 1\n5 6\n");
  ASSERT_TRUE(counted) << counted.error().format();
  EXPECT_TRUE(has_warning(*counted, "CHANNELS says 6"));
  EXPECT_TRUE(has_warning(*counted, "HIERARCHY keyword"));
  const auto rest = read_text("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n");
  ASSERT_TRUE(rest) << rest.error().format();
  EXPECT_TRUE(rest->clips.empty());

  struct Case {
    const char* text;
    const char* message;
    int line;
  };
  for (const Case& c :
       {Case{"", "HIERARCHY", 1}, Case{"hello", "HIERARCHY", 1}, Case{"HIERARCHY\n", "no joint", 2},
        Case{"HIERARCHY\nROOT A\n{\nOFFSET 0 0\n}\n", "three numbers", 4},
        Case{"HIERARCHY\nROOT A\n{\nOFFSET 0 nan 0\n}\n", "finite", 4},
        Case{"HIERARCHY\nROOT A\n{\nCHANNELS 1 Wrotation\n}\n", "Wrotation", 4},
        Case{"HIERARCHY\nROOT A\n{\nOFFSET 0 0 0", "the file ends before the '{' of line 3 is closed; 1 '}' is missing",
             4},
        Case{"HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT B\n{\nOFFSET 0 0 0\nMOTION\nFrames: 1\n"
             "Frame Time: 1\n5\n",
             "MOTION is reached before the '{' of line 7 is closed; 2 '}' are missing", 9},
        Case{"HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n5\n",
             "'}' too many", 7},
        Case{"HIERARCHY\nOFFSET 0 0 0\n", "outside", 2}, Case{"HIERARCHY\nROOT A\nOFFSET 0 0 0\n", "expected '{'", 3},
        Case{"HIERARCHY\nROOT A\n{\nBANANA\n}\n", "BANANA", 4}, Case{"\xff\xfeH", "UTF-16", 1}}) {
    const auto asset = read_text(c.text);
    ASSERT_FALSE(asset) << c.text;
    EXPECT_NE(asset.error().message.find(c.message), std::string::npos) << asset.error().format();
    EXPECT_EQ(asset.error().where.line, c.line) << asset.error().format();
  }
}

}  // namespace
}  // namespace zoe::test
