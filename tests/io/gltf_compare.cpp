// SPDX-License-Identifier: MIT
#include "io/gltf_compare.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"

#include "support/data.h"

namespace zoe::test {
namespace {

std::span<const float> weights_of(const Motion* motion, int frame) {
  return motion != nullptr && motion->num_morph_weights > 0 ? motion->frame_morph_weights(frame)
                                                            : std::span<const float>();
}

// Everything one sees in one frame: joints first, then the vertices of every instance.
std::vector<Vec3> points_of(const io::Asset& asset, const Motion* motion, int frame, bool with_meshes) {
  const std::vector<Affine> model = model_pose(asset, motion, frame);
  std::vector<Vec3> points;
  for (const Affine& joint : model) points.push_back(joint.t);
  for (std::size_t i = 0; with_meshes && i < asset.character->instances.size(); ++i) {
    const DeformedMesh mesh = deform_instance(*asset.character, i, model, weights_of(motion, frame));
    points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
  }
  return points;
}

void expect_same_points(const io::Asset& expected, const Motion* a, const io::Asset& actual, const Motion* b, int frame,
                        bool with_meshes, double tolerance) {
  const std::vector<Vec3> left = points_of(expected, a, frame, with_meshes),
                          right = points_of(actual, b, frame, with_meshes);
  ASSERT_EQ(left.size(), right.size());
  if (left.empty()) return;
  Vec3 low = left.front(), high = left.front();
  double worst = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], left[i][c]);
      high[c] = std::max(high[c], left[i][c]);
    }
    worst = std::max(worst, distance(to_double(left[i]), to_double(right[i])));
  }
  const double box = std::max<double>(length(high - low), 1e-6);
  EXPECT_LE(worst / box, tolerance) << "frame " << frame << " of " << (a != nullptr ? a->name : "the rest pose");
}

}  // namespace

std::vector<std::filesystem::path> gltf_files_below(const std::filesystem::path& folder) {
  static constexpr std::string_view kExtensions[] = {".glb", ".gltf"};
  return files_below(folder, kExtensions);
}

std::vector<Affine> model_pose(const io::Asset& asset, const Motion* motion, int frame) {
  const Skeleton& skeleton = *asset.character->skeleton;
  std::vector<Affine> model(static_cast<std::size_t>(skeleton.num_joints()));
  const Pose rest = make_pose(skeleton);
  compute_model_from_joint(skeleton, motion != nullptr ? motion->frame(frame) : rest.view(), model);
  return model;
}

void expect_same(const io::Asset& expected, const io::Asset& actual, double tolerance) {
  const Character &a = *expected.character, &b = *actual.character;
  ASSERT_EQ(a.skeleton->num_joints(), b.skeleton->num_joints());
  for (int i = 0; i < a.skeleton->num_joints(); ++i) {
    EXPECT_EQ(a.skeleton->name(i), b.skeleton->name(i));
    EXPECT_EQ(a.skeleton->parent(i), b.skeleton->parent(i)) << a.skeleton->name(i);
    EXPECT_EQ(a.skeleton->kind(i), b.skeleton->kind(i)) << a.skeleton->name(i);
  }
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.skins.size(), b.skins.size());
  ASSERT_EQ(a.instances.size(), b.instances.size());
  for (std::size_t i = 0; i < a.instances.size(); ++i) EXPECT_EQ(a.instances[i].joint, b.instances[i].joint);
  ASSERT_EQ(a.materials.size(), b.materials.size());
  for (std::size_t i = 0; i < a.materials.size(); ++i) {
    EXPECT_EQ(a.materials[i].name, b.materials[i].name);
    EXPECT_EQ(a.materials[i].base_color, b.materials[i].base_color);
    EXPECT_EQ(a.materials[i].base_color_image, b.materials[i].base_color_image);
  }
  ASSERT_EQ(a.images.size(), b.images.size());
  for (std::size_t i = 0; i < a.images.size(); ++i) EXPECT_EQ(a.images[i].bytes, b.images[i].bytes) << a.images[i].name;
  ASSERT_EQ(a.meshes.size(), b.meshes.size());
  for (std::size_t i = 0; i < a.meshes.size(); ++i) {
    EXPECT_EQ(a.meshes[i].indices, b.meshes[i].indices) << a.meshes[i].name;
    EXPECT_EQ(a.meshes[i].submeshes.size(), b.meshes[i].submeshes.size());
    EXPECT_EQ(a.meshes[i].uvs, b.meshes[i].uvs);
    EXPECT_EQ(a.meshes[i].colors, b.meshes[i].colors);
    ASSERT_EQ(a.meshes[i].morph_targets.size(), b.meshes[i].morph_targets.size());
    for (std::size_t t = 0; t < a.meshes[i].morph_targets.size(); ++t) {
      EXPECT_EQ(a.meshes[i].morph_targets[t].name, b.meshes[i].morph_targets[t].name);
    }
  }
  expect_same_points(expected, nullptr, actual, nullptr, -1, true, tolerance);
  ASSERT_EQ(expected.clips.size(), actual.clips.size());
  for (std::size_t c = 0; c < expected.clips.size(); ++c) {
    const Motion &left = expected.clips[c], &right = actual.clips[c];
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.fps, right.fps) << left.name;
    EXPECT_NEAR(left.start_time_s, right.start_time_s, 1e-5) << left.name;
    ASSERT_EQ(left.num_frames, right.num_frames) << left.name;
    // Vertices are slow to deform: first, middle and last frame stand for the others.
    for (int f = 0; f < left.num_frames; ++f) {
      const bool with_meshes = f == 0 || f == left.num_frames / 2 || f == left.num_frames - 1;
      expect_same_points(expected, &left, actual, &right, f, with_meshes, tolerance);
    }
  }
}

void expect_same_instances(const io::Asset& expected, const io::Asset& actual, int clip, int frame, double tolerance) {
  const auto deform_all = [&](const io::Asset& asset) {
    const Motion* motion = clip < 0 ? nullptr : &asset.clips.at(static_cast<std::size_t>(clip));
    const std::vector<Affine> model = model_pose(asset, motion, frame);
    std::vector<std::vector<Vec3>> out;
    for (std::size_t i = 0; i < asset.character->instances.size(); ++i) {
      const auto mesh = static_cast<std::size_t>(asset.character->instances[i].mesh);
      if (asset.character->meshes[mesh].indices.empty()) continue;
      out.push_back(deform_instance(*asset.character, i, model, weights_of(motion, frame)).positions);
    }
    return out;
  };
  const auto left = deform_all(expected);
  auto right = deform_all(actual);
  ASSERT_EQ(left.size(), right.size());
  float extent = 1e-6F;
  for (const auto& mesh : left) {
    for (const Vec3 p : mesh) extent = std::max(extent, distance(p, left.front().front()));
  }
  const auto limit = static_cast<float>(tolerance) * extent;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto partner = std::find_if(right.begin(), right.end(), [&](const std::vector<Vec3>& r) {
      return std::equal(r.begin(), r.end(), left[i].begin(), left[i].end(),
                        [&](Vec3 a, Vec3 b) { return distance(a, b) <= limit; });
    });
    EXPECT_NE(partner, right.end()) << "instance " << i << ", clip " << clip << ", frame " << frame;
    if (partner != right.end()) right.erase(partner);
  }
}

}  // namespace zoe::test
