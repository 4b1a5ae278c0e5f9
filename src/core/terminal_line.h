// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ownership of the terminal's last line: a log line must not be appended to a progress bar.
#pragma once

#include <atomic>

namespace zoe {

// True while a progress bar is on stderr's current line. A writer clears that line first, and the bar is drawn again.
inline std::atomic<bool> g_bar_on_stderr{false};

inline constexpr char kClearLine[] = "\r\x1b[K";

}  // namespace zoe
