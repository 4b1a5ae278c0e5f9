// SPDX-License-Identifier: MIT
// Part of Zoetrope. Controllers on the fixed courses, several seeds each, with the source mocap's own values beside.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "zoe/dataset/dataset.h"
#include "zoe/eval/metrics.h"

namespace zoe::eval {

struct Summary {
  double mean = 0, deviation = 0;  // Over courses and seeds.
  std::optional<double> reference; // Of the source mocap, where the measure makes sense for it.
};

struct Evaluation {
  std::string subject;  // The run.
  std::string kind;
  std::string split = "closed loop";
  int num_seeds = 0;
  std::vector<std::pair<std::string, Summary>> metrics;  // In the order of the table.
  // Of one course: path_error_cm and so on, means over its seeds.
  std::map<std::string, std::map<std::string, double>> courses;
};

struct EvaluateOptions {
  std::vector<std::string> courses;  // Empty: all.
  int num_seeds = 5;
  double seconds = 12;
  float speed_mps = 0;  // Along paths; 0: the body's own pace.
  std::function<void()> on_run;  // After every course and seed.
};

// `source`: the data it was trained on, or null: then references and distances to real poses are left out.
Result<Evaluation> evaluate(const control::Controller& controller, const control::Body& body,
                            const dataset::Dataset* source, const EvaluateOptions& options = {});

// {subject, kind, split, seeds, metrics: {name: {mean, std, reference}}, courses}.
std::string to_json(std::span<const Evaluation> evaluations);
// A table: measures down, runs across, the source mocap last.
std::string to_markdown(std::span<const Evaluation> evaluations);

}  // namespace zoe::eval
