// SPDX-License-Identifier: MIT
// Part of Zoetrope. Manual corrections of an analysis: a TOML file with any of the fields.
//
//   family = "quadruped"
//   forward = [0, 0, 1]
//   feet = ["LeftHand", "RightHand", "LeftFoot", "RightFoot"]
//   tail = []                                            # No tail.
//   limbs = ["leg left: LeftUpLeg LeftLeg LeftFoot"]     # Commas between joints where names have spaces.
//   pairs = ["LeftFoot = RightFoot"]
//   reference_pose = "clip 0 frame 12"                   # Or "rest".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe {

// Absent fields stay as analysed. Joints are given by name.
struct AnalysisOverrides {
  std::optional<BodyFamily> family;
  std::optional<Vec3> up, forward;  // Unit vectors.
  std::optional<double> metres_per_unit, height_m, ground_height;
  std::optional<std::string> root, hips, head;
  std::optional<std::vector<std::string>> spine, feet, hands, tail;
  struct NamedLimb {
    LimbKind kind = LimbKind::kLeg;
    Side side = Side::kCenter;
    std::vector<std::string> joints;
  };
  std::optional<std::vector<NamedLimb>> limbs;
  std::optional<std::vector<std::pair<std::string, std::string>>> pairs;  // Left, right.
  struct ReferencePose {
    int clip = -1, frame = -1;  // -1: the rest pose.
  };
  std::optional<ReferencePose> reference_pose;
};

Result<AnalysisOverrides> load_overrides(const std::filesystem::path& path);
Result<AnalysisOverrides> parse_overrides(std::string_view toml, const std::string& name = {});

// Replaces the given fields. Their evidence becomes kOverride with confidence 1. Joints that the skeleton does not have
// are refused with a suggestion; then nothing changes. `clips` as for analyse(); only a reference pose that is a frame
// needs them.
Result<void> apply_overrides(const Skeleton& skeleton, const AnalysisOverrides& overrides, SkeletonAnalysis& analysis,
                             std::span<const Motion> clips = {});

}  // namespace zoe
