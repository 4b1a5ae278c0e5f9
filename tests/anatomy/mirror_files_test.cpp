// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Mirroring of every clip of every rigged file of the shared data.
#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/anatomy/mirror.h"
#include "zoe/character/deform.h"
#include "zoe/io/convert.h"
#include "zoe/motion/edit.h"

#include "support/data.h"

namespace zoe {
namespace {

constexpr const char* kFolders[] = {"characters", "creatures", "quadruped", "biped"};

SkeletonAnalysis analysis_of(const io::Asset& asset) {
  AnalysisOptions options;
  if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;
  return analyse(*asset.character->skeleton, asset.clips, asset.character.get(), options);
}

// Calls use(file, asset, body, clip) with up to three clips of each file, cut to 200 frames; the rest pose where there
// is no clip.
template <typename Use>
void for_all_clips(const std::filesystem::path& data, const Use& use) {
  for (const char* folder : kFolders) {
    const auto files = io::list_assets(data / folder);
    ASSERT_TRUE(files) << files.error().format();
    for (const auto& file : *files) {
      Result<io::Asset> asset = io::read_asset(file);
      ASSERT_TRUE(asset) << asset.error().format();
      const SkeletonAnalysis body = analysis_of(*asset);
      if (body.root == kNoJoint) continue;  // A mesh without bones.
      if (asset->clips.empty()) asset->clips.push_back(make_motion(asset->character->skeleton, "rest", 30, 1, false));
      for (std::size_t c = 0; c < std::min<std::size_t>(3, asset->clips.size()); ++c) {
        const Motion& whole = asset->clips[c];
        const Motion clip = whole.num_frames > 200 ? trim(whole, 0, 199).value() : whole;
        if (clip.num_frames > 0) use(file.filename().string() + " " + clip.name, *asset, body, clip);
      }
    }
  }
}

double worst_distance(const Motion& a, const Motion& b) {
  std::vector<Affine> x(static_cast<std::size_t>(a.num_joints())), y(x);
  float worst = 0;
  for (int f = 0; f < a.num_frames; ++f) {
    compute_model_from_joint(*a.skeleton, a.frame(f), x);
    compute_model_from_joint(*b.skeleton, b.frame(f), y);
    for (std::size_t j = 0; j < x.size(); ++j) worst = std::max(worst, distance(x[j].t, y[j].t));
  }
  return worst;
}

TEST(MirrorFiles, TrueImagesWhereLeftAndRightAreAlike) {
  ZOE_NEED_DATA(data);
  int alike = 0, unlike = 0, feet_off = 0;
  double worst_alike = 0, worst_back = 0;
  for_all_clips(data, [&](const std::string& name, const io::Asset&, const SkeletonAnalysis& body, const Motion& clip) {
    MirrorReport plain, kept;
    const Result<Motion> mirrored = mirror(clip, body, {.keep_feet = false}, &plain);
    ASSERT_TRUE(mirrored) << name << ": " << mirrored.error().format();
    const double height = body.height_m / body.metres_per_unit;
    // Joints move with what is above them, so that their distances from the plane sum up the bones' differences.
    const double error = plain.worst_position_error_m / body.height_m;
    if (plain.worst_asymmetry < 3e-5) {
      ++alike;
      worst_alike = std::max(worst_alike, error);
      EXPECT_LT(error, 1e-4) << name;
    } else {
      ++unlike;
      const Motion with_feet = mirror(clip, body, {}, &kept).value();
      // Never worse than without, and there unless the leg is too short.
      EXPECT_LE(kept.worst_foot_error_m, plain.worst_foot_error_m + 1e-6) << name;
      if (kept.worst_foot_error_m > 1e-3 * body.height_m) ++feet_off;
      for (std::size_t i = 0; i < clip.translations.size(); ++i) {
        // Legs bend, they do not stretch.
        ASSERT_EQ(with_feet.translations[i], mirrored->translations[i]) << name;
      }
    }
    const double back = worst_distance(mirror(*mirrored, body, {.keep_feet = false}).value(), clip) / height;
    worst_back = std::max(worst_back, back);
    EXPECT_LT(back, 1e-4) << name;
  });
  std::printf(
      "%d clips of symmetric bodies: worst joint %.1e of the height from its image; %d others, in %d of them feet over "
      "0.1 %% away; twice: %.1e\n",
      alike, worst_alike, unlike, feet_off, worst_back);
  EXPECT_GT(alike, 150);
}

// Rotations about bones do not show in joints, but in the skin: the deformed mesh of the mirrored pose against the
// mirror image of the deformed mesh, by the nearest vertex. Only meshes that are their own image at rest can tell.
TEST(MirrorFiles, SkinsOfSymmetricCharactersAreMirrored) {
  ZOE_NEED_DATA(data);
  int seen = 0;
  for_all_clips(data,
                [&](const std::string& name, const io::Asset& asset, const SkeletonAnalysis& body, const Motion& clip) {
                  const Character& character = *asset.character;
                  if (clip.name == "rest") return;
                  MirrorReport report;
                  const MirrorMap map = mirror_map(*clip.skeleton, body, {&clip, 1}, &report).value();
                  const auto skin_of = [&](const Motion& motion, int frame) {
                    std::vector<Affine> model(static_cast<std::size_t>(motion.num_joints()));
                    compute_model_from_joint(*motion.skeleton, motion.frame(frame), model);
                    std::vector<Vec3> points;
                    for (std::size_t i = 0; i < character.instances.size(); ++i) {
                      if (character.instances[i].skin < 0) continue;
                      const auto deformed = deform_instance(character, i, model);
                      points.insert(points.end(), deformed.positions.begin(), deformed.positions.end());
                    }
                    return points;
                  };
                  // Mean distance from vertices to the nearest one of the other mesh's mirror image, in shares of the
                  // height.
                  const auto unlikeness = [&](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
                    double sum = 0;
                    std::size_t count = 0;
                    for (std::size_t i = 0; i < a.size(); i += std::max<std::size_t>(1, a.size() / 300), ++count) {
                      const Vec3 image = a[i] - map.plane_normal * (2 * dot(a[i], map.plane_normal));
                      float nearest = 1e9F;
                      for (const Vec3& p : b) nearest = std::min(nearest, dot(p - image, p - image));
                      sum += std::sqrt(nearest);
                    }
                    return sum * body.metres_per_unit / body.height_m / static_cast<double>(count);
                  };
                  const Motion rest = make_motion(clip.skeleton, "rest", 30, 1, false);
                  const std::vector<Vec3> at_rest = skin_of(rest, 0);
                  if (at_rest.empty() || unlikeness(at_rest, at_rest) > 2e-3) return;
                  const Motion mirrored = mirror(clip, map).value();
                  const int frame = clip.num_frames / 3;
                  const double unlike = unlikeness(skin_of(clip, frame), skin_of(mirrored, frame));
                  // The unmirrored pose is the yardstick: how far a wrong answer would be.
                  const double unmirrored = unlikeness(skin_of(clip, frame), skin_of(clip, frame));
                  std::printf("%-60s skin %.1e (unmirrored %.1e; bones %.1e)\n", name.c_str(), unlike, unmirrored,
                              report.worst_asymmetry);
                  // Bones that are not each other's image pull the skin along. The manta ray's height is that of its
                  // flat bind pose, of which the same distance is a larger share.
                  const double most_of_others = name.starts_with("Manta_ray") ? 7e-2 : 5e-2;
                  EXPECT_LT(unlike, report.worst_asymmetry < 1e-4 ? 1e-2 : most_of_others) << name;
                  seen += report.worst_asymmetry < 1e-4 ? 1 : 0;
                });
  EXPECT_GE(seen, 15);
}

}  // namespace
}  // namespace zoe
