// SPDX-License-Identifier: MIT
// Which numbers of the rows around a sample a block reads.
#pragma once

#include <vector>

#include "zoe/features/layout.h"

namespace zoe::features {

// By frame, then by column. The layout is complete but for its reads.
std::vector<RowRead> find_reads(const Layout& layout, BlockKind kind);

}  // namespace zoe::features
