// SPDX-License-Identifier: MIT
// `zoe train`: checks its words, then becomes zoe-train, the only program that links libtorch.
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "train_options.h"
#include "verbs.h"

namespace zoe::cli {

int run_train(const Arguments& arguments) {
  TrainOptions options;
  if (const auto exit = parse_train(arguments, options)) return *exit;
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "zoe-train";
  if (!std::filesystem::exists(program)) {
    print_error(
        "train: this build has no trainer, because libtorch was not there when it was built. From "
        "a checkout, "
        "`./zoe train` installs it (Debian: libtorch-dev libgloo-dev) and builds it");
    return kFailed;
  }
  std::vector<std::string> words = arguments.words;
  words.insert(words.begin(), program.string());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  print_error(fmt::format("train: cannot start {}: {}", program.string(), std::strerror(errno)));
  return kFailed;
}

}  // namespace zoe::cli
