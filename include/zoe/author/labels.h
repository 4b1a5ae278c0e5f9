// SPDX-License-Identifier: MIT
// Part of Zoetrope. Styles and actions of a controller: --styles and --actions of `zoe train controller`.
#pragma once

#include <string>

#include "zoe/author/types.h"
#include "zoe/dataset/dataset.h"

namespace zoe::author {

struct LabelRequest {
  std::string styles = "none", actions = "none";  // Comma-separated lists. Actions may also be "auto".

  bool finds_actions() const { return actions == "auto"; }
};

// "auto" means all detectable actions that do not follow from the speed: crouch, jump, lie, sit.
Result<Labels> desired_labels(const LabelRequest& request);
// The labels that hold for at least one second of the data.
Labels labels_in(const dataset::Dataset& data, const Labels& labels);
// Fails where a label is in no clip. The error lists the labels of the data.
Result<void> check_labels(const dataset::Dataset& data, const Labels& labels);
// The label that holds while the intent names none. It is the most frequent label where at least 95 % of the data has
// one, else "".
std::string usual_label(const dataset::Dataset& data, const std::vector<std::string>& labels);

}  // namespace zoe::author
