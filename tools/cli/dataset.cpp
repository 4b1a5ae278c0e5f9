// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe dataset`: selects the verb.
#include "dataset.h"

#include <fmt/format.h>

#include "zoe/core/suggest.h"

#include "verbs.h"

namespace zoe::cli {
namespace {

constexpr Verb kDatasetVerbs[] = {
    {"dataset build", "Build a dataset from folders of motion files, or update it",
     "zoe dataset build clips -o walk_data --mirror", run_dataset_build},
    {"dataset info", "Print what a dataset contains", "zoe dataset info walk_data --json", run_dataset_info},
    {"dataset merge", "Merge the parts that several machines built into one dataset",
     "zoe dataset merge part0 part1 -o walk_data", run_dataset_merge},
};

void print_help() {
  fmt::print("Usage: zoe dataset build|info|merge [OPTIONS]\n\n");
  for (const Verb& verb : kDatasetVerbs)
    fmt::print("  {:<14} {}\n", std::string_view(verb.name).substr(8), verb.summary);
  fmt::print("\nEach has --help.\n\nExample:\n  {}\n", kDatasetVerbs[0].example);
}

}  // namespace

int run_dataset(const Arguments& arguments) {
  if (arguments.words.empty()) return print_help(), kWrongUsage;
  // Flags before the verb belong to it as well.
  std::vector<std::string> words = arguments.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-h" || words[i] == "--help") return print_help(), kDone;
    if (words[i].starts_with('-')) continue;
    if (i > 0 && words[i - 1] == "--trace") continue;
    const std::string name = "dataset " + words[i];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    for (const Verb& verb : kDatasetVerbs)
      if (name == verb.name) return verb.run({verb, std::move(words)});
    const std::vector<std::string> known{"build", "info", "merge"};
    print_error(
        fmt::format("there is no 'zoe {}'{} (see `zoe dataset --help`)", name, did_you_mean(name.substr(8), known)));
    return kWrongUsage;
  }
  return print_help(), kWrongUsage;
}

}  // namespace zoe::cli
