// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe correspond`: joints, and moments, of two bodies that are alike.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_correspond(const Arguments& arguments);

}  // namespace zoe::cli
