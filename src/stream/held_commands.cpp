// SPDX-License-Identifier: MIT
#include "stream/held_commands.h"

#include <algorithm>

namespace zoe::stream {

std::string HeldCommands::apply(int client, std::span<const std::string_view> words,
                                const control::LabelNames& labels) {
  control::Intent changed = intent_;
  std::string wrong = control::apply_command(words, labels, changed);
  if (!wrong.empty()) return wrong;
  const Part part = words[0] == "gait"     ? Part::kGait
                    : words[0] == "style"  ? Part::kStyles
                    : words[0] == "action" ? Part::kActions
                                           : Part::kMotion;
  std::erase_if(held_, [&](const Held& held) { return held.client == client && held.part == part; });
  held_.push_back({client, part, changed});
  combine();
  return wrong;
}

void HeldCommands::forget(int client) {
  std::erase_if(held_, [&](const Held& held) { return held.client == client; });
  combine();
}

bool HeldCommands::has(int client) const {
  return std::any_of(held_.begin(), held_.end(), [&](const Held& held) { return held.client == client; });
}

void HeldCommands::combine() {
  intent_ = {};
  for (const auto& [client, part, intent] : held_) {  // Later ones replace earlier ones.
    switch (part) {
      case Part::kMotion:
        intent_.wanted = intent.wanted;
        intent_.num_wanted = intent.num_wanted;
        intent_.goal = intent.goal;
        break;
      case Part::kGait:
        intent_.gait = intent.gait;
        break;
      case Part::kStyles:
        intent_.styles = intent.styles;
        break;
      case Part::kActions:
        intent_.actions = intent.actions;
        break;
    }
  }
}

}  // namespace zoe::stream
