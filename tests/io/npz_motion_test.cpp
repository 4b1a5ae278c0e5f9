// SPDX-License-Identifier: MIT
// Motions in AI4AnimationPy's layout: read, written, compared with the same clips as BVH.
#include <random>

#include "zoe/io/npz.h"
#include "zoe/io/npz_file.h"

#include "io/bvh_support.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::test {
namespace {

TEST(NpzMotion, DogClipsEqualTheirBvhTwins) {
  ZOE_NEED_DATA(data);
  for (const char* clip : {"D1_008_KAN01_001", "D1_031_KAN01_001", "D1_047_KAN01_001"}) {
    SCOPED_TRACE(clip);
    const auto npz = io::read_motion_npz(data / "quadruped/dog_ai4animationpy" / (std::string(clip) + ".npz"));
    const auto bvh =
        io::read_bvh(data / "quadruped/dog_mann_bvh" / (std::string(clip) + ".bvh"), {.metres_per_unit = 0.01});
    ASSERT_TRUE(npz) << npz.error().format();
    ASSERT_TRUE(bvh) << bvh.error().format();
    EXPECT_TRUE(npz->warnings.empty());
    const Motion &a = npz->clips.at(0), &b = bvh->clips.at(0);
    ASSERT_TRUE(validate(a));
    EXPECT_EQ(a.name, clip);
    EXPECT_EQ(a.fps, 60);
    EXPECT_EQ(b.fps, 60);
    ASSERT_EQ(a.num_frames, b.num_frames);
    ASSERT_EQ(a.num_joints(), b.num_joints());
    EXPECT_TRUE(is_continuous(a));
    float worst_m = 0, worst_rad = 0;
    for (int frame = 0; frame < a.num_frames; ++frame) {
      const auto pose_a = model_pose(a, frame), pose_b = model_pose(b, frame);
      for (std::size_t j = 0; j < pose_a.size(); ++j) {
        worst_m = std::max(worst_m, distance(pose_a[j].t, pose_b[j].t));
        worst_rad = std::max(worst_rad, angle_between(rotation_of(pose_a[j]), rotation_of(pose_b[j])));
      }
    }
    EXPECT_LE(worst_m, 1e-5F);
    EXPECT_LE(worst_rad, 1e-4F);
    // The rest pose that the archive lacks is found again.
    for (int joint = 0; joint < a.num_joints(); ++joint) {
      EXPECT_EQ(a.skeleton->parent(joint), b.skeleton->parent(joint));
      EXPECT_EQ(a.skeleton->kind(joint), b.skeleton->kind(joint));
      if (joint == 0) continue;
      EXPECT_LT(distance(a.skeleton->rest_local(joint).translation, b.skeleton->rest_local(joint).translation), 2e-5F);
    }
  }
}

TEST(NpzMotion, EverySharedArchiveLoads) {
  ZOE_NEED_DATA(data);
  constexpr FolderCount kFolders[] = {{"biped/style100_npz", 1}, {"quadruped/dog_ai4animationpy", 5}};
  const auto files = files_below(data, ".npz");
  EXPECT_EQ(missing_files(data, files, kFolders), "");
  for (const auto& file : files) {
    const auto asset = io::read_motion_npz(file);
    ASSERT_TRUE(asset) << asset.error().format();
    EXPECT_TRUE(validate(asset->clips.at(0)));
    EXPECT_EQ(asset->clips[0].fps, 60);
  }
}

SkeletonPtr make_tree(bool with_scale) {
  const Vec3 scale = with_scale ? Vec3{1.5F, 0.5F, 2} : Vec3{1, 1, 1};
  const Quat turn = normalized(Quat{0.3F, 0.1F, -0.2F, 0.9F});
  return Skeleton::create({{"Wurzel", kNoJoint, {{0, 1, 0}, turn, scale}},
                           {"左腕", 0, {{0.3F, 0.4F, 0}, turn, scale}},
                           {"Hand", 1, {{0.3F, 0, 0.2F}, turn, scale}},
                           {"HandSite", 2, {{0.1F, 0, 0}, turn, scale}, JointKind::kEndSite},
                           {"Prop", kNoJoint, {{3, 0, 0}, {}, scale}}})
      .value();
}

Motion make_wild_motion(const SkeletonPtr& skeleton, int frames, bool with_scale) {
  Motion motion = make_motion(skeleton, "wild", 24000.0 / 1001, frames, with_scale);
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    motion.rotations[i] = normalized(Quat{normal(random), normal(random), normal(random), normal(random)});
    motion.translations[i] += Vec3{normal(random), normal(random), normal(random)} * 0.1F;
    if (with_scale) motion.scales[i] = {1 + 0.5F * std::abs(normal(random)), 0.8F, 1.1F};
  }
  make_continuous(motion);
  return motion;
}

io::Asset round_trip(const Motion& motion, const io::MotionNpzWriteOptions& write = {},
                     const io::MotionNpzReadOptions& read = {}) {
  const auto bytes = io::encode_motion_npz(motion, write);
  EXPECT_TRUE(bytes) << bytes.error().format();
  auto asset = io::read_motion_npz(*bytes, "memory.npz", read);
  EXPECT_TRUE(asset) << asset.error().format();
  return std::move(*asset);
}

TEST(NpzMotion, RoundTripKeepsEveryTransform) {
  for (const bool with_scale : {false, true}) {
    const Motion motion = make_wild_motion(make_tree(with_scale), 30, with_scale);
    for (const int compression : {0, 6}) {
      const io::Asset asset = round_trip(motion, {.compression = compression});
      const Motion& back = asset.clips.at(0);
      ASSERT_TRUE(validate(back));
      EXPECT_EQ(back.name, "wild");
      EXPECT_DOUBLE_EQ(back.fps, motion.fps);
      EXPECT_EQ(back.scales.empty(), !with_scale);
      EXPECT_EQ(back.skeleton->name(1), "左腕");
      EXPECT_EQ(back.skeleton->kind(3), JointKind::kEndSite);
      for (int frame = 0; frame < motion.num_frames; ++frame) {
        const auto a = model_pose(motion, frame), b = model_pose(back, frame);
        for (std::size_t j = 0; j < a.size(); ++j) {
          EXPECT_LT(distance(a[j].t, b[j].t), 1e-5F);
          EXPECT_LT(length(a[j].x - b[j].x) + length(a[j].y - b[j].y) + length(a[j].z - b[j].z), 1e-5F);
        }
      }
    }
  }
}

TEST(NpzMotion, ArraysAreWhatNumpyUsersExpect) {
  const Motion motion = make_wild_motion(make_tree(false), 3, false);
  const auto bytes = io::encode_motion_npz(motion, {.scale = 100});
  ASSERT_TRUE(bytes);
  const auto archive = io::Npz::from_bytes(*bytes);
  ASSERT_TRUE(archive) << archive.error().format();
  EXPECT_FALSE(archive->contains("scales"));
  EXPECT_EQ(archive->read("positions")->view().shape, (std::vector<std::size_t>{3, 5, 3}));
  EXPECT_EQ(archive->read("quaternions")->view().shape, (std::vector<std::size_t>{3, 5, 4}));
  EXPECT_TRUE(archive->read("name")->view().shape.empty());
  EXPECT_TRUE(archive->read("framerate")->view().shape.empty());
  EXPECT_EQ(*to_int32(archive->read("parent_indices")->view()), (std::vector<std::int32_t>{-1, 0, 1, 2, -1}));
  EXPECT_EQ(*to_strings(archive->read("parent_names")->view()),
            (std::vector<std::string>{"", "Wurzel", "左腕", "Hand", ""}));
  const auto positions = *to_floats(archive->read("positions")->view());
  const auto pose = model_pose(motion, 2);
  for (std::size_t j = 0; j < 5; ++j) {
    const float* p = &positions[(2 * 5 + j) * 3];
    EXPECT_LT(distance(pose[j].t * 100.0F, Vec3{p[0], p[1], p[2]}), 1e-4F);
  }
}

TEST(NpzMotion, ARigWithoutClipsGivesItsRestPose) {
  io::Asset rig;
  auto character = std::make_shared<Character>();
  character->name = "rig";
  character->skeleton = make_tree(true);
  rig.character = character;
  const auto path = temporary_dir("npz") / "rig.npz";
  ASSERT_TRUE(io::write_motion_npz(path, rig));
  const auto back = io::read_motion_npz(path);
  ASSERT_TRUE(back) << back.error().format();
  ASSERT_EQ(back->clips.at(0).num_frames, 1);
  const auto rest = character->skeleton->rest_model();
  for (std::size_t j = 0; j < rest.size(); ++j) {
    EXPECT_LT(distance(rest[j].t, back->character->skeleton->rest_model()[j].t), 1e-5F);
    EXPECT_LT(distance(rest[j].t, model_pose(back->clips[0], 0)[j].t), 1e-5F);
  }
  EXPECT_EQ(io::write_motion_npz(path, rig, 1).error().code, ErrorCode::kUsage);
}

// An archive by hand: two joints (or as many as there are parents), one frame.
std::vector<std::byte> archive_with(std::vector<std::int32_t> parents, std::vector<float> positions,
                                    std::vector<float> quaternions, double fps = 30) {
  const std::size_t n = parents.size();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back("j" + std::to_string(i));
  const Array bones = string_array(names);
  const std::vector<double> rates{fps};
  return io::encode_npz(std::vector<NamedArray>{{"positions", view_of(positions, {1, positions.size() / 3, 3})},
                                                {"quaternions", view_of(quaternions, {1, quaternions.size() / 4, 4})},
                                                {"bone_names", bones.view()},
                                                {"parent_indices", view_of(parents)},
                                                {"framerate", view_of(rates, {})}})
      .value();
}

TEST(NpzMotion, JointsInAnyOrderAndArchivesThatContradictThemselves) {
  const std::vector<float> two_positions{1, 2, 3, 1, 1, 1}, two_quaternions{0, 0, 0, 1, 0, 0, 0, 2};
  const auto child_first = io::read_motion_npz(archive_with({1, -1}, two_positions, two_quaternions), "x.npz");
  ASSERT_TRUE(child_first) << child_first.error().format();
  EXPECT_EQ(child_first->character->skeleton->name(0), "j1");
  EXPECT_EQ(child_first->character->skeleton->parent(1), 0);
  EXPECT_EQ(child_first->clips[0].translations[1], (Vec3{0, 1, 2}));

  const auto fails = [](const std::vector<std::byte>& bytes) {
    const auto asset = io::read_motion_npz(bytes, "x.npz");
    EXPECT_FALSE(asset);
    EXPECT_EQ(asset.error().where.file, "x.npz");
    return asset ? std::string() : asset.error().message;
  };
  EXPECT_NE(fails(archive_with({1, 0}, two_positions, two_quaternions)).find("cycle"), std::string::npos);
  EXPECT_NE(fails(archive_with({0, 0}, two_positions, two_quaternions)).find("cycle"), std::string::npos);
  EXPECT_NE(fails(archive_with({-1, 7}, two_positions, two_quaternions)).find("out of range"), std::string::npos);
  EXPECT_NE(fails(archive_with({-1, 0, 0}, two_positions, two_quaternions)).find("3 bone_names"), std::string::npos);
  EXPECT_NE(fails(archive_with({-1, 0}, two_positions, {0, 0, 0, 1})).find("quaternions"), std::string::npos);
  EXPECT_NE(fails(archive_with({-1, 0}, two_positions, {0, 0, 0, 1, 0, 0, 0, 0})).find("no rotation"),
            std::string::npos);
  EXPECT_NE(fails(archive_with({-1, 0}, {1, 2, NAN, 1, 1, 1}, two_quaternions)).find("not finite"), std::string::npos);
  EXPECT_NE(fails(archive_with({-1, 0}, two_positions, two_quaternions, -1)).find("framerate"), std::string::npos);
  EXPECT_NE(fails(archive_with({}, {}, {})).find("empty"), std::string::npos);
}

TEST(NpzMotion, SurvivesDamage) {
  const auto read = [](std::span<const std::byte> bytes) {
    const auto asset = io::read_motion_npz(bytes, "damaged.npz");
    if (asset) {
      EXPECT_TRUE(validate(asset->clips.at(0)));
    }
  };
  for (const int compression : {0, 6}) {
    const auto bytes = io::encode_motion_npz(make_wild_motion(make_tree(true), 40, true), {.compression = compression});
    expect_survives_damage("motion npz", *bytes, read);
  }
}

}  // namespace
}  // namespace zoe::test
