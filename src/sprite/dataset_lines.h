// SPDX-License-Identifier: MIT
// The list of finished clips that a run before left behind.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace zoe::sprite {

struct FinishedClips {
  std::string text;  // Whole lines.
  std::set<int> ids;
};
// Reads up to the first line that is torn, damaged or has a number twice: the rest is drawn again.
FinishedClips read_finished(std::string_view text);

}  // namespace zoe::sprite
