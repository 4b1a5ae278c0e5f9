// SPDX-License-Identifier: MIT
// Counts of the build, and warnings for the user.
#pragma once

#include "dataset/records.h"

namespace zoe::dataset {

BuildReport report_of(const Manifest& manifest, std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
