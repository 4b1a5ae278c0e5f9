// SPDX-License-Identifier: MIT
// One clip through every format we write and back: BVH → GLB → NPZ → BVH. And the order of a folder's files.
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/io/convert.h"

#include "support/data.h"

namespace zoe::io {
namespace {

// Largest distance between joints of the same name over all frames, metres.
double worst_joint_error_m(const Motion& a, const Motion& b) {
  EXPECT_EQ(a.num_frames, b.num_frames);
  std::vector<Affine> model_a(static_cast<std::size_t>(a.num_joints())),
      model_b(static_cast<std::size_t>(b.num_joints()));
  double worst = 0;
  for (int frame = 0; frame < std::min(a.num_frames, b.num_frames); ++frame) {
    compute_model_from_joint(*a.skeleton, a.frame(frame), model_a);
    compute_model_from_joint(*b.skeleton, b.frame(frame), model_b);
    for (int j = 0; j < a.num_joints(); ++j) {
      const int other = b.skeleton->find(a.skeleton->name(j));
      if (other == kNoJoint) {
        ADD_FAILURE() << "joint " << a.skeleton->name(j) << " got lost";
        return 1e9;
      }
      worst = std::max(
          worst, double{distance(model_a[static_cast<std::size_t>(j)].t, model_b[static_cast<std::size_t>(other)].t)});
    }
  }
  return worst;
}

struct Case {
  const char* file;
  double metres_per_unit;
};

TEST(Chain, BvhGlbNpzBvhKeepsEveryJoint) {
  ZOE_NEED_DATA(data);
  const auto folder = test::temporary_dir("chain");
  for (const Case& c : {Case{"biped/lafan1/push1_subject2.bvh", 0.01}, Case{"biped/cmu/16_15.bvh", 0.056444},
                        Case{"quadruped/dog_mann_bvh/D1_009_KAN01_001.bvh", 0.01},
                        Case{"biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh", 0.01},
                        Case{"characters/geno_genoview/Geno_stance.bvh", 0.01}}) {
    SCOPED_TRACE(c.file);
    ConvertOptions options;
    options.scale = c.metres_per_unit;
    const auto original = load_converted(data / c.file, options);
    ASSERT_TRUE(original) << original.error().format();
    ASSERT_EQ(original->clips.size(), 1U);
    ASSERT_TRUE(convert_file(data / c.file, folder / "1.glb", options));
    const auto step = [&](const char* from, const char* to) {
      const auto done = convert_file(folder / from, folder / to, {});
      EXPECT_TRUE(done) << done.error().format();
    };
    step("1.glb", "2.npz");
    step("2.npz", "3.bvh");
    const auto back = read_asset(folder / "3.bvh");
    ASSERT_TRUE(back) << back.error().format();
    ASSERT_EQ(back->clips.size(), 1U);
    EXPECT_NEAR(back->clips[0].fps, original->clips[0].fps, 1e-3);
    EXPECT_LE(worst_joint_error_m(original->clips[0], back->clips[0]), 1e-4);
  }
}

// glTF is in metres. BVH states no unit: its reader's estimate is applied, and said.
TEST(Chain, BvhBecomesMetresInGltf) {
  ZOE_NEED_DATA(data);
  const auto folder = test::temporary_dir("metres");
  const auto height_of = [](const Asset& asset) {
    float low = 1e9F, high = -1e9F;
    for (const Affine& joint : asset.character->skeleton->rest_model()) {
      for (const float y : {joint.t.x, joint.t.y, joint.t.z}) {
        low = std::min(low, y);
        high = std::max(high, y);
      }
    }
    return high - low;
  };
  for (const Case& c : {Case{"biped/lafan1/push1_subject2.bvh", 0.01}, Case{"biped/cmu/16_15.bvh", 0.056444}}) {
    SCOPED_TRACE(c.file);
    const auto source = read_asset(data / c.file);
    ASSERT_TRUE(source);
    const auto done = convert_file(data / c.file, folder / "a.glb", {});
    ASSERT_TRUE(done) << done.error().format();
    const bool said = std::any_of(done->warnings.begin(), done->warnings.end(), [](const Warning& warning) {
      return warning.message.find("states no unit") != std::string::npos;
    });
    EXPECT_TRUE(said);
    const auto metres = read_asset(folder / "a.glb");
    ASSERT_TRUE(metres);
    EXPECT_NEAR(height_of(*metres) / height_of(*source), c.metres_per_unit, 1e-5);
    // A stated factor is the last word, and BVH and NPZ keep the file's numbers.
    ASSERT_TRUE(convert_file(data / c.file, folder / "b.glb", {.scale = 1.0}));
    EXPECT_NEAR(height_of(*read_asset(folder / "b.glb")), height_of(*source), 1e-2F);
    ASSERT_TRUE(convert_file(data / c.file, folder / "c.bvh", {}));
    EXPECT_NEAR(height_of(*read_asset(folder / "c.bvh")), height_of(*source), 1e-2F);
  }
}

// Threads that take files in this order end together; equal sizes keep their order, and what is not there comes last.
TEST(Folder, LargestFilesComeFirst) {
  const auto folder = test::temporary_dir("largest_first");
  std::vector<std::filesystem::path> files;
  for (const int size : {10, 300, 0, 300, 20}) {
    files.push_back(folder / ("file" + std::to_string(files.size())));
    std::ofstream(files.back()) << std::string(static_cast<std::size_t>(size), 'x');
  }
  files.insert(files.begin(), folder / "absent");
  EXPECT_EQ(largest_first(files), (std::vector<std::size_t>{2, 4, 5, 1, 0, 3}));
  EXPECT_TRUE(largest_first({}).empty());
}

}  // namespace
}  // namespace zoe::io
