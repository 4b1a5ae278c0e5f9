// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks for the caller's own bugs. Data from outside is never checked this way (see result.h).
#pragma once

#include <string>

namespace zoe {

// Called when a check fails; must not return. The default prints to stderr and aborts.
using CheckHandler = void (*)(const char* file, int line, const char* condition, const std::string& message);

// Installs a handler for the whole process (tests, Python) and returns the previous one. Not thread-safe.
CheckHandler set_check_handler(CheckHandler handler);

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

}  // namespace zoe

// Always on; keep the condition cheap.
#define ZOE_CHECK(condition, message)                               \
  do {                                                              \
    if (!(condition)) [[unlikely]]                                  \
      ::zoe::check_failed(__FILE__, __LINE__, #condition, message); \
  } while (false)

// Debug builds only; for conditions inside hot loops.
#ifdef NDEBUG
#define ZOE_ASSERT(condition) ((void)0)
#else
#define ZOE_ASSERT(condition) ZOE_CHECK(condition, "")
#endif
