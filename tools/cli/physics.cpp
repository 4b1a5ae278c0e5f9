// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics`: selects the verb.
#include "physics.h"

#include <fmt/format.h>

#include "zoe/core/suggest.h"

#include "physics/body_file.h"
#include "physics/policy_folder.h"

namespace zoe::cli {
namespace {

constexpr Verb kPhysicsVerbs[] = {
    {"physics build", "Write the simulated body of a rig as MuJoCo's XML", "zoe physics build fox.glb -o fox.xml",
     run_physics_build},
    {"physics check", "Build bodies for files or folders, and let them stand", "zoe physics check characters --json",
     run_physics_check},
    {"physics track", "Let a simulated body follow a clip", "zoe physics track walk.bvh --assist 200 -o simulated.bvh",
     run_physics_track},
    {"physics learn", "Train offsets that keep a body on its feet, for one body and clips like these",
     "zoe physics learn walks/*.bvh -o run --rounds 6", run_physics_learn},
    {"physics feet", "Learn and compare foot locks: what soles of simulated bodies do",
     "zoe physics feet walks/*.bvh -o data", run_physics_feet},
};

void print_physics_help() {
  fmt::print("Usage: zoe physics build|check|track|learn|feet [OPTIONS]\n\n");
  for (const Verb& verb : kPhysicsVerbs)
    fmt::print("  {:<8} {}\n", std::string_view(verb.name).substr(8), verb.summary);
  fmt::print("\nEach has --help.\n\nExample:\n  {}\n", kPhysicsVerbs[2].example);
}

}  // namespace

int run_physics(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == 0 && (words[i] == "-h" || words[i] == "--help")) return print_physics_help(), kDone;
    if (words[i].starts_with('-')) continue;
    if (i > 0 && words[i - 1] == "--trace") continue;
    const std::string name = "physics " + words[i];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    for (const Verb& verb : kPhysicsVerbs)
      if (name == verb.name) return verb.run({verb, std::move(words)});
    const std::vector<std::string> known{"build", "check", "track", "learn", "feet"};
    print_error(
        fmt::format("there is no 'zoe {}'{} (see `zoe physics --help`)", name, did_you_mean(name.substr(8), known)));
    return kWrongUsage;
  }
  return print_physics_help(), kWrongUsage;
}

}  // namespace zoe::cli
