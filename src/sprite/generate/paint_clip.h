// SPDX-License-Identifier: MIT
// Part of Zoetrope. All frames of a clip by a painter, each with the frame before in mind.
#pragma once

#include <span>

#include "zoe/core/executor.h"
#include "zoe/paint/painter.h"

namespace zoe::sprite {

// Runs its pieces one after another.
class SerialExecutor final : public Executor {
 public:
  int num_threads() const noexcept override { return 1; }
  void run(const Task& task) noexcept override {
    for (std::size_t i = 0; i < task.num_pieces(); ++i) task.run_piece(i);
  }
};

// painted: one for each pose. loop: the first frame follows the last.
void paint_clip(const paint::Painter& painter, const paint::Reference& reference, std::span<const paint::Pose> poses,
                std::span<const paint::SoftPicture> guesses, bool loop, Executor& executor,
                std::span<paint::SoftPicture> painted);

}  // namespace zoe::sprite
