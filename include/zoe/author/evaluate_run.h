// SPDX-License-Identifier: MIT
// Part of Zoetrope. Evaluates a run folder or a .zoe file on the fixed courses, beside its training data, and on
// held-out clips.
#pragma once

#include <filesystem>

#include "zoe/author/listener.h"
#include "zoe/eval/evaluate.h"

namespace zoe::author {

struct EvaluateRun {
  std::filesystem::path data;  // Dataset to compare with; empty: the run's own, where it has one.
  // Held-out clips. Empty: the split of the data that training excluded.
  std::filesystem::path held_out;
  std::filesystem::path work_folder;  // For a dataset of held_out; needed where that is given.
  bool no_held_out = false;           // True: does not run the split of the data.
  double sticks_minutes = 0;          // Of random sticks: drift, freezes, restarts; 0: none.
  double wild_minutes = 0;            // Of wild sticks: artefacts; 0: none. Needs the data.
  eval::EvaluateOptions options;

  // Errors name the file. `subject` is the name of the run.
  Result<eval::Evaluation> run(const std::filesystem::path& folder, const Listener& listener = {}) const;
};

}  // namespace zoe::author
