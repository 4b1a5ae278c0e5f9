// SPDX-License-Identifier: MIT
// Part of Zoetrope. The commands that several clients hold at the same time, and the intent that they make together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/control/command.h"

namespace zoe::stream {

// An intent has four parts: motion (velocity, facing, goal), gait, styles, actions. Of each part the last command
// counts. A client that is forgotten takes only its own commands away: the commands before them count again.
class HeldCommands {
 public:
  // As control::apply_command() on the present intent, on behalf of a client.
  std::string apply(int client, std::span<const std::string_view> words, const control::LabelNames& labels);
  void forget(int client);
  bool has(int client) const;
  const control::Intent& intent() const { return intent_; }

 private:
  enum class Part : std::uint8_t { kMotion, kGait, kStyles, kActions };
  struct Held {
    int client;
    Part part;
    control::Intent intent;  // Its part of it counts.
  };
  void combine();

  std::vector<Held> held_;  // By time; at most one of a client and a part.
  control::Intent intent_;
};

}  // namespace zoe::stream
