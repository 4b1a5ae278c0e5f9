// SPDX-License-Identifier: MIT
// report.html: the content of a dataset, as one file that loads nothing from elsewhere.
#pragma once

#include "dataset/records.h"

namespace zoe::dataset {

std::string format_report(const Manifest& manifest, std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
