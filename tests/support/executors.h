// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Executors as a game might bring them: results must not depend on which one runs the work.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "zoe/core/executor.h"

namespace zoe::test {

// In the calling thread, the last piece first.
class ReversedExecutor : public Executor {
 public:
  int num_threads() const noexcept override { return 1; }
  void run(const Task& task) noexcept override {
    ++runs;
    for (std::size_t piece = task.num_pieces(); piece-- > 0;) task.run_piece(piece);
  }
  int runs = 0;
};

// Threads made for each call; the caller only waits.
class FreshThreadsExecutor : public Executor {
 public:
  explicit FreshThreadsExecutor(int num_threads) : num_threads_(num_threads) {}
  int num_threads() const noexcept override { return num_threads_; }
  void run(const Task& task) noexcept override {
    ++runs;
    std::atomic<std::size_t> left{task.num_pieces()};
    std::vector<std::thread> threads;
    for (int i = 0; i < num_threads_; ++i) {
      threads.emplace_back([&] {
        for (std::size_t piece = left--; piece > 0 && piece <= task.num_pieces(); piece = left--) {
          task.run_piece(piece - 1);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::atomic<int> runs = 0;

 private:
  int num_threads_;
};

}  // namespace zoe::test
