// SPDX-License-Identifier: MIT
// Part of Zoetrope. What Highway's library would define, for builds that have its headers alone: there is one
// instruction set, and nothing to choose.
#include <hwy/targets.h>

namespace hwy {

int64_t SupportedTargets() { return HWY_STATIC_TARGET; }
void SetSupportedTargetsForTest(int64_t) {}
ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
