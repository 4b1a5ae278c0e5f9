// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Holds the log for a test's time: a warning or error that nobody asked for fails the test.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/log.h"

namespace zoe::test {

class LogGuard {
 public:
  LogGuard() : previous_(set_log_sink([this](LogLevel level, std::string_view message) { take(level, message); })) {}
  ~LogGuard() {
    set_log_sink(std::move(previous_));
    for (const std::string& line : unexpected()) ADD_FAILURE() << "unexpected log line: " << line;
  }
  LogGuard(const LogGuard&) = delete;
  LogGuard& operator=(const LogGuard&) = delete;

  // Takes one line that contains `part` off the record; false when there is none.
  bool expect(std::string_view part) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].second.find(part) == std::string::npos) continue;
      lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  // Warnings and errors not taken by expect().
  std::vector<std::string> unexpected() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> found;
    for (const auto& [level, line] : lines_) {
      if (level >= LogLevel::kWarning) found.push_back(line);
    }
    return found;
  }

 private:
  void take(LogLevel level, std::string_view message) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(level, message);
  }

  mutable std::mutex mutex_;
  std::vector<std::pair<LogLevel, std::string>> lines_;
  LogSink previous_;
};

}  // namespace zoe::test
