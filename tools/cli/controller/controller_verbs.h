// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Verbs of controllers.
#pragma once

#include "verb.h"

namespace zoe::cli {

// Replaces the process by zoe-train where something is trained and zoe-train exists.
int run_train_controller(const Arguments& arguments);
// For other verbs, which continue afterwards: zoe-train runs beside this process.
int run_train_controller_here(const Arguments& arguments);

}  // namespace zoe::cli
