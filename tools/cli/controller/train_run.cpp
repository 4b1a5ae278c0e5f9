// SPDX-License-Identifier: MIT
#include "controller/train_run.h"

#include <cstring>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

namespace zoe::cli {

Result<std::filesystem::path> find_trainer() {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "zoe-train";
  if (std::filesystem::exists(program, error)) return program;
  return Error{ErrorCode::kIo,
               "this build has no trainer, because libtorch was not there when it was built. From a checkout, "
               "`./zoe train` installs it (Debian: libtorch-dev libgloo-dev) and builds it",
               {}};
}

Result<void> run_trainer(const std::vector<std::string>& words) {
  ZOE_TRY_ASSIGN(const std::filesystem::path program, find_trainer());
  std::vector<std::string> all = words;
  all.insert(all.begin(), program.string());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ); error != 0) {
    return Error{ErrorCode::kIo, fmt::format("cannot start: {}", std::strerror(error)), {.file = program.string()}};
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{ErrorCode::kIo,
               fmt::format("training ended with {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1),
               {.file = program.string()}};
}

}  // namespace zoe::cli
