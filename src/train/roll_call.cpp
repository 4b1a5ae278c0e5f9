// SPDX-License-Identifier: MIT
#include "train/roll_call.h"

#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace zoe::train {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

class RollCall {
 public:
  RollCall(c10::intrusive_ptr<c10d::Store> store, const Ranks& ranks) : store_(std::move(store)), ranks_(ranks) {}

  std::string missing(milliseconds patience) {
    report("alive");
    std::vector<int> others;
    for (int rank = 0; rank < ranks_.size; ++rank) {
      if (rank != ranks_.rank) others.push_back(rank);
    }
    std::string names;
    std::vector<int> alive;
    const std::vector<int> silent = wait(others, "alive", patience);
    for (const int rank : others) {
      if (std::find(silent.begin(), silent.end(), rank) == silent.end()) {
        alive.push_back(rank);
      } else {
        names += (names.empty() ? "" : ", ") + std::to_string(rank);
      }
    }
    report("read");
    // Rank 0 leaves last: the others read its store.
    if (ranks_.rank == 0) wait(alive, "read", milliseconds(1500));
    return names;
  }

 private:
  static std::string key(const char* word, int rank) { return std::string(word) + "/" + std::to_string(rank); }
  void report(const char* word) { store_->set(key(word, ranks_.rank), std::vector<std::uint8_t>{1}); }
  // Those of `ranks` that have not reported the word within the time.
  std::vector<int> wait(std::vector<int> ranks, const char* word, milliseconds patience) {
    const auto end = Clock::now() + patience;
    while (true) {
      std::erase_if(ranks, [&](int rank) { return store_->check({key(word, rank)}); });
      if (ranks.empty() || Clock::now() >= end) return ranks;
      std::this_thread::sleep_for(milliseconds(50));
    }
  }

  c10::intrusive_ptr<c10d::Store> store_;
  Ranks ranks_;
};

}  // namespace

std::string missing_ranks(const c10::intrusive_ptr<c10d::Store>& store, const Ranks& ranks, milliseconds patience) {
  // In a thread that is abandoned when it does not return: a hanging rank 0 holds a store that does not answer, and no
  // timeout of the store reaches a read that has begun.
  const auto promise = std::make_shared<std::promise<std::string>>();
  std::future<std::string> answer = promise->get_future();
  std::thread([promise, patience, call = RollCall(store, ranks)]() mutable {
    try {
      promise->set_value(call.missing(patience));
    } catch (const std::exception&) {
      promise->set_value("0");  // The store is gone, and with it rank 0.
    }
  }).detach();
  if (answer.wait_for(patience + milliseconds(2000)) == std::future_status::ready) return answer.get();
  return "0";
}

}  // namespace zoe::train
