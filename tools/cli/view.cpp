// SPDX-License-Identifier: MIT
// `zoe view`: checks its arguments, then runs zoe-view, the only program with a window system.
#include "become.h"
#include "verbs.h"
#include "view_options.h"

namespace zoe::cli {

int run_view(const Arguments& arguments) {
  ViewOptions options;
  if (const auto exit = parse_view(arguments, options)) return *exit;
  const std::filesystem::path program = beside_zoe("zoe-view");
  if (std::filesystem::exists(program)) return become(program, arguments);
  print_error(
      "view: this build has no viewer, because GLFW or Dear ImGui was missing when it was built. From a checkout, "
      "`./zoe view` installs them (Debian: libglfw3-dev libimgui-dev) and builds it; `zoe render` draws without a "
      "window");
  return kFailed;
}

}  // namespace zoe::cli
