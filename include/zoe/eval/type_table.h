// SPDX-License-Identifier: MIT
// Part of Zoetrope. One table of controllers: what each costs, what it needs, how good it is. A row is a run.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "zoe/eval/evaluate.h"

namespace zoe::eval {

// Goals all around, `distance_m` from a standing character.
struct NearGoals {
  int num_goals = 12;
  float distance_m = 0.5F;
  double seconds = 5;      // Of each goal.
  float within_m = 0.16F;  // Characters stop 0.15 m before a goal.
};
// The fraction that is reached: the character is there, and has stopped, at the end.
double near_goals_share(const control::Controller& controller, const NearGoals& options = {});

// From no style (or the usual one) to each style in steps: how far the mean pose of a straight walk has come.
struct StyleSweep {
  int num_styles = 0;
  int num_monotone = 0;         // Styles whose mean pose comes nearer in every step.
  double worst_skate_cm_s = 0;  // Foot skate at full weight.
};
StyleSweep sweep_styles(const control::Controller& controller, const control::Body& body, double seconds = 8);

// Mean foot skate on a course at the body's pace, over seeds.
double course_skate_cm_s(const control::Controller& controller, const control::Body& body, const std::string& course,
                         int num_seeds = 3, double seconds = 20);

struct TypeRow {
  Evaluation evaluation;
  double data_minutes = 0;          // Of the clips, without mirrored ones; 0: not known.
  double state_kb = 0;              // Saved bytes of one character.
  double near_goals = 0;            // Fraction.
  double reversals_skate_cm_s = 0;  // On quick reversals.
  double goals = 0;                 // Fraction of goals among obstacles, reached without touching.
  StyleSweep styles;
  std::optional<double> frechet_ratio;  // To the distance of two halves of the data; see frechet.h.
};

// Markdown: a row for each run. Ratios are to the source mocap.
std::string to_type_table(std::span<const TypeRow> rows);

}  // namespace zoe::eval
