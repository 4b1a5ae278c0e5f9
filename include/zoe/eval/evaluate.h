// SPDX-License-Identifier: MIT
// Part of Zoetrope. Evaluates controllers on the fixed courses, several seeds each, beside the values of the source
// mocap.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "zoe/dataset/dataset.h"
#include "zoe/eval/endurance.h"
#include "zoe/eval/metrics.h"
#include "zoe/eval/summary.h"

namespace zoe::eval {

// Clips that were held out from training, as courses (held_out.h). Means and deviations over clips. References are the
// values of the same clips.
struct HeldOut {
  std::string split;  // "test", "validation" or "all".
  int num_clips = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, Summary>> metrics;
  // Per clip, by its file (FILE:CLIP where the clip has another name): path_error_cm and so on.
  std::map<std::string, std::map<std::string, double>> by_clip;
};

struct Evaluation {
  std::string subject;  // Name of the run.
  std::string type;     // In evaluation.json under "kind".
  std::string split = "closed loop";
  int num_seeds = 0;
  std::vector<std::pair<std::string, Summary>> metrics;  // In the order of the table.
  // Per course: path_error_cm and so on, means over its seeds.
  std::map<std::string, std::map<std::string, double>> courses;
  HeldOut held_out;                    // num_clips 0: not run.
  std::optional<Endurance> endurance;  // Minutes of random sticks.
};

struct EvaluateOptions {
  std::vector<std::string> courses;  // Empty: all.
  int num_seeds = 5;
  std::uint64_t first_seed = 1;  // Of starts, paces and sticks.
  double seconds = 12;
  float speed_mps = 0;           // Along paths; 0: the body's own pace.
  double stand_s = 60;           // Length of the stands (stand.h).
  std::function<void()> on_run;  // Called after every course and seed.
};

// `source`: the training data, or null. Without it references and distances to real poses are omitted.
Result<Evaluation> evaluate(const control::Controller& controller, const control::Body& body,
                            const dataset::Dataset* source, const EvaluateOptions& options = {});

// {subject, kind, split, seeds, metrics: {name: {mean, std, max, reference}}, courses}.
std::string to_json(std::span<const Evaluation> evaluations);
// Tables: measures in rows, runs in columns, the source mocap last; held-out clips and endurance below.
std::string to_markdown(std::span<const Evaluation> evaluations);
// Bars with deviations, one chart per measure, the source mocap as a dashed line. Runs with the same name are
// distinguished by their type.
std::string to_svg(std::span<const Evaluation> evaluations);
// Tables and charts as HTML, without head and end of the page.
std::string to_html(std::span<const Evaluation> evaluations);
// By extension: .json, .svg, .html (a whole page). Any other is Markdown.
Result<void> write_evaluations(const std::filesystem::path& file, std::span<const Evaluation> evaluations);

}  // namespace zoe::eval
