// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip and its labels, ground, goals and signals.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "zoe/ground/ground.h"
#include "zoe/motion/motion.h"

namespace zoe::features {

// One label of a clip, by its name in the schema. Labels that a clip does not have are zero.
struct LabelTrack {
  std::string name;
  float value = 1;                // Where `frames` is empty: the value of the whole clip.
  std::span<const float> frames;  // [motion's frames], or empty.
};

// The target of the character, model space.
struct Goal {
  Vec3 position;
  Vec3 direction{0, 0, 1};  // Unit.
};

// Numbers of a "signal" channel, by its name. Signals that a clip or tick does not have are zero.
struct SignalTrack {
  std::string_view name;
  std::span<const float> values;  // [motion's frames × width]; of a tick: [width].
};

// Metres, Y up. A mirrored clip is a separate clip: see mirror() and anatomy's mirror_map().
struct ClipContext {
  const Motion* motion = nullptr;
  std::span<const LabelTrack> labels;
  const Ground* ground = nullptr;  // Null: flat at the root's ground height.
  std::span<const Goal> goals;     // [motion's frames], or empty: the root itself.
  std::span<const SignalTrack> signals;
};

}  // namespace zoe::features
