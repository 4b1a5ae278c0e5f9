// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ctrl-C as a request: long work ends well instead of at once.
#pragma once

#include <memory>

namespace zoe {

// While one lives, the first SIGINT or SIGTERM is only noted; a second one ends the program. What handled them before
// does so again afterwards. One at a time.
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
