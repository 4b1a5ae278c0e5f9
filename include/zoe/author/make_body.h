// SPDX-License-Identifier: MIT
// Part of Zoetrope. The body of a controller, measured on the data that it learns from.
#pragma once

#include <span>

#include "zoe/control/body.h"
#include "zoe/features/gather_job.h"

namespace zoe::author {

// Measured on rows of a layout whose output a Decoder reads: which way knees bend, how high feet are when they stand, the
// stillest pose, speeds. Legs are those of the layout's contact joints that have a knee. Fails where there are no rows.
Result<control::Body> make_body(const features::Layout& layout, const SkeletonPtr& skeleton,
                                std::span<const features::ClipRows> clips);

}  // namespace zoe::author
