// SPDX-License-Identifier: MIT
// Part of Zoetrope. For work inside of a piece of parallel work.
#pragma once

#include "zoe/core/executor.h"

namespace zoe::sprite {

class SerialExecutor final : public Executor {
 public:
  int num_threads() const noexcept override { return 1; }
  void run(const Task& task) noexcept override {
    for (std::size_t i = 0; i < task.num_pieces(); ++i) task.run_piece(i);
  }
};

}  // namespace zoe::sprite
