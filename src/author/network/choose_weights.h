// SPDX-License-Identifier: MIT
// The weights of a training that walk best, or use props best. Losses frame by frame know nothing of the closed loop:
// a network that stands still and glides has a low one.
#pragma once

#include <functional>
#include <map>

#include "zoe/author/type.h"
#include "zoe/control/feature_range.h"
#include "zoe/control/neural.h"
#include "zoe/nn/graph.h"

namespace zoe::author {

// A network predicts its poses from a path ahead. Bodies that use props are led by goals instead.
bool walks_by_network(const Type& type);

// Options of the run time as a finished run has them: half-lives and limits of springs, and usual labels,
// measured on the data.
control::NeuralOptions run_time_options(const FitContext& context);

// What a network does in the closed loop: columns of the table, and its costs (the less the better).
struct Trial {
  struct Found {
    std::vector<std::string> cells;  // As Trial::columns.
    double cost = 0;
  };
  std::string about;  // Sentences above the table.
  std::vector<std::string> columns;
  std::function<Result<Found>(const control::Controller&)> run;
};
// Short courses, whose seeds no evaluation has.
Trial walking_trial(const FitContext& context);

// Of `exported` (lowest validation loss, or the last weights) and the networks in candidates/ beside it, the one with
// the least cost. Its metadata has `metadata` too, as in each trial. Writes the table weights.md into the run's folder.
// Without candidates: `exported`.
Result<nn::Graph> choose_weights(const FitContext& context, const std::filesystem::path& exported,
                                 const control::FeatureRange& range, const Trial& trial,
                                 const std::map<std::string, std::string>& metadata);

// Costs of one network. Ratios to the data, in logarithms: sliding twice as much counts as much as twice the jerk.
struct ClosedLoop {
  double foot_skate = 0, jerk = 0;  // Ratios to the data.
  double path_error_cm = 0, response_s = 0;
  double surface_cm = 0;  // Networks that see the ground: penetration and gap without foot IK.

  double cost() const;
};

}  // namespace zoe::author
