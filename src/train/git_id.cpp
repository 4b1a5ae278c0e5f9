// SPDX-License-Identifier: MIT
#include "train/git_id.h"

#include "zoe_git_id.h"  // Written by cmake/ZoeGitId.cmake at every build.

namespace zoe::train {
const char* git_id() { return ZOE_GIT_ID; }
}  // namespace zoe::train
