// SPDX-License-Identifier: MIT
// Part of Zoetrope. Runs parallel work. A game supplies its own job system by deriving from Executor. ThreadPool is the
// implementation that comes with zoe.
//
//   class GameJobs : public zoe::Executor {
//    public:
//     int num_threads() const noexcept override { return jobs.num_workers() + 1; }
//     void run(const Task& task) noexcept override {
//       // Returns when all pieces are done.
//       jobs.for_each(task.num_pieces(), [&](std::size_t piece) { task.run_piece(piece); });
//     }
//   };
#pragma once

#include <algorithm>
#include <cstddef>

#include "zoe/core/check.h"

namespace zoe {

// The range [0, n) is cut into pieces by `grain` alone, never by the number of threads or by the executor. So a
// function that writes only to its own indices (or one partial result per piece) gives the same bits under every
// executor.
class Executor {
 public:
  // Work for run(). Valid until run() returns.
  class Task {
   public:
    std::size_t num_pieces() const { return (num_items_ - 1) / grain_ + 1; }
    // Thread-safe; every piece once, in any order.
    void run_piece(std::size_t piece) const {
      const std::size_t begin = piece * grain_;
      invoke_(function_, begin, begin + std::min(grain_, num_items_ - begin));
    }

   private:
    friend class Executor;
    std::size_t num_items_ = 1;
    std::size_t grain_ = 1;
    const void* function_ = nullptr;
    void (*invoke_)(const void* function, std::size_t begin, std::size_t end) = nullptr;
  };

  Executor() = default;
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Largest number of pieces that run at the same time, >= 1. Callers size their memory by it; it never changes.
  virtual int num_threads() const noexcept = 0;

  // Calls function(begin, end) for the pieces [k * grain, (k + 1) * grain) of [0, n), and returns when all are done.
  // grain > 0. An exception from `function` is a caller's bug and ends the process. Does not allocate, unless a foreign
  // executor does. Calls may nest.
  template <typename Function>
  void parallel_for(std::size_t n, std::size_t grain, const Function& function) {
    ZOE_CHECK(grain > 0, "parallel_for: grain must be positive");
    if (n == 0) return;
    Task task;
    task.num_items_ = n;
    task.grain_ = grain;
    task.function_ = &function;
    task.invoke_ = [](const void* f, std::size_t begin, std::size_t end) noexcept {
      (*static_cast<const Function*>(f))(begin, end);
    };
    if (n <= grain) return task.run_piece(0);
    run(task);
  }

  // Runs all pieces of the task, in the calling thread or others, and returns when they are done. task.num_pieces() >
  // 1. Must allow that a piece calls parallel_for of the same executor.
  virtual void run(const Task& task) noexcept = 0;
};

}  // namespace zoe
