// SPDX-License-Identifier: MIT
#include "zoe/render/frame.h"

namespace zoe::render {

void RenderFrame::clear() {
  instances.clear();
  cones.clear();
  lights.clear();
  ground = nullptr;
  overlay.clear();
}

}  // namespace zoe::render
