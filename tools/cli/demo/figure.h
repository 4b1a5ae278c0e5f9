// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A small synthetic figure that walks: a demo needs no data.
#pragma once

#include "zoe/io/asset.h"

namespace zoe::cli {

// A person of 22 joints with a box of skin around each bone, and one clip "walk" of two seconds at 60 frames per
// second.
Result<io::Asset> make_walking_figure();

}  // namespace zoe::cli
