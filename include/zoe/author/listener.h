// SPDX-License-Identifier: MIT
// Part of Zoetrope. Callbacks for the progress of a long job, for a terminal, a window or a test. Every callback may be
// empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "zoe/core/result.h"

namespace zoe::author {

struct Listener {
  // Empty: the job and the trainer that it starts print nothing.
  std::function<void(const std::string& line)> on_message;
  std::function<void(const Warning& warning)> on_warning;
  // Called from any thread. what: "dataset"; unit: "files".
  std::function<void(const char* what, const char* unit, std::uint64_t done, std::uint64_t total)> on_progress;

  bool quiet() const { return !on_message; }
  void say(const std::string& line) const {
    if (on_message) on_message(line);
  }
  void warn(const Warnings& warnings) const {
    if (!on_warning) return;
    for (const Warning& warning : warnings) on_warning(warning);
  }
};

}  // namespace zoe::author
