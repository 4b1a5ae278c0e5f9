// SPDX-License-Identifier: MIT
// Part of Zoetrope. Corrections to an analysis, by hand: a TOML file with any of the fields.
//
//   family = "quadruped"
//   forward = [0, 0, 1]
//   feet = ["LeftHand", "RightHand", "LeftFoot", "RightFoot"]
//   tail = []                                            # It has none.
//   limbs = ["leg left: LeftUpLeg LeftLeg LeftFoot"]     # Joints with spaces in their names:
//   separate by commas. pairs = ["LeftFoot = RightFoot"]
//   reference_pose = "clip 0 frame 12"                   # Or "rest".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe {

// What is absent stays as analysed. Joints by name.
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

// Replaces the fields given; their evidence becomes kOverride with confidence 1. Refuses joints
// that the skeleton does not have, with a suggestion, and then changes nothing. `clips`: as given
// to analyse(); only a reference pose that is a frame needs them.
Result<void> apply_overrides(const Skeleton& skeleton, const AnalysisOverrides& overrides, SkeletonAnalysis& analysis,
                             std::span<const Motion> clips = {});

}  // namespace zoe
