// SPDX-License-Identifier: MIT
// A plugin for an engine: one exported function around a controller.
#include <zoe/control/load.h>

extern "C" [[gnu::visibility("default")]] int plugin_num_joints(const char* path) {
  const auto controller = zoe::control::load_controller(path);
  return controller ? (*controller)->skeleton()->num_joints() : -1;
}
