// SPDX-License-Identifier: MIT
#include "zoe/scene/transform.h"

namespace zoe::scene {

Affine interpolate(const Affine& before, const Affine& now, float alpha) {
  if (alpha >= 1 || before == now) return now;
  const Transform a = decompose(before), b = decompose(now);
  return to_affine(Transform{lerp(a.translation, b.translation, alpha), nlerp(a.rotation, b.rotation, alpha),
                             lerp(a.scale, b.scale, alpha)});
}

}  // namespace zoe::scene
