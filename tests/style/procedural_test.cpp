// SPDX-License-Identifier: MIT
// Mirror images, other speeds, and styles by rules.
#include "zoe/style/procedural.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/io/read.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/style/row_edits.h"
#include "zoe/style/stylize.h"

#include "support/data.h"

namespace zoe::style {
namespace {

struct ReadClip {
  Motion motion;
  SkeletonAnalysis analysis;
  RoleBody body;
  StyleClip clip;
};

ReadClip read_clip(const std::filesystem::path& file) {
  io::Asset asset = io::read_asset(file).value();
  ReadClip out;
  out.analysis = analyse(*asset.character->skeleton, asset.clips, asset.character.get(), {.up_is_known = false});
  const Pose reference = reference_pose(*asset.character->skeleton, out.analysis, asset.clips);
  out.body = RoleBody::create(asset.character->skeleton, out.analysis, reference).value();
  out.motion = asset.clips.at(0);
  out.clip = encode_clip(out.motion, out.body, out.analysis).value();
  return out;
}

constexpr const char* kTurningWalk = "biped/bandai_style/dataset-2_walk-turn-left_normal_001.bvh";

TEST(MirroredRows, PutEveryRoleOnTheOtherSide) {
  ZOE_NEED_DATA(data);
  const ReadClip walk = read_clip(data / kTurningWalk);
  const std::vector<float> mirrored = mirrored_rows(walk.clip.rows);
  EXPECT_EQ(mirrored_rows(mirrored), walk.clip.rows);
  // The body is made symmetric: a mirrored row then has mirrored positions.
  std::array<Vec3, kNumRoles> offsets = walk.body.offsets, a, b;
  const auto other = [](int role) {
    const std::string name = role_name(role);
    for (int r = 0; r < kNumRoles; ++r)
      if ((name.starts_with("left") && role_name(r) == "right" + name.substr(4)) ||
          (name.starts_with("right") && role_name(r) == "left" + name.substr(5)))
        return r;
    return role;
  };
  for (int role = 0; role < kNumRoles; ++role) {
    const Vec3 own = offsets[idx(role)];
    if (other(role) > role) offsets[idx(other(role))] = {-own.x, own.y, own.z};
    if (other(role) == role) offsets[idx(role)].x = 0;
  }
  for (const int f : {0, 20, 40}) {
    role_positions(walk.clip.row(f), offsets, a);
    role_positions(std::span(mirrored).subspan(idx(f) * kNumColumns, kNumColumns), offsets, b);
    for (int role = 0; role < kNumRoles; ++role) {
      const Vec3 seen{-a[idx(role)].x, a[idx(role)].y, a[idx(role)].z};
      EXPECT_LT(distance(seen, b[idx(other(role))]), 1e-4F) << role_name(role);
    }
  }
  double turned = 0, turned_back = 0;
  for (int f = 0; f < walk.clip.num_frames; ++f) {
    turned += walk.clip.row(f)[kTurn];
    turned_back += mirrored[idx(f) * kNumColumns + kTurn];
  }
  EXPECT_GT(std::abs(turned), 10);
  EXPECT_NEAR(turned, -turned_back, 1e-3);
}

TEST(RetimedRows, TravelAsFarInLessTime) {
  ZOE_NEED_DATA(data);
  const ReadClip walk = read_clip(data / "biped/bandai_style/dataset-2_walk_normal_001.bvh");
  const auto distance_of = [](const std::vector<float>& rows) {
    double sum = 0;
    for (std::size_t i = kSpeedAlong; i < rows.size(); i += kNumColumns) sum += rows[i];
    return sum;
  };
  const std::vector<float> fast = retimed_rows(walk.clip.rows, 1.25), same = retimed_rows(walk.clip.rows, 1);
  EXPECT_NEAR(static_cast<double>(fast.size()), static_cast<double>(walk.clip.rows.size()) / 1.25, 2 * kNumColumns);
  EXPECT_NEAR(distance_of(fast), distance_of(walk.clip.rows), 0.02 * distance_of(walk.clip.rows));
  ASSERT_EQ(same.size(), walk.clip.rows.size());
  for (std::size_t i = 0; i < same.size(); ++i) ASSERT_NEAR(same[i], walk.clip.rows[i], 1e-5F);
}

TEST(ProceduralStyles, NothingOfAStyleIsTheClip) {
  ZOE_NEED_DATA(data);
  const ReadClip walk = read_clip(data / kTurningWalk);
  for (const ProceduralStyle& style : procedural_styles()) {
    const std::vector<float> same = perform(walk.clip.rows, walk.body.offsets, scaled(style, 0), Random(1));
    for (std::size_t i = 0; i < same.size(); ++i) ASSERT_NEAR(same[i], walk.clip.rows[i], 2e-3F) << style.name;
  }
}

TEST(ProceduralStyles, AreFiniteKeepTheFloorAndDifferByPerformer) {
  ZOE_NEED_DATA(data);
  const ReadClip walk = read_clip(data / kTurningWalk);
  std::array<Vec3, kNumRoles> at;
  const auto lowest = [&](std::span<const float> row) {
    role_positions(row, walk.body.offsets, at);
    float low = 10;
    for (const int role : {kLeftToes - 1, kLeftToes, kRightToes - 1, kRightToes}) low = std::min(low, at[idx(role)].y);
    return low + row[kHeight];
  };
  std::vector<ProceduralStyle> all(procedural_styles().begin(), procedural_styles().end());
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    all.push_back(random_procedural_style("random_" + std::to_string(seed), Random(seed)));
  for (const ProceduralStyle& style : all) {
    SCOPED_TRACE(style.name);
    const std::vector<float> one = perform(walk.clip.rows, walk.body.offsets, style, Random(1)),
                             again = perform(walk.clip.rows, walk.body.offsets, style, Random(1)),
                             other = perform(walk.clip.rows, walk.body.offsets, style, Random(2));
    EXPECT_EQ(one, again);
    double changed = 0, between = 0;
    for (int f = 0; f < walk.clip.num_frames; ++f) {
      const std::span<const float> row = std::span(one).subspan(idx(f) * kNumColumns, kNumColumns);
      for (std::size_t c = 0; c < kNumColumns; ++c) {
        ASSERT_TRUE(std::isfinite(row[c]));
        changed += std::abs(row[c] - walk.clip.row(f)[c]);
        between += std::abs(row[c] - other[idx(f) * kNumColumns + c]);
      }
      EXPECT_NEAR(lowest(row), lowest(walk.clip.row(f)), 1e-3F);
      EXPECT_EQ(row[kContacts], walk.clip.row(f)[kContacts]);
    }
    EXPECT_GT(changed, 1.5 * between);  // One style is closer to itself than to none.
    EXPECT_GT(between, 0.02 * changed);
  }
}

TEST(ProceduralStyles, ATiredPersonLooksDownAndASneakyOneIsLow) {
  ZOE_NEED_DATA(data);
  const ReadClip walk = read_clip(data / kTurningWalk);
  std::array<Vec3, kNumRoles> before, after;
  const auto mean = [&](const std::vector<float>& rows, auto&& value) {
    double sum = 0;
    for (std::size_t f = 0; f * kNumColumns < rows.size(); ++f)
      sum += value(std::span(rows).subspan(f * kNumColumns, kNumColumns));
    return sum / static_cast<double>(rows.size() / kNumColumns);
  };
  const auto head_forward = [&](std::span<const float> row) {
    role_positions(row, walk.body.offsets, before);
    return static_cast<double>(before[kHead].z);
  };
  const auto height = [](std::span<const float> row) { return static_cast<double>(row[kHeight]); };
  const auto made = [&](const char* name) {
    return perform(walk.clip.rows, walk.body.offsets, *find_procedural_style(name), Random(3));
  };
  EXPECT_GT(mean(made("tired"), head_forward), mean(walk.clip.rows, head_forward) + 0.05);
  EXPECT_LT(mean(made("proud"), head_forward), mean(walk.clip.rows, head_forward) - 0.03);
  EXPECT_LT(mean(made("sneaky"), height), mean(walk.clip.rows, height) - 0.05);
  EXPECT_EQ(find_procedural_style("nobody"), nullptr);
}

TEST(ProceduralStyles, WorkOnAMotionOfAnyRate) {
  ZOE_NEED_DATA(data);
  ReadClip walk = read_clip(data / "biped/cmu/16_15.bvh");
  const Motion made = perform_motion(procedural_styles()[0], walk.motion, walk.body, walk.analysis, Random(1)).value();
  EXPECT_EQ(made.num_frames, walk.motion.num_frames);
  EXPECT_EQ(made.fps, walk.motion.fps);
}

}  // namespace
}  // namespace zoe::style
