// SPDX-License-Identifier: MIT
#include "cli/run_zoe.h"

#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/data.h"

namespace zoe::test {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void redirect(int descriptor, const char* path, int flags) {
  const int file = ::open(path, flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(127);
}

}  // namespace

ZoeRun run_zoe(const std::vector<std::string>& words, const std::function<void(int)>& meanwhile) {
  const char* binary = ZOE_BINARY;
  const auto folder = temporary_dir("run_zoe");
  const std::string out_file = folder / "out", err_file = folder / "err";
  std::vector<char*> arguments{const_cast<char*>(binary)};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) {
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, out_file.c_str(), O_WRONLY | O_CREAT);
    redirect(STDERR_FILENO, err_file.c_str(), O_WRONLY | O_CREAT);
    ::execv(binary, arguments.data());
    ::_exit(127);
  }
  if (meanwhile) meanwhile(child);
  int status = 0;
  ::waitpid(child, &status, 0);
  const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {exit_code, read_text(out_file), read_text(err_file)};
}

}  // namespace zoe::test
