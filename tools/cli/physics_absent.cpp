// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics` of a build without its engine.
#include "eval_physics.h"
#include "physics.h"

namespace zoe::cli {

int run_physics(const Arguments&) {
  print_error("this zoe was built without physics: apt-get install libmujoco-dev, then build with ZOE_PHYSICS=ON");
  return kFailed;
}

int run_eval_physics(const Arguments& arguments) { return run_physics(arguments); }

}  // namespace zoe::cli
