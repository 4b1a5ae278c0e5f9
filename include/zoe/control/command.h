// SPDX-License-Identifier: MIT
// Part of Zoetrope. Commands in words: the lines of scripts and of the network port.
//
//   move X Z               desired velocity, m/s, world space
//   ahead T X Z [DEGREES]  desired velocity and optional facing T seconds from now; after `move`, by rising T
//   stand
//   face DEGREES|velocity  about +Y from +Z
//   go X Z [DEGREES]       a goal, metres, and an optional facing there
//   gait auto|stand|walk|jog|run|crouch
//   style NAME|none        one of the model's labels, and no other
//   style NAME WEIGHT      the same beside others, 0 to 1
//   action NAME|none, action NAME WEIGHT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "zoe/control/intent.h"
#include "zoe/core/result.h"

namespace zoe::control {

// Names for `style` and `action`: Controller::styles(), actions().
struct LabelNames {
  std::span<const std::string> styles = {}, actions = {};
};

// Index of a label, -1 for "none". Refuses unknown names with a suggestion. what: "action", "style".
Result<int> find_label(std::span<const std::string> labels, std::string_view name, const char* what);
// Sets the weight of that label; the others keep theirs. "none" removes all. The same failures.
Result<void> set_label(std::span<const std::string> labels, std::string_view name, const char* what, float weight,
                       std::array<float, kMaxLabels>& weights);

// Words of a line, without its comment ('#'). Commas count as blanks. A line with more than kMax words is no command.
struct CommandWords {
  static constexpr std::size_t kMax = 6;
  std::string_view words[kMax];
  std::size_t count = 0;
  bool too_many = false;
};
CommandWords split_command(std::string_view line);

// A finite number of at most a million. The whole word must be the number.
std::optional<double> command_number(std::string_view word);

// Applies a command to `intent`. Returns an empty string, or the reason of a refusal; then nothing has changed.
std::string apply_command(std::span<const std::string_view> words, const LabelNames& labels, Intent& intent);

}  // namespace zoe::control
