// SPDX-License-Identifier: MIT
// Part of Zoetrope. The row of a run in the table of controllers.
#pragma once

#include "zoe/author/evaluate_run.h"
#include "zoe/eval/motion_encoder.h"
#include "zoe/eval/type_table.h"

namespace zoe::author {

struct MeasureType {
  EvaluateRun evaluate;
  int num_goals = 20;                            // Goals among obstacles.
  const eval::MotionEncoder* encoder = nullptr;  // Null: no Fréchet distance.

  Result<eval::TypeRow> run(const std::filesystem::path& folder, const Listener& listener = {}) const;
};

}  // namespace zoe::author
