// SPDX-License-Identifier: MIT
// Part of Zoetrope. Independent tasks of an evaluation, one after the other or in parallel.
#pragma once

#include <functional>
#include <mutex>

#include "zoe/core/executor.h"

namespace zoe::eval {

// on_task may be empty; it is called after each task, never twice at once.
template <typename Function>
void for_tasks(Executor* pool, std::size_t count, const std::function<void()>& on_task, const Function& function) {
  std::mutex mutex;
  const auto run = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      function(i);
      const std::lock_guard lock(mutex);
      if (on_task) on_task();
    }
  };
  if (pool == nullptr) return run(0, count);
  pool->parallel_for(count, 1, run);
}

}  // namespace zoe::eval
