// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Verbs of controllers.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_train_controller(const Arguments& arguments);

}  // namespace zoe::cli
