// SPDX-License-Identifier: MIT
// Part of Zoetrope. The body of a controller, measured on its training data.
#pragma once

#include <span>

#include "zoe/control/body.h"
#include "zoe/features/gather_job.h"

namespace zoe::author {

// Measures the bend direction of knees, contact heights of feet, the stillest pose and speeds, on rows of a layout
// whose output a Decoder reads. Legs are those of the layout's contact joints that have a knee. Fails where there are
// no rows.
Result<control::Body> make_body(const features::Layout& layout, const SkeletonPtr& skeleton,
                                std::span<const features::ClipRows> clips);

}  // namespace zoe::author
