// SPDX-License-Identifier: MIT
// One file of a plan: the place of its rows, or the reason why it is excluded.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "dataset/survey.h"

namespace zoe::dataset {

struct PlannedFile {
  SurveyedFile file;
  int group = -1;              // -1: excluded for file.problem.
  double metres_per_unit = 1;  // Factor of lengths as read.
  bool by_name = false;        // Has more joints than the group's skeleton. Those of the group are matched by name.
  std::optional<Note> repair;  // A decision that is worth a note: unit, joints.
  int bucket = 0;
  Hash128 key;  // Hash of everything that the file's rows depend on.
};

inline void leave_out(PlannedFile& file, std::string code, std::string text) {
  file.group = -1;
  file.file.problem = Note{std::move(code), std::move(text)};
}

}  // namespace zoe::dataset
