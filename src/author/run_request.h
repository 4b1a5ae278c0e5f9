// SPDX-License-Identifier: MIT
// What decides the result of a run: its data and settings as a list of facts, compared when a run is resumed.
#pragma once

#include <string>
#include <vector>

#include "zoe/author/train_controller.h"

namespace zoe::author {

struct RunFact {
  std::string name, value;
  friend bool operator==(const RunFact&, const RunFact&) = default;
};

// Type, data (number of files, bytes, hash of names and contents), settings. Paths and the device are not among them: a
// run may be moved, and continued on another device.
Result<std::vector<RunFact>> facts_of(const TrainController& job);

// "settings was 'train.batch=32', is 'train.batch=64'; …". Empty: they are the same.
std::string difference(const std::vector<RunFact>& before, const std::vector<RunFact>& now);

}  // namespace zoe::author
