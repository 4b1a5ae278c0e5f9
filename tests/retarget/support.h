// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Files as retargeting needs them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/io/read.h"
#include "zoe/retarget/retarget.h"

namespace zoe {

struct RetargetFile {
  io::Asset asset;
  SkeletonPtr skeleton;
  SkeletonAnalysis body;
  Pose reference;

  explicit RetargetFile(const std::filesystem::path& path) : asset(io::read_asset(path).value()) {
    skeleton = asset.character->skeleton;
    AnalysisOptions options;
    if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;
    body = analyse(*skeleton, asset.clips, asset.character.get(), options);
    reference = reference_pose(*skeleton, body, asset.clips, asset.character.get());
  }

  // What `zoe retarget FOLDER` does: clips of one actor share the reference pose that shows it
  // standing best.
  void calibrate_like(const RetargetFile& other) {
    body = other.body;
    reference = other.reference;
  }
};

inline Result<Motion> retarget_file(const Motion& motion, const RetargetFile& from, const RetargetFile& to,
                                    bool ground = true, RetargetReport* report = nullptr) {
  RetargetOptions options;
  options.source_reference = from.reference;
  options.target_reference = to.reference;
  options.target_character = to.asset.character.get();
  options.ground = ground;
  return retarget(motion, from.body, to.skeleton, to.body, options, report);
}

}  // namespace zoe
