// SPDX-License-Identifier: MIT
#include "zoe/core/log.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "zoe/core/suggest.h"

#include "core/system.h"
#include "core/terminal_line.h"

namespace zoe {
namespace {

constexpr std::array kNames{"trace", "debug", "info", "warning", "error", "off"};

// Colours of the level's word on a terminal.
constexpr std::array kColours{"\x1b[37m", "\x1b[36m", "\x1b[32m", "\x1b[33m\x1b[1m", "\x1b[31m\x1b[1m", ""};
constexpr std::string_view kNoColour = "\x1b[m";

bool stderr_has_colours() {
  const char* terminal = std::getenv("TERM");
  return system::is_terminal(stderr) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

class Logger {
 public:
  Logger() {
    const char* requested = std::getenv("ZOE_LOG");
    if (requested == nullptr || *requested == '\0') return;
    if (const Result<LogLevel> parsed = parse_log_level(requested)) {
      level = *parsed;
    } else {
      write(LogLevel::kWarning, fmt::format("ZOE_LOG: {}", parsed.error().message));
    }
  }

  void write(LogLevel message_level, std::string_view message) {
    const std::lock_guard lock(mutex_);
    if (sink_) return sink_(message_level, message);
    const auto index = static_cast<std::size_t>(message_level);
    // One call for the whole line, so that lines of several processes do not mix.
    line_.clear();
    if (g_bar_on_stderr.load(std::memory_order_relaxed)) line_ += kClearLine;
    if (colours_) line_ += kColours[index];
    line_ += kNames[index];
    if (colours_) line_ += kNoColour;
    line_ += ": ";
    line_ += message;
    line_ += '\n';
    std::fwrite(line_.data(), 1, line_.size(), stderr);
    std::fflush(stderr);
  }

  LogSink exchange_sink(LogSink sink) {
    const std::lock_guard lock(mutex_);
    return std::exchange(sink_, std::move(sink));
  }

  std::atomic<LogLevel> level{LogLevel::kInfo};

 private:
  std::mutex mutex_;
  LogSink sink_;
  std::string line_;  // Guarded by mutex_, like the sink.
  const bool colours_ = stderr_has_colours();
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
