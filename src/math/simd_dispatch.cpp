// SPDX-License-Identifier: MIT
#include "zoe/math/simd_dispatch.h"

#ifdef ZOE_HAS_HWY

// The choice of targets comes before Highway reads it.
// clang-format off
#include "core/simd_targets.h"
#include <hwy/highway.h>
// clang-format on

namespace zoe::simd {

std::vector<Target> supported_targets() {
  std::vector<Target> targets;
  // SupportedTargets() excludes the fallback where the CPU has a better target. The dispatch tables always contain it.
  for (const std::int64_t id : hwy::SupportedAndGeneratedTargets()) targets.push_back({id, hwy::TargetName(id)});
  if (targets.empty() || targets.back().id != HWY_STATIC_TARGET) {
    targets.push_back({HWY_STATIC_TARGET, hwy::TargetName(HWY_STATIC_TARGET)});
  }
  return targets;
}

ForceTarget::ForceTarget(const Target& target) { hwy::GetChosenTarget().Update(target.id); }
ForceTarget::~ForceTarget() { hwy::GetChosenTarget().Update(hwy::SupportedTargets()); }

}  // namespace zoe::simd

#else

namespace zoe::simd {

std::vector<Target> supported_targets() { return {{1, "portable"}}; }
ForceTarget::ForceTarget(const Target&) {}
ForceTarget::~ForceTarget() {}

}  // namespace zoe::simd

#endif
