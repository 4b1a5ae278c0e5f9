// SPDX-License-Identifier: MIT
// Part of Zoetrope. The commit this program was built from, e.g. "3f2a91c+" (with changes), or
// "unknown".
#pragma once

namespace zoe::train {
const char* git_id();
}
