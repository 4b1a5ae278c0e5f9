// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Runs the zoe command as a user would, and keeps what it said.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace zoe::test {

struct ZoeRun {
  int exit_code = -1;  // 128 + signal when it died of one.
  std::string out;     // stdout
  std::string err;     // stderr
};

// Runs the binary of this build with these words, without a shell and without stdin.
// meanwhile: called once it runs, with its process number, to send it signals; null: nothing.
ZoeRun run_zoe(const std::vector<std::string>& words, const std::function<void(int)>& meanwhile = {});

}  // namespace zoe::test
