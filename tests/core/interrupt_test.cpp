// SPDX-License-Identifier: MIT
#include "zoe/core/interrupt.h"

#include <csignal>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(InterruptGuard, NotesTheFirstSignalAndGivesHandlersBack) {
  static int seen = 0;
  seen = 0;
  std::signal(SIGTERM, [](int) { ++seen; });
  {
    const InterruptGuard guard;
    EXPECT_FALSE(guard.interrupted());
    std::raise(SIGTERM);
    EXPECT_TRUE(guard.interrupted());
    EXPECT_EQ(seen, 0);
  }
  std::raise(SIGTERM);
  EXPECT_EQ(seen, 1);
  std::signal(SIGTERM, SIG_DFL);
  const InterruptGuard next;  // Forgets what an earlier one noted.
  EXPECT_FALSE(next.interrupted());
}

TEST(InterruptGuardDeathTest, ASecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace zoe
