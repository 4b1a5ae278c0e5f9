// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Which styles and actions a controller shall know: --styles and --actions.
#pragma once

#include <string>

#include "zoe/control/kinds.h"
#include "zoe/dataset/dataset.h"

namespace zoe::cli {

struct LabelRequest {
  std::string styles = "none", actions = "none";  // Lists by commas; actions also "auto".

  bool finds_actions() const { return actions == "auto"; }
};

// By "auto" all actions that can be found and do not follow from the speed: crouch, jump, lie, sit.
Result<control::Labels> wanted_labels(const LabelRequest& request);
// Those that hold for a second at least.
control::Labels labels_in(const dataset::Dataset& data, const control::Labels& labels);
// Fails where one is in no clip, with what is there instead.
Result<void> check_labels(const dataset::Dataset& data, const control::Labels& labels);
// What holds while nobody wishes: the most frequent where hardly any data is without label, else "".
std::string usual_label(const dataset::Dataset& data, const std::vector<std::string>& labels);

}  // namespace zoe::cli
