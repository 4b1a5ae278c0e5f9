// SPDX-License-Identifier: MIT
#include "zoe/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/trace.h"

namespace zoe {

// On the caller's stack. Nesting cannot deadlock: a waiting thread waits for pieces that run in other threads and were
// begun inside its own job, so waiting only ever points from an outer job to an inner one.
struct ThreadPool::Job {
  const Task& task;
  std::size_t num_pieces = 0;
  std::atomic<std::size_t> next_piece{0};
  int helpers = 0;       // Workers inside this job; guarded by mutex_.
  Job* older = nullptr;  // Guarded by mutex_.

  bool open() const { return next_piece.load(std::memory_order_relaxed) < num_pieces; }

  void run_pieces() noexcept {
    for (;;) {
      const std::size_t piece = next_piece.fetch_add(1, std::memory_order_relaxed);
      if (piece >= num_pieces) return;
      task.run_piece(piece);
    }
  }
};

ThreadPool::ThreadPool(int num_workers) {
  ZOE_CHECK(num_workers >= 0, "a pool cannot have fewer than 0 workers");
  workers_.reserve(static_cast<std::size_t>(num_workers));
  for (int i = 0; i < num_workers; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_to_do_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

ThreadPool& ThreadPool::shared() {
  static ThreadPool pool([] {
    int threads = static_cast<int>(std::thread::hardware_concurrency());
    if (const char* wanted = std::getenv("ZOE_THREADS")) threads = std::atoi(wanted);
    return std::clamp(threads, 1, 1024) - 1;
  }());
  return pool;
}

void ThreadPool::run(const Task& task) noexcept {
  Job job{.task = task, .num_pieces = task.num_pieces()};
  if (job.num_pieces == 1 || workers_.empty()) return job.run_pieces();

  {
    const std::lock_guard lock(mutex_);
    job.older = newest_job_;
    newest_job_ = &job;
  }
  const std::size_t wanted_helpers = std::min(workers_.size(), job.num_pieces - 1);
  for (std::size_t i = 0; i < wanted_helpers; ++i) work_to_do_.notify_one();
  job.run_pieces();

  // All pieces are claimed: no thread may join, and those inside are on their last piece.
  std::unique_lock lock(mutex_);
  Job** link = &newest_job_;
  while (*link != &job) link = &(*link)->older;
  *link = job.older;
  helper_left_.wait(lock, [&] { return job.helpers == 0; });
}

ThreadPool::Job* ThreadPool::find_open_job() {
  for (Job* job = newest_job_; job != nullptr; job = job->older) {
    if (job->open()) return job;
  }
  return nullptr;
}

void ThreadPool::work(int worker_index) {
  set_thread_name(fmt::format("zoe worker {}", worker_index));
  std::unique_lock lock(mutex_);
  for (;;) {
    Job* job = nullptr;
    work_to_do_.wait(lock, [&] { return stopping_ || (job = find_open_job()) != nullptr; });
    if (job == nullptr) return;
    ++job->helpers;
    lock.unlock();
    job->run_pieces();
    lock.lock();
    if (--job->helpers == 0) helper_left_.notify_all();
  }
}

}  // namespace zoe
