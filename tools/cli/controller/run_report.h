// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What a run folder tells people: report.html, with a film and a sheet beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/control/kinds.h"
#include "zoe/dataset/dataset.h"
#include "zoe/eval/evaluate.h"

namespace zoe::cli {

struct RunReport {
  const control::Kind& kind;
  const control::ControllerConfig& config;
  const control::Controller& controller;
  const control::Body& body;
  const dataset::Dataset& data;
  const eval::Evaluation& evaluation;
  std::vector<std::string> settings;  // "key=value", of the user.
};

// sheet.png and film.mp4: a circle, then sticks. False where this machine cannot draw.
bool draw_run(const control::Controller& controller, float pace_mps, const std::filesystem::path& run);

// Refers to whatever of film and sheet lies in the folder.
Result<void> write_run_report(const RunReport& report, const std::filesystem::path& run);

}  // namespace zoe::cli
