// SPDX-License-Identifier: MIT
// Part of Zoetrope. The report of a run folder: report.html.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/author/types.h"
#include "zoe/eval/evaluate.h"

namespace zoe::author {

struct RunReport {
  const Type& type;
  const control::ControllerConfig& config;
  const control::Controller& controller;
  const control::Body& body;
  const dataset::Dataset& data;
  const eval::Evaluation& evaluation;
  std::vector<std::string> settings;  // "key=value", from the user.
};

// Refers to film.mp4 and sheet.png where the folder has them, and to every training below the folder.
Result<void> write_run_report(const RunReport& report, const std::filesystem::path& run);

// The motion of film and sheet: a circle for 5.5 s, then random sticks for 4.5 s.
Motion record_tour(const control::Controller& controller, float pace_mps);

}  // namespace zoe::author
