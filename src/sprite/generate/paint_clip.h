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

// The puppet's guesses of a clip, painted: what networks with begins_painted() read. The reference as
// VideoReference has it.
struct GuessedClip {
  const paint::SoftPicture* picture = nullptr;
  std::span<const paint::Color> palette;
  paint::Pose pose;
  std::span<const paint::Pose> poses;
  bool loop = false, whole_pixels = false;
};
void paint_guesses(const paint::Painter& painter, const GuessedClip& clip, Executor& executor,
                   std::span<paint::SoftPicture> guesses);

}  // namespace zoe::sprite
