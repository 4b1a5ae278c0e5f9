// SPDX-License-Identifier: MIT
// Part of Zoetrope. All frames of a clip by a painter, each with the frame before in mind.
#pragma once

#include <span>

#include "zoe/core/executor.h"
#include "zoe/paint/painter.h"

namespace zoe::sprite {

// painted: one for each pose. loop: the first frame follows the last.
void paint_clip(const paint::Painter& painter, const paint::Reference& reference, std::span<const paint::Pose> poses,
                std::span<const paint::SoftPicture> guesses, bool loop, Executor& executor,
                std::span<paint::SoftPicture> painted);

}  // namespace zoe::sprite
