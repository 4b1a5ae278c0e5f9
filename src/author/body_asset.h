// SPDX-License-Identifier: MIT
// The body of a controller as the asset of a file, for retargeting.
#pragma once

#include "zoe/control/body.h"
#include "zoe/io/asset.h"

namespace zoe::author {

// Its skeleton in the standing pose.
io::Asset body_asset(const control::Body& body);

}  // namespace zoe::author
