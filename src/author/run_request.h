// SPDX-License-Identifier: MIT
// What decides the result of a run: its data and settings as a list of facts, compared when a run is resumed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::author {

struct RunFact {
  std::string name, value;
  friend bool operator==(const RunFact&, const RunFact&) = default;
};

// The part of a TrainController that decides its result.
struct RunRequest {
  std::string type;
  std::vector<std::filesystem::path> data;
  std::filesystem::path body;
  std::vector<std::string> settings;
  std::string actions, styles, licence;
  bool own_bodies = false, mirror = true;
  char bvh_up = 'y';
};

// Type, data (number of files, bytes, hash of names and contents), settings. Paths and the device are not among them: a
// run may be moved, and continued on another device.
Result<std::vector<RunFact>> facts_of(const RunRequest& job);

// "settings was 'train.batch=32', is 'train.batch=64'; …". Empty: they are the same.
std::string difference(const std::vector<RunFact>& before, const std::vector<RunFact>& now);

}  // namespace zoe::author
