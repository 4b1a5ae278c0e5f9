// SPDX-License-Identifier: MIT
#include "become.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace zoe::cli {

std::filesystem::path beside_zoe(const std::string& program) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / program;
}

int become(const std::filesystem::path& program, const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  words.insert(words.begin(), program.string());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  print_error(fmt::format("{}: cannot start {}: {}", arguments.verb.name, program.string(), std::strerror(errno)));
  return kFailed;
}

}  // namespace zoe::cli
