// SPDX-License-Identifier: MIT
// Part of Zoetrope. The body of a skeleton: its joints, its up axis, and its reference pose.
#pragma once

#include "anatomy/body.h"

namespace zoe::anatomy {

Body make_body(const Skeleton& skeleton, std::span<const Motion> clips, const Character* character,
               const AnalysisOptions& options);

}  // namespace zoe::anatomy
