// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Real clips with their analysis, in metres.
#pragma once

#include <filesystem>

#include "zoe/anatomy/analysis.h"
#include "zoe/io/read.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"

namespace zoe::test {

struct RealClip {
  Motion motion;
  SkeletonAnalysis analysis;
};

// One of the file's clips, in metres; without end sites unless they are wanted.
inline Result<RealClip> read_clip(const std::filesystem::path& path, std::size_t clip = 0, bool with_ends = false) {
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(path));
  if (asset.clips.size() <= clip) return Error{ErrorCode::kInvalid, "no such clip", {.file = path.string()}};
  RealClip out{with_ends ? asset.clips[clip] : without_end_sites(asset.clips[clip]), {}};
  out.analysis = analyse(*out.motion.skeleton, {&out.motion, 1});
  if (!asset.source.unit_known) {
    const SpaceChange change{.scale = out.analysis.metres_per_unit};
    out.motion = convert_space(out.motion, change, convert_space(*out.motion.skeleton, change));
    out.analysis = analyse(*out.motion.skeleton, {&out.motion, 1});
  }
  return out;
}

}  // namespace zoe::test
