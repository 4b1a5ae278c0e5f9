// SPDX-License-Identifier: MIT
#include "zoe/core/interrupt.h"

#include <csignal>
#include <cstddef>

namespace zoe {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t g_interrupted = 0;

}  // namespace

#ifdef _WIN32
// Signals of the C library: a handler serves once, as SA_RESETHAND says elsewhere.
struct InterruptGuard::Before {
  void (*handlers[2])(int){};
};

InterruptGuard::InterruptGuard() : before_(std::make_unique<Before>()) {
  g_interrupted = 0;
  for (std::size_t i = 0; i < 2; ++i) before_->handlers[i] = std::signal(kSignals[i], [](int) { g_interrupted = 1; });
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < 2; ++i) std::signal(kSignals[i], before_->handlers[i]);
}
#else
struct InterruptGuard::Before {
  struct sigaction actions[2]{};
};

InterruptGuard::InterruptGuard() : before_(std::make_unique<Before>()) {
  g_interrupted = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before_->actions[i]);
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &before_->actions[i], nullptr);
}
#endif

bool InterruptGuard::interrupted() const { return g_interrupted != 0; }

}  // namespace zoe
