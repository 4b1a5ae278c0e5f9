// SPDX-License-Identifier: MIT
#include "zoe/author/retarget_source.h"

#include <algorithm>

#include "zoe/anatomy/overrides.h"
#include "zoe/core/thread_pool.h"
#include "zoe/retarget/reference_pose.h"

namespace zoe::author {
namespace {

bool is_same_body(const RetargetSource& a, const RetargetSource& b) {
  if (a.skeleton->num_joints() != b.skeleton->num_joints() ||
      a.skeleton->topology_hash() != b.skeleton->topology_hash())
    return false;
  for (int j = 1; j < a.skeleton->num_joints(); ++j) {  // The rest position of a root is not part of the body.
    const Vec3 p = a.skeleton->rest_local(j).translation, q = b.skeleton->rest_local(j).translation;
    if (distance(p, q) > 1e-3F * std::max(length(p), 1e-6F) + 1e-6F && a.skeleton->parent(j) != kNoJoint &&
        j != a.body.hips)
      return false;
  }
  return true;
}

}  // namespace

Result<AssetAnalysis> analyse_asset(const io::Asset& asset, const std::string& overrides_file) {
  AnalysisOptions options;
  if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;  // Readers have applied the file's unit.
  options.up_is_known = asset.source.up_known;
  const Skeleton& skeleton = *asset.character->skeleton;
  AssetAnalysis analysis;
  analysis.body = analyse(skeleton, asset.clips, asset.character.get(), options);
  const double file_unit = asset.source.unit_known ? asset.source.metres_per_unit : 1.0;
  if (!overrides_file.empty()) {
    ZOE_TRY_ASSIGN(AnalysisOverrides overrides, load_overrides(overrides_file));
    if (overrides.metres_per_unit) *overrides.metres_per_unit /= file_unit;
    ZOE_TRY(apply_overrides(skeleton, overrides, analysis.body, asset.clips));
  }
  analysis.metres_per_unit = analysis.body.metres_per_unit * file_unit;
  return analysis;
}

std::vector<RetargetSourcePtr> find_sources(std::span<const io::Asset* const> assets,
                                            const std::string& overrides_file) {
  std::vector<RetargetSourcePtr> found(assets.size());
  ThreadPool::shared().parallel_for(assets.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const io::Asset* asset = assets[i];
      if (asset == nullptr || !asset->character) continue;
      Result<AssetAnalysis> analysis = analyse_asset(*asset, overrides_file);
      if (!analysis) continue;
      const SkeletonPtr skeleton = asset->character->skeleton;
      Pose reference = reference_pose(*skeleton, analysis->body, asset->clips, asset->character.get());
      found[i] =
          std::make_shared<RetargetSource>(RetargetSource{skeleton, std::move(analysis->body), std::move(reference)});
    }
  });
  // One source per body, the one with the best reference pose.
  std::vector<RetargetSourcePtr> best;
  for (const auto& one : found) {
    if (!one) continue;
    const auto same = std::ranges::find_if(best, [&](const auto& other) { return is_same_body(*one, *other); });
    if (same == best.end()) {
      best.push_back(one);
    } else if (reference_quality(one->body) > reference_quality((*same)->body)) {
      *same = one;
    }
  }
  for (auto& one : found) {
    if (!one) continue;
    const auto& same = *std::ranges::find_if(best, [&](const auto& other) { return is_same_body(*one, *other); });
    // Feet differ by a few degrees between takes: with equal quality a clip keeps its own.
    if (reference_quality(one->body) < reference_quality(same->body)) one = same;
  }
  return found;
}

}  // namespace zoe::author
