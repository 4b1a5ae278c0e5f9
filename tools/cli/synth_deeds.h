// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe synth --deed`: people who use props, as files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/synth/interaction.h"

namespace zoe::cli {

struct DeedRequest {
  std::filesystem::path folder;
  int count = 10, jobs = 0;  // jobs: threads; 0: one per processor.
  std::uint64_t seed = 1;
  double fps = 30;
  bool one_body = false, mesh = true, prop_files = false;
  std::string format = "glb";
  std::vector<synth::Deed> deeds;  // One after the other.
  std::vector<std::string> seat_files;
  double seat_scale = 1;
};
Result<void> write_deeds(const DeedRequest& request);

}  // namespace zoe::cli
