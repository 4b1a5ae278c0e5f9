// SPDX-License-Identifier: MIT
// Part of Zoetrope. Judges of style: trained classifiers of windows of motion.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "zoe/nn/network.h"
#include "zoe/style/judge_windows.h"

namespace zoe::author {

struct JudgeRole {
  const char* name;
  int label;  // Column of the labels: 0 style, 1 content.
  style::JudgeView view;
};
constexpr std::array<JudgeRole, 3> kJudgeRoles{{{"content", 1, style::JudgeView::kFull},
                                                {"style", 0, style::JudgeView::kFull},
                                                {"dynamics", 0, style::JudgeView::kDynamics}}};

struct StyleJudges {
  std::vector<std::string> styles, contents;
  std::array<std::vector<nn::NetworkPtr>, 3> networks;  // By role, one for each seed.
  std::string hash;                                     // Of all networks and names.

  static Result<StyleJudges> load(const std::filesystem::path& folder);
};

// What judges say of the windows of a clip.
struct Verdict {
  std::size_t num_windows = 0;
  // [role][seed][window] class, and its probabilities [role][seed][window × classes].
  std::array<std::vector<std::vector<int>>, 3> classes;
  std::array<std::vector<std::vector<float>>, 3> probabilities;
  std::vector<float> codes;  // [windows × width] of the first judge of content.
};
Verdict judge(const StyleJudges& judges, std::span<const float> rows, std::span<const Vec3> offsets);

}  // namespace zoe::author
