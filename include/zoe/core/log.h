// SPDX-License-Identifier: MIT
// Part of Zoetrope. Log lines for people, on stderr; stdout is for a command's output. Libraries return errors and
// warnings (result.h). Logging is for programs and for long-running work.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe {

enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kOff };

// "trace", "debug", "info", "warning", "error", "off".
const char* to_string(LogLevel level);
Result<LogLevel> parse_log_level(std::string_view name);

// Initially the environment variable ZOE_LOG, else kInfo. Messages below it are dropped.
LogLevel log_level();
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);

// Thread-safe; lines never mix. Format with fmt at the call: log_info(fmt::format("{} clips", n)).
void log(LogLevel level, std::string_view message);
inline void log_debug(std::string_view message) { log(LogLevel::kDebug, message); }
inline void log_info(std::string_view message) { log(LogLevel::kInfo, message); }
inline void log_warning(std::string_view message) { log(LogLevel::kWarning, message); }
inline void log_error(std::string_view message) { log(LogLevel::kError, message); }

// Receives every message at or above the level, one at a time; must not log itself.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

// Sends messages to `sink` from now on (empty: to stderr). Returns the previous sink.
LogSink set_log_sink(LogSink sink);

}  // namespace zoe
