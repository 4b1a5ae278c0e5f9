// SPDX-License-Identifier: MIT
#include <random>

#include "io/bvh/number_format.h"
#include "io/bvh_support.h"
#include "support/data.h"

namespace zoe::test {
namespace {

// Worst distance of joints of the same name (and order), as a share of the span.
double worst_error(const Motion& a, const Motion& b, double b_scale = 1.0) {
  EXPECT_EQ(a.num_frames, b.num_frames);
  EXPECT_EQ(a.num_joints(), b.num_joints());
  double worst = 0;
  for (int frame = 0; frame < a.num_frames; ++frame) {
    const auto pose_a = model_pose(a, frame), pose_b = model_pose(b, frame);
    const double span = span_of(pose_a);
    for (std::size_t j = 0; j < pose_a.size(); ++j) {
      const double error = length(to_double(pose_a[j].t) - to_double(pose_b[j].t) * b_scale);
      worst = std::max(worst, error / std::max(span, 1e-6));
    }
  }
  return worst;
}

Motion round_trip(const Motion& motion, const io::BvhWriteOptions& options = {}, Warnings* warnings = nullptr) {
  const auto text = io::format_bvh(motion, options, warnings);
  EXPECT_TRUE(text) << text.error().format();
  auto asset = read_text(*text);
  EXPECT_TRUE(asset) << asset.error().format();
  // Bodies of Z-up files stand along z here too.
  std::erase_if(asset->warnings, [](const Warning& w) { return w.message.find("--bvh-up z") != std::string::npos; });
  EXPECT_TRUE(asset->warnings.empty()) << asset->warnings[0].format();
  return std::move(asset->clips.at(0));
}

TEST(BvhWrite, SharedFilesComeBackTheSame) {
  ZOE_NEED_DATA(data);
  std::vector<std::filesystem::path> files{data / "quadruped/dog_mann_bvh/D1_008_KAN01_001.bvh",
                                           data / "biped/cmu/16_15.bvh", data / "biped/lafan1/push1_subject2.bvh",
                                           data / "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data / "conformance/bvh")) {
    if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  }
  int num_files = 0;
  for (const auto& file : files) {
    const auto asset = io::read_bvh(file);
    if (!asset || asset->clips.empty()) continue;
    SCOPED_TRACE(file.string());
    const Motion& motion = asset->clips[0];
    const Motion back = round_trip(motion);
    EXPECT_LE(worst_error(motion, back), 1e-5);
    EXPECT_NEAR(back.fps, motion.fps, 1e-6);
    for (int joint = 0; joint < motion.num_joints(); ++joint) {
      EXPECT_EQ(back.skeleton->name(joint), motion.skeleton->name(joint));
      EXPECT_EQ(back.skeleton->parent(joint), motion.skeleton->parent(joint));
      EXPECT_EQ(back.skeleton->kind(joint), motion.skeleton->kind(joint));
    }
    ++num_files;
  }
  EXPECT_GE(num_files, 25);
}

// A small rig with two roots, a plain node, an End Site, and rest rotations.
SkeletonPtr make_rig() {
  const Quat turn = normalized(Quat{0.1F, -0.4F, 0.2F, 0.8F});
  return Skeleton::create({{"Hips", kNoJoint, {{0, 1, 0}, turn}},
                           {"Prop {1}", kNoJoint, {{2, 0, 0}}, JointKind::kNode},
                           {"Leg", 0, {{0.1F, -0.4F, 0}, turn}},
                           {"Helper", 1, {{0, 0.5F, 0}}, JointKind::kNode},
                           {"Toe", 2, {{0, -0.4F, 0.1F}}, JointKind::kEndSite}})
      .value();
}

Motion make_random_motion(const SkeletonPtr& skeleton, int frames, bool with_scales) {
  Motion motion = make_motion(skeleton, "random", 60, frames, with_scales);
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const int joint = static_cast<int>(i) % skeleton->num_joints();
    if (skeleton->kind(joint) == JointKind::kEndSite) continue;
    motion.rotations[i] = normalized(Quat{normal(random), normal(random), normal(random), normal(random)});
    if (skeleton->parent(joint) == kNoJoint) motion.translations[i] = {normal(random), normal(random), normal(random)};
    if (with_scales) motion.scales[i] = {1 + 0.2F * std::abs(normal(random)), 1.5F, 0.7F};
  }
  make_continuous(motion);
  return motion;
}

TEST(BvhWrite, RigsOfOtherFormatsKeepEveryJoint) {
  const Motion motion = make_random_motion(make_rig(), 50, false);
  for (const EulerOrder order :
       {EulerOrder::kXYZ, EulerOrder::kXZY, EulerOrder::kYXZ, EulerOrder::kYZX, EulerOrder::kZXY, EulerOrder::kZYX}) {
    const auto text = io::format_bvh(motion, {.euler_order = order});
    const auto asset = read_text(*text);
    ASSERT_TRUE(asset) << asset.error().format();
    const Motion& back = asset->clips[0];
    // Roots come one after the other with their children: Hips, Leg, Toe, Prop, Helper.
    const std::vector<int> order_in_file{0, 3, 1, 4, 2};
    for (int frame = 0; frame < 50; ++frame) {
      const auto a = model_pose(motion, frame), b = model_pose(back, frame);
      for (std::size_t j = 0; j < a.size(); ++j) {
        const auto k = static_cast<std::size_t>(order_in_file[j]);
        EXPECT_LT(distance(a[j].t, b[k].t), 1e-5F);
        EXPECT_LT(angle_between(rotation_of(a[j]), rotation_of(b[k])), 1e-5F);
      }
    }
    EXPECT_EQ(back.skeleton->name(3), "Prop _1_");
    EXPECT_EQ(back.skeleton->kind(2), JointKind::kEndSite);
    EXPECT_EQ(back.skeleton->name(2), "Leg_End");
  }
  EXPECT_NE(io::format_bvh(motion, {.end_site_names = true})->find("End Site Toe"), std::string::npos);
}

TEST(BvhWrite, ScaleIsBakedIntoPositionsWithAWarning) {
  const SkeletonPtr skeleton = Skeleton::create({{"A", kNoJoint, {{0, 1, 0}, {}, {2, 2, 2}}},
                                                 {"B", 0, {{0, 1, 0}}},
                                                 {"C", 1, {{0, 1, 0.5F}}},
                                                 {"C_End", 2, {{0, 1, 0}}, JointKind::kEndSite}})
                                   .value();
  const Motion motion = make_random_motion(skeleton, 20, true);
  Warnings warnings;
  const Motion back = round_trip(motion, {}, &warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("scale"), std::string::npos);
  EXPECT_TRUE(back.scales.empty());
  EXPECT_LE(worst_error(motion, back), 1e-5);
}

TEST(BvhWrite, UnitsPrecisionAndRestPose) {
  const Motion motion = make_random_motion(make_rig(), 1, false);
  const auto centimetres = io::format_bvh(motion, {.scale = 100, .precision = 3});
  EXPECT_NE(centimetres->find("OFFSET 10.000 -40.000 0.000\n"), std::string::npos) << *centimetres;

  io::Asset rig;
  auto character = std::make_shared<Character>();
  character->skeleton = make_rig();
  rig.character = character;
  const auto path = temporary_dir("bvh") / "rest.bvh";
  ASSERT_TRUE(io::write_bvh(path, rig));
  const auto back = io::read_bvh(path);
  ASSERT_TRUE(back) << back.error().format();
  ASSERT_EQ(back->clips.at(0).num_frames, 1);
  EXPECT_EQ(back->clips[0].name, "rest");
  const auto pose = model_pose(back->clips[0], 0);
  EXPECT_LT(distance(pose[1].t, character->skeleton->rest_model()[2].t), 1e-5F);
  EXPECT_EQ(io::write_bvh(path, rig, 1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(io::format_bvh(make_motion(Skeleton::create({}).value(), "", 30, 1, false)).error().code,
            ErrorCode::kUsage);
}

TEST(BvhWrite, AnglesDoNotJump) {
  // A steady turn about a slanted axis passes +-180 degrees and the poles of every Euler order.
  const SkeletonPtr skeleton = Skeleton::create({{"A", kNoJoint, {}}}).value();
  Motion motion = make_motion(skeleton, "spin", 100, 400, false);
  const Vec3 axis = normalized(Vec3{0.3F, 1, 0.2F});
  for (int i = 0; i < 400; ++i)
    motion.rotations[static_cast<std::size_t>(i)] = from_axis_angle(axis, 0.05F * static_cast<float>(i));
  const auto text = io::format_bvh(motion);
  std::istringstream rows(text->substr(text->find("0.01\n") + 5));
  double last[6], now[6];
  for (int frame = 0; frame < 400; ++frame) {
    for (double& value : now) rows >> value;
    for (int i = 3; i < 6 && frame > 0; ++i) EXPECT_LT(std::abs(now[i] - last[i]), 60) << frame;
    std::copy(now, now + 6, last);
  }
  EXPECT_LE(worst_error(motion, round_trip(motion)), 1e-5);
}

TEST(BvhWrite, NumbersReadBackAsTheyWere) {
  std::mt19937_64 random(11);
  for (int precision : {0, 3, 6, 12}) {
    const io::bvh::NumberFormat format(precision);
    for (int i = 0; i < 20000; ++i) {
      const double value =
          std::uniform_real_distribution<double>(-1, 1)(random) * std::pow(10.0, static_cast<int>(random() % 12) - 4);
      char buffer[io::bvh::kMaxNumberLength];
      const std::string text(buffer, format.write(value, buffer));
      EXPECT_NEAR(std::stod(text), value, 0.5000001 * std::pow(10.0, -precision) + std::abs(value) * 1e-15) << text;
    }
  }
  char buffer[io::bvh::kMaxNumberLength];
  const io::bvh::NumberFormat format(6);
  EXPECT_EQ(std::string(buffer, format.write(-1e-9, buffer)), "0.000000");
  EXPECT_EQ(std::string(buffer, format.write(-0.5, buffer)), "-0.500000");
  EXPECT_EQ(std::stod(std::string(buffer, format.write(-3e38, buffer))), -3e38);
}

}  // namespace
}  // namespace zoe::test
