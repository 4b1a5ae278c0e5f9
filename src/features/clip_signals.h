// SPDX-License-Identifier: MIT
// Part of Zoetrope. Signals that need the whole clip: contacts, phases, labels, at the clip's own rate.
#pragma once

#include <vector>

#include "zoe/features/clip_context.h"
#include "zoe/features/layout.h"

namespace zoe::features {

// Values of one row source, [motion's frames × source.width].
struct ClipSignal {
  const RowSource* source = nullptr;
  std::vector<float> values;
  bool nearest = false;  // Between frames the nearer one counts. Else they are interpolated.
};

// One entry for each source of the layout that is such a signal.
Result<std::vector<ClipSignal>> compute_signals(const Layout& layout, const ClipContext& clip);

}  // namespace zoe::features
