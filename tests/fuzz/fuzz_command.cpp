// SPDX-License-Identifier: MIT
// libFuzzer target for what the network port and scripts read: bytes in pieces to lines to an intent that stays sound.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "zoe/control/command.h"

#include "stream/line_buffer.h"

namespace {

using namespace zoe::control;

void check(const Intent& intent) {
  bool sound = intent.num_wanted >= 1 && intent.num_wanted <= kMaxWanted;
  float time_s = 0;
  for (int i = 0; sound && i < intent.num_wanted; ++i) {
    const WantedMotion& wanted = intent.wanted[static_cast<std::size_t>(i)];
    sound = std::isfinite(wanted.velocity_mps.x) && std::isfinite(wanted.velocity_mps.z) && wanted.time_s >= time_s &&
            std::isfinite(wanted.facing_rad.value_or(0));
    time_s = wanted.time_s;
  }
  for (const float weight : intent.styles) sound = sound && weight >= 0 && weight <= 1;
  if (intent.goal) sound = sound && std::isfinite(intent.goal->position.x) && std::isfinite(intent.goal->position.z);
  if (!sound) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kNames[] = {"calm", "old"};
  zoe::stream::LineBuffer lines;
  Intent intent;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  while (!bytes.empty()) {
    // The piece's own first byte says how long it is.
    const std::size_t length = std::min<std::size_t>(bytes.size(), 1 + static_cast<std::uint8_t>(bytes[0]) % 64);
    lines.feed(
        bytes.substr(0, length),
        [&](std::string_view line) {
          const CommandWords words = split_command(line);
          if (!words.too_many) (void)apply_command({words.words, words.count}, {kNames, kNames}, intent);
          check(intent);
        },
        [] {});
    bytes.remove_prefix(length);
  }
  return 0;
}
