// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which styles and actions a controller knows: --styles and --actions of `zoe train controller`.
#pragma once

#include <string>

#include "zoe/author/types.h"
#include "zoe/dataset/dataset.h"

namespace zoe::author {

struct LabelRequest {
  std::string styles = "none", actions = "none";  // Lists by commas; actions also "auto".

  bool finds_actions() const { return actions == "auto"; }
};

// "auto" stands for all actions that can be found and do not follow from the speed: crouch, jump, lie, sit.
Result<Labels> desired_labels(const LabelRequest& request);
// Those that hold for a second at least in the data.
Labels labels_in(const dataset::Dataset& data, const Labels& labels);
// Fails where one is in no clip, with what is there instead.
Result<void> check_labels(const dataset::Dataset& data, const Labels& labels);
// The label that holds while the intent names none: the most frequent one where at least 95 % of the data has a label,
// else "".
std::string usual_label(const dataset::Dataset& data, const std::vector<std::string>& labels);

}  // namespace zoe::author
