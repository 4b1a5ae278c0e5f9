// SPDX-License-Identifier: MIT
// Part of Zoetrope. A fixed set of threads and one operation: run a function over [0, n) in parallel.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace zoe {

// The calling thread works too, so a pool of 0 workers runs everything in the caller. Calls may nest and may come from
// several threads at once. The range is cut into pieces by `grain` alone, never by the number of threads: a function
// that writes only to its own indices (or one partial result a piece) gives the same answer on any machine.
class ThreadPool {
 public:
  explicit ThreadPool(int num_workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // One pool for the process: a worker for each hardware thread beside the caller, or ZOE_THREADS threads in all.
  static ThreadPool& shared();

  // Workers and the caller.
  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls function(begin, end) for the pieces [k * grain, (k + 1) * grain) of [0, n), and returns when all are done.
  // grain > 0. An exception that leaves `function` is a caller's bug and ends the process. Does not allocate.
  template <typename Function>
  void parallel_for(std::size_t n, std::size_t grain, const Function& function) {
    run({.num_items = n,
         .grain = grain,
         .function = &function,
         .invoke = [](const void* f, std::size_t begin, std::size_t end) {
           (*static_cast<const Function*>(f))(begin, end);
         }});
  }

 private:
  struct Task {
    std::size_t num_items = 0;
    std::size_t grain = 1;
    const void* function = nullptr;
    void (*invoke)(const void* function, std::size_t begin, std::size_t end) = nullptr;
  };
  struct Job;

  void run(const Task& task);
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
