// SPDX-License-Identifier: MIT
#include "zoe/core/log.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "support/log_guard.h"

namespace zoe {
namespace {

struct LevelGuard {
  LogLevel previous = log_level();
  ~LevelGuard() { set_log_level(previous); }
};

TEST(Log, SinkGetsMessagesAtOrAboveTheLevel) {
  const LevelGuard guard;
  std::vector<std::string> lines;
  LogSink previous = set_log_sink([&](LogLevel level, std::string_view message) {
    lines.push_back(std::string(to_string(level)) + " " + std::string(message));
  });
  set_log_level(LogLevel::kWarning);
  log_info("hidden");
  log_warning("shown {}");  // Braces are text: nothing formats the message again.
  log_error("bad");
  set_log_level(LogLevel::kOff);
  log_error("hidden too");
  log(LogLevel::kOff, "never");
  set_log_sink(std::move(previous));
  EXPECT_EQ(lines, (std::vector<std::string>{"warning shown {}", "error bad"}));
}

TEST(Log, ParsesLevelsAndSuggests) {
  EXPECT_EQ(parse_log_level("debug").value(), LogLevel::kDebug);
  const auto wrong = parse_log_level("warnign");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("did you mean 'warning'"), std::string::npos);
}

TEST(Log, WritesToStderr) {
  const LevelGuard guard;
  set_log_level(LogLevel::kTrace);
  testing::internal::CaptureStderr();
  log_warning("to people");
  log(LogLevel::kTrace, "");
  log_error("{} %s");
  // No colours: the captured stderr is a file.
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: to people\ntrace: \nerror: {} %s\n");
}

TEST(Log, LinesOnStderrStayWhole) {
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const std::string message(100 + 50 * static_cast<std::size_t>(t), static_cast<char>('a' + t));
      for (int i = 0; i < 200; ++i) log_warning(message);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(testing::internal::GetCapturedStderr());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_TRUE(line.starts_with("warning: ")) << line;
    ASSERT_EQ(line.find_first_not_of(line.back(), 9), std::string::npos) << line;
    ASSERT_EQ(line.size(), 9U + 100U + 50U * static_cast<std::size_t>(line.back() - 'a'));
  }
  EXPECT_EQ(count, 800);
}

TEST(Log, LinesFromManyThreadsStayWhole) {
  test::LogGuard guard;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) log_info("line");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 400; ++i) EXPECT_TRUE(guard.expect("line"));
  EXPECT_FALSE(guard.expect("line"));
}

TEST(Log, GuardFailsOnAnUnexpectedWarning) {
  EXPECT_NONFATAL_FAILURE(
      {
        test::LogGuard guard;
        log_warning("surprise");
      },
      "surprise");
  test::LogGuard guard;
  log_warning("planned");
  EXPECT_TRUE(guard.expect("planned"));
}

// A fresh process, because the variable is read once.
TEST(LogDeathTest, EnvironmentSetsTheLevel) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  ::setenv("ZOE_LOG", "debug", 1);
  EXPECT_EXIT({ std::exit(log_level() == LogLevel::kDebug ? 0 : 1); }, testing::ExitedWithCode(0), "");
  ::setenv("ZOE_LOG", "loud", 1);
  EXPECT_EXIT(
      {
        log_info("now");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "unknown log level 'loud'");
  ::unsetenv("ZOE_LOG");
}

}  // namespace
}  // namespace zoe
