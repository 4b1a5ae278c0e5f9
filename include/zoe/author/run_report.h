// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a run folder tells people: report.html.
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
  std::vector<std::string> settings;  // "key=value", of the user.
};

// Refers to film.mp4 and sheet.png where they lie in the folder, and to every training below it.
Result<void> write_run_report(const RunReport& report, const std::filesystem::path& run);

// What film and sheet show: a circle for 5.5 s, then sticks that jump for 4.5 s.
Motion record_tour(const control::Controller& controller, float pace_mps);

}  // namespace zoe::author
