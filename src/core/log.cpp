// SPDX-License-Identifier: MIT
#include "zoe/core/log.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "zoe/core/suggest.h"

#include "core/terminal_line.h"

namespace zoe {
namespace {

constexpr std::array kNames{"trace", "debug", "info", "warning", "error", "off"};

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return spdlog::level::trace;
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

class Logger {
 public:
  Logger() : stderr_("zoe", std::make_shared<spdlog::sinks::stderr_color_sink_st>()) {
    stderr_.set_pattern("%^%l%$: %v");
    stderr_.set_level(spdlog::level::trace);
    const char* wanted = std::getenv("ZOE_LOG");
    if (wanted == nullptr || *wanted == '\0') return;
    if (const Result<LogLevel> parsed = parse_log_level(wanted)) {
      level = *parsed;
    } else {
      write(LogLevel::kWarning, fmt::format("ZOE_LOG: {}", parsed.error().message));
    }
  }

  void write(LogLevel message_level, std::string_view message) {
    const std::lock_guard lock(mutex_);
    if (sink_) return sink_(message_level, message);
    if (g_bar_on_stderr.load(std::memory_order_relaxed)) std::fputs(kClearLine, stderr);
    stderr_.log(to_spdlog(message_level), spdlog::string_view_t(message.data(), message.size()));
    stderr_.flush();
  }

  LogSink exchange_sink(LogSink sink) {
    const std::lock_guard lock(mutex_);
    return std::exchange(sink_, std::move(sink));
  }

  std::atomic<LogLevel> level{LogLevel::kInfo};

 private:
  std::mutex mutex_;
  LogSink sink_;
  spdlog::logger stderr_;
};

// Leaked on purpose: static destructors may still log.
Logger& logger() {
  static Logger* const instance = new Logger;
  return *instance;
}

}  // namespace

const char* to_string(LogLevel level) { return kNames[static_cast<std::size_t>(level)]; }

Result<LogLevel> parse_log_level(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<LogLevel>(i);
  }
  const std::vector<std::string> known(kNames.begin(), kNames.end());
  return Error{ErrorCode::kUsage, fmt::format("unknown log level '{}'{} (known: {})", name, did_you_mean(name, known),
                                              fmt::join(known, ", "))};
}

LogLevel log_level() { return logger().level.load(std::memory_order_relaxed); }
void set_log_level(LogLevel level) { logger().level.store(level, std::memory_order_relaxed); }
bool log_enabled(LogLevel level) { return level != LogLevel::kOff && level >= log_level(); }

void log(LogLevel level, std::string_view message) {
  if (log_enabled(level)) logger().write(level, message);
}

LogSink set_log_sink(LogSink sink) { return logger().exchange_sink(std::move(sink)); }

}  // namespace zoe
