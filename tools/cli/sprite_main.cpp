// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe-sprite`: the verbs `sprite …` and `eval sprite` alone. A few MB with its
// libraries: tools/gpu/sprite_bundle.sh takes it to machines that cannot build the renderer.
#include <algorithm>
#include <exception>

#include "sprite/evaluate.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"sprite", "Draw characters as sprite sheets", "zoe-sprite sprite pack --identities 300 -o clips", run_sprite},
    {"eval sprite", "Measure painters", "zoe-sprite eval sprite run --data clips", run_eval_sprite},
};

int run(std::vector<std::string> words) {
  const Verb& verb = kVerbs[!words.empty() && words[0] == "eval" ? 1 : 0];
  const std::size_t used = &verb == kVerbs ? 1 : 2;
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(used, words.size())));
  return verb.run({verb, std::move(words)});
}

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace zoe::cli

int main(int argc, char** argv) {
  try {
    return zoe::cli::finish(zoe::cli::run({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    zoe::cli::print_error(error.what());
    return zoe::cli::kFailed;
  }
}
