// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Runs the zoe command as a user would, and keeps what it said.
#pragma once

#include <string>
#include <vector>

namespace zoe::test {

struct ZoeRun {
  int exit_code = -1;  // 128 + signal when it died of one.
  std::string out;     // stdout
  std::string err;     // stderr
};

// Runs the binary of this build with these words, without a shell and without stdin.
ZoeRun run_zoe(const std::vector<std::string>& words);

}  // namespace zoe::test
