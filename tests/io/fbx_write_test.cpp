// SPDX-License-Identifier: MIT
// What we write as FBX our reader finds again: joints, skins, shapes, takes, materials. Other programs read the same
// files in tests/node/.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/bvh.h"
#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"
#include "zoe/io/npz.h"
#include "zoe/io/read.h"

#include "io/gltf_compare.h"
#include "io/gltf_samples.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe::io {
namespace {

namespace fs = std::filesystem;

Asset fbx_round_trip(const Asset& asset, const FbxWriteOptions& options = {}) {
  const auto bytes = encode_fbx(*asset.character, asset.clips, options);
  EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().format());
  auto again = read_fbx(*bytes, "again.fbx");
  EXPECT_TRUE(again) << (again ? "" : again.error().format());
  return std::move(again).value();
}

// Names from the root down. FBX keeps the order of siblings, not that of all joints.
std::map<std::string, int> joints_by_path(const Skeleton& skeleton) {
  std::map<std::string, int> joints;
  std::vector<std::string> paths;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const std::string above = skeleton.parent(j) < 0 ? "" : paths[static_cast<std::size_t>(skeleton.parent(j))];
    std::string path = above + "/" + skeleton.name(j);
    while (joints.contains(path)) path += "'";
    joints.emplace(path, j);
    paths.push_back(path);
  }
  return joints;
}

// Largest distance of a joint from where it was, over the diagonal of the joints' box.
double worst_joint(const Asset& expected, const Motion* a, const Asset& actual, const Motion* b, int frame) {
  const std::vector<Affine> left = test::model_pose(expected, a, frame), right = test::model_pose(actual, b, frame);
  const auto other = joints_by_path(*actual.character->skeleton);
  Vec3 low = left.front().t, high = low;
  double worst = 0;
  for (const auto& [path, joint] : joints_by_path(*expected.character->skeleton)) {
    const Vec3 p = left[static_cast<std::size_t>(joint)].t;
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], p[c]);
      high[c] = std::max(high[c], p[c]);
    }
    const auto found = other.find(path);
    if (found == other.end()) {
      ADD_FAILURE() << "no joint " << path;
      return 1;
    }
    EXPECT_EQ(expected.character->skeleton->kind(joint), actual.character->skeleton->kind(found->second)) << path;
    worst = std::max<double>(worst, distance(p, right[static_cast<std::size_t>(found->second)].t));
  }
  return worst / std::max<double>(length(high - low), 0.01);  // Of single joints: metres.
}

void expect_same_motion(const Asset& expected, const Asset& actual) {
  EXPECT_LE(worst_joint(expected, nullptr, actual, nullptr, -1), 1e-4);
  ASSERT_EQ(expected.clips.size(), actual.clips.size());
  for (std::size_t c = 0; c < expected.clips.size(); ++c) {
    const Motion &a = expected.clips[c], &b = actual.clips[c];
    EXPECT_EQ(a.name, b.name);
    EXPECT_NEAR(a.start_time_s, b.start_time_s, 1e-6);
    if (a.fps != expected.clips[0].fps) continue;  // A file has one rate: the others are sampled at it.
    EXPECT_NEAR(a.fps, b.fps, 1e-9);
    ASSERT_EQ(a.num_frames, b.num_frames) << a.name;
    for (int f = 0; f < a.num_frames; f += std::max(1, a.num_frames / 7))
      EXPECT_LE(worst_joint(expected, &a, actual, &b, f), 1e-4) << a.name << " frame " << f;
  }
}

TEST(FbxWrite, EverythingComesBack) {
  Asset asset = test::make_everything();
  asset.clips.pop_back();  // Of another rate.
  const Asset again = fbx_round_trip(asset);
  expect_same_motion(asset, again);
  for (const int frame : {0, 10, 29}) test::expect_same_instances(asset, again, 0, frame, 1e-4);
  test::expect_same_instances(asset, again, -1, -1, 1e-4);
  const auto& meshes = again.character->meshes;
  const Mesh& body = *std::find_if(meshes.begin(), meshes.end(), [](const Mesh& mesh) { return mesh.name == "body"; });
  ASSERT_EQ(body.morph_targets.size(), 3U);
  EXPECT_EQ(body.morph_targets[1].name, "sparse");
  EXPECT_EQ(again.character->materials[0].base_color, (Vec4{1, 0, 0, 1}));
  EXPECT_EQ(again.character->materials[0].alpha_mode, Material::AlphaMode::kOpaque);
  EXPECT_EQ(again.character->materials[1].emissive, (Vec3{0.5F, 0.5F, 0}));
  EXPECT_EQ(again.source.metres_per_unit, 0.01);
}

// Images without a path are named by their type.
TEST(FbxWrite, ImagesAreNamedByTheirType) {
  for (const auto& [type, file] : {std::pair{"image/webp", "cloth.webp"}, std::pair{"image/jpeg", "cloth.jpg"},
                                   std::pair{"image/ktx2", "cloth"}}) {
    Asset asset = test::make_everything();
    Character character = *asset.character;
    character.images = {{.name = "cloth", .mime_type = type, .bytes = std::vector<std::byte>(8), .path = ""}};
    character.materials[0].base_color_image = 0;
    asset.character = std::make_shared<const Character>(character);
    const Asset again = fbx_round_trip(asset);
    ASSERT_EQ(again.character->images.size(), 1U);
    EXPECT_EQ(again.character->images[0].path, file);
  }
}

TEST(FbxWrite, UnitIsStated) {
  Asset asset = test::make_bare_skeleton(2);
  const Asset metres = fbx_round_trip(asset, {.metres_per_unit = 1});
  EXPECT_EQ(metres.source.metres_per_unit, 1.0);
  expect_same_motion(asset, metres);
  EXPECT_FALSE(encode_fbx(*asset.character, asset.clips, {.metres_per_unit = 0}));
}

TEST(FbxWrite, RatesAndStillClips) {
  for (const double fps : {24.0, 25.0, 30.0, 60.0, 120.0, 30000.0 / 1001, 12.5}) {
    Asset asset = test::make_bare_skeleton(1);
    asset.clips[0].fps = fps;
    asset.clips[0].start_time_s = 2 / fps;
    asset.clips.push_back(make_motion(asset.character->skeleton, "still", fps, 5, false));
    asset.clips.push_back(make_motion(asset.character->skeleton, "one", fps, 1, false));
    SCOPED_TRACE(fps);
    expect_same_motion(asset, fbx_round_trip(asset));
  }
}

// Rotations through every quadrant: Euler angles stay continuous, so that no curve jumps between two frames.
TEST(FbxWrite, AnglesNeverJump) {
  Asset asset = test::make_bare_skeleton(1);
  Motion& clip = asset.clips[0];
  clip = make_motion(asset.character->skeleton, "tumble", 30, 200, false);
  for (int f = 0; f < 200; ++f) {
    const auto at = static_cast<std::size_t>(f * clip.num_joints());
    clip.rotations[at] = from_axis_angle(normalized(Vec3{0.3F, 1, 0.5F}), 0.07F * static_cast<float>(f)) *
                         from_axis_angle(Vec3{1, 0, 0}, 0.11F * static_cast<float>(f));
  }
  make_continuous(clip);
  const auto bytes = encode_fbx(*asset.character, asset.clips);
  ASSERT_TRUE(bytes);
  const auto fine = read_fbx(*bytes, "fine.fbx", {.fps = 60});  // Also between the keys.
  ASSERT_TRUE(fine);
  const Motion& b = fine->clips[0];
  for (int f = 1; f < b.num_frames; ++f) {
    const auto joints = static_cast<std::size_t>(b.num_joints());
    const double step = angle_between(b.rotations[static_cast<std::size_t>(f) * joints],
                                      b.rotations[(static_cast<std::size_t>(f) - 1) * joints]);
    EXPECT_LE(step, 0.2) << f;
  }
  expect_same_motion(asset, fbx_round_trip(asset));
}

TEST(FbxWrite, ClipOfAnotherSkeletonIsRefused) {
  const Asset one = test::make_bare_skeleton(1), two = test::make_bare_skeleton(2);
  const auto bytes = encode_fbx(*one.character, two.clips);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kUsage);
}

TEST(FbxWrite, SharedFilesKeepJointsAndVertices) {
  ZOE_NEED_DATA(data);
  int compared = 0;
  std::size_t shared_points = 0;
  std::vector<fs::path> files;
  for (const char* name :
       {"characters/khronos/Fox.glb", "characters/khronos/CesiumMan.glb", "characters/kaykit/Knight.glb",
        "characters/robot_expressive/RobotExpressive.glb", "characters/quaternius/Animated_Human.fbx",
        "biped/ozz_pab/run.fbx", "biped/lafan1/walk4_subject1.bvh",
        "conformance/gltf/khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb"}) {
    files.push_back(data / name);
  }
  if (!test::kSanitized) {
    static constexpr std::string_view kFbx[] = {".fbx"};
    for (const fs::path& file : test::files_below(data / "conformance" / "fbx", kFbx)) files.push_back(file);
  }
  for (const fs::path& file : files) {
    auto asset = read_asset(file);
    if (!asset || asset->character->skeleton->num_joints() == 0) continue;
    SCOPED_TRACE(file.string());
    if (asset->clips.size() > 4) asset->clips.resize(4);
    const Asset again = fbx_round_trip(*asset);
    expect_same_motion(*asset, again);
    const auto num_skinned = [](const Asset& a) {
      return std::count_if(a.character->instances.begin(), a.character->instances.end(),
                           [](const MeshInstance& instance) { return instance.skin >= 0; });
    };
    EXPECT_EQ(num_skinned(*asset), num_skinned(again));
    ASSERT_EQ(asset->character->instances.size(), again.character->instances.size());
    for (const Mesh& mesh : again.character->meshes) {
      if (mesh.influences_per_vertex > 0) shared_points += mesh.num_vertices() - mesh.num_source_points;
    }
    ++compared;
  }
  EXPECT_GE(compared, 8);
  EXPECT_GT(shared_points, 1000U);  // Vertices of hard edges with equal weights are one point of the file.
}

}  // namespace
}  // namespace zoe::io
