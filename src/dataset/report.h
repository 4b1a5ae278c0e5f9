// SPDX-License-Identifier: MIT
// report.html: what a dataset holds, to be looked at. One file without anything from elsewhere.
#pragma once

#include "dataset/records.h"

namespace zoe::dataset {

std::string format_report(const Manifest& manifest, std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
