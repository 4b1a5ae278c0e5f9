// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/author/types.h"
#include "zoe/core/suggest.h"
#include "zoe/features/ground_signals.h"

namespace zoe::author {
namespace {

using features::BlockKind;

bool is_ground_channel(const features::Channel& channel) {
  return channel.group == features::Group::kSignal &&
         (channel.name == features::kGroundHeightsSignal || channel.name == features::kGroundGridSignal ||
          channel.name == features::kUnderfootSignal);
}

}  // namespace

Result<GroundSight> parse_ground_sight(const std::string& word) {
  const std::pair<const char*, GroundSight> words[] = {{"none", GroundSight::kNone},
                                                       {"blind", GroundSight::kBlind},
                                                       {"heights", GroundSight::kHeights},
                                                       {"grid", GroundSight::kGrid}};
  std::vector<std::string> known;
  for (const auto& [name, sight] : words) {
    if (word == name) return sight;
    known.emplace_back(name);
  }
  return Error{ErrorCode::kUsage,
               fmt::format("terrain '{}'{}: there are none, blind, heights and grid", word, did_you_mean(word, known)),
               {}};
}

Result<void> add_ground_channels(features::Schema& schema, GroundSight sight, int num_contacts) {
  if (sight == GroundSight::kNone) return {};
  const auto add = [&](BlockKind block, const std::string& text) -> Result<void> {
    ZOE_TRY_ASSIGN(features::Channel channel, features::parse_channel(text));
    schema.block(block).channels.push_back(std::move(channel));
    return {};
  };
  if (sight == GroundSight::kHeights) {
    ZOE_TRY(add(BlockKind::kInput,
                fmt::format("signal name={} width={}", features::kGroundHeightsSignal, features::kGroundHeightsWidth)));
  } else if (sight == GroundSight::kGrid) {
    ZOE_TRY(add(BlockKind::kInput,
                fmt::format("signal name={} width={}", features::kGroundGridSignal, features::kGroundGridWidth)));
  }
  return add(BlockKind::kOutput, fmt::format("signal name={} width={} at=1", features::kUnderfootSignal, num_contacts));
}

void remove_ground_channels(features::Schema& schema) {
  for (features::Block& block : schema.blocks) std::erase_if(block.channels, is_ground_channel);
}

}  // namespace zoe::author
