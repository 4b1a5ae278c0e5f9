// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ctrl-C as a request: long work ends properly instead of at once.
#pragma once

#include <memory>

namespace zoe {

// During its lifetime the first SIGINT or SIGTERM is only recorded. A second one ends the program. The previous
// handlers are restored afterwards. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const;

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

}  // namespace zoe
