// SPDX-License-Identifier: MIT
// Part of Zoetrope. Gathering of one block of one sample: the core of GatherJob, and of run-time encoding.
#pragma once

#include "zoe/features/clip_rows.h"
#include "zoe/features/layout.h"

namespace zoe::features {

// out: [size(kind)]. own_row: where not null, replaces the row at `frame` in all but the root's future, so that a
// desired trajectory need not begin at the character.
void gather_block(const Layout& layout, BlockKind kind, const ClipRows& clip, double frame, const float* own_row,
                  float* out) noexcept;

}  // namespace zoe::features
