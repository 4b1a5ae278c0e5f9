// SPDX-License-Identifier: MIT
// Part of Zoetrope. Who owns the terminal's last line: a log line must not be glued to a progress bar.
#pragma once

#include <atomic>

namespace zoe {

// True while a progress bar stands on stderr's current line; a writer clears that line first, the bar draws itself
// anew.
inline std::atomic<bool> g_bar_on_stderr{false};

inline constexpr char kClearLine[] = "\r\x1b[K";

}  // namespace zoe
