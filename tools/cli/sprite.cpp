// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite`: selects the verb.
#include <fmt/format.h>

#include "zoe/core/suggest.h"

#include "sprite/dataset.h"
#include "sprite/generate.h"
#include "sprite/identity.h"
#include "sprite/make.h"
#include "sprite/pack.h"
#include "sprite/puppet.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

constexpr Verb kSpriteVerbs[] = {
    {"sprite make", "Draw a character's clips as a sprite sheet",
     "zoe sprite make --character knight.glb --action walk,attack --directions 8 --style pixel --size 64 -o knight",
     run_sprite_make},
    {"sprite puppet", "Animate one drawing: cut out, joints, layers, sheet",
     "zoe sprite puppet drawing.png --action walk,jump --size 128 --export gif -o puppet", run_sprite_puppet},
    {"sprite identity", "Generate a game character by a seed",
     "zoe sprite identity --seed 0 --count 50 -o identities.png", run_sprite_identity},
    {"sprite dataset", "Draw clips of generated characters with captions and poses",
     "zoe sprite dataset --identities 300 --size 64 --maps pose,flow -o clips", run_sprite_dataset},
    {"sprite generate", "An animated character from one drawing or a sentence",
     "zoe sprite generate --image drawing.png --action walk -o walk", run_sprite_generate},
    {"sprite pack", "Draw clips for `zoe train sprite` into one file",
     "zoe sprite pack --identities 300 --no-species frog,robot -o clips", run_sprite_pack},
};

void print_sprite_help() {
  fmt::print("Usage: zoe sprite make|puppet|generate|identity|dataset|pack [OPTIONS]\n\n");
  for (const Verb& verb : kSpriteVerbs) fmt::print("  {:<9} {}\n", std::string_view(verb.name).substr(7), verb.summary);
  fmt::print("\nEach has --help.\n\nExample:\n  {}\n", kSpriteVerbs[0].example);
}

}  // namespace

int run_sprite(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-h" || words[i] == "--help") return print_sprite_help(), kDone;
    if (words[i].starts_with('-')) continue;
    if (i > 0 && words[i - 1] == "--trace") continue;
    const std::string name = "sprite " + words[i];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    for (const Verb& verb : kSpriteVerbs)
      if (name == verb.name) return verb.run({verb, std::move(words)});
    const std::vector<std::string> known{"make", "puppet", "generate", "identity", "dataset", "pack"};
    print_error(
        fmt::format("there is no 'zoe {}'{} (see `zoe sprite --help`)", name, did_you_mean(name.substr(7), known)));
    return kWrongUsage;
  }
  return print_sprite_help(), kWrongUsage;
}

}  // namespace zoe::cli
