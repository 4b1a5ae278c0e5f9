// SPDX-License-Identifier: MIT
// Part of Zoetrope. The executor that comes with zoe: a fixed set of threads.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "zoe/core/executor.h"

namespace zoe {

// The calling thread works too, so a pool of 0 workers runs everything in the caller. Calls may nest and may come from
// several threads at once. Never allocates after construction.
class ThreadPool : public Executor {
 public:
  explicit ThreadPool(int num_workers);
  ~ThreadPool() override;

  // One pool for the process: a worker per hardware thread beside the caller, or ZOE_THREADS threads in total.
  static ThreadPool& shared();

  // Workers and the caller.
  int num_threads() const noexcept override { return static_cast<int>(workers_.size()) + 1; }

  void run(const Task& task) noexcept override;

 private:
  struct Job;

  void work(int worker_index);
  Job* find_open_job();

  std::mutex mutex_;
  std::condition_variable work_to_do_;
  std::condition_variable helper_left_;
  Job* newest_job_ = nullptr;  // Linked list through Job::older; newest first, so that nested work ends early.
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace zoe
