// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The verbs below `zoe dataset`.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_dataset_build(const Arguments& arguments);
int run_dataset_info(const Arguments& arguments);
int run_dataset_merge(const Arguments& arguments);

}  // namespace zoe::cli
