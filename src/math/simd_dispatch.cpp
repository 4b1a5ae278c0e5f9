// SPDX-License-Identifier: MIT
#include "zoe/math/simd_dispatch.h"

#include <cstdlib>

#include "zoe/math/batch.h"

#ifdef ZOE_HAS_HWY

// The choice of targets comes before Highway reads it.
// clang-format off
#include "core/simd_targets.h"
#include "core/simd_environment.h"
#include <hwy/highway.h>
// clang-format on

namespace zoe::simd {

Result<void> restrict_targets(std::string_view word) {
  std::string problem = restrict_to_word(word);
  if (!problem.empty()) return Error{ErrorCode::kInvalid, std::move(problem)};
  return {};
}
RequestedTarget requested_target() { return {environment_target().word, environment_target().problem}; }

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

Result<void> restrict_targets(std::string_view word) {
  if (word.empty() || word == "scalar") return {};
  return Error{ErrorCode::kInvalid, "this build has no instruction set but scalar"};
}
RequestedTarget requested_target() {
  const char* word = std::getenv("ZOE_TARGET");
  const std::string text = word != nullptr ? word : "";
  const Result<void> restricted = restrict_targets(text);
  return {text, restricted ? "" : restricted.error().message};
}
std::vector<Target> supported_targets() { return {{1, "portable"}}; }
ForceTarget::ForceTarget(const Target&) {}
ForceTarget::~ForceTarget() {}

}  // namespace zoe::simd

#endif

namespace zoe::simd {
const char* target_in_use() { return batch::instruction_set(); }
}  // namespace zoe::simd
