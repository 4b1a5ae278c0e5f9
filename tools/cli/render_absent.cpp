// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe render` of a build without a renderer.
#include "verbs.h"

namespace zoe::cli {

int run_render(const Arguments&) {
  print_error("this zoe was built without its renderer: apt-get install libepoxy-dev libegl-dev libpng-dev libjpeg-dev, then build with ZOE_RENDER=ON");
  return kFailed;
}

}  // namespace zoe::cli
