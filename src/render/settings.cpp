// SPDX-License-Identifier: MIT
#include "zoe/render/settings.h"

namespace zoe::render {

void set_quality(Settings& settings, Quality quality) {
  const bool low = quality == Quality::kLow, high = quality == Quality::kHigh;
  settings.shadows = true;
  settings.shadow_cascades = 1;
  settings.shadow_resolution = low ? 512 : high ? 2048 : 1024;
  settings.shadow_samples = low ? 4 : high ? 24 : 12;
  settings.shadow_softness_m = low ? 0.012F : 0.03F;
  settings.ambient_occlusion = !low;
  settings.ambient_occlusion_samples = high ? 20 : 10;
  settings.bloom = !low;
  settings.fxaa = !low;
}

}  // namespace zoe::render
