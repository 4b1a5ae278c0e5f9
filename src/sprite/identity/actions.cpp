// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/sprite/identity/identity.h"

#include "sprite/identity/frame.h"
#include "sprite/identity/stance.h"

namespace zoe::sprite::identity {
namespace {

const Action* find_keys(std::string_view word) {
  for (const auto* list : {&locomotion_actions(), &combat_actions(), &reaction_actions(), &gesture_actions()}) {
    for (const Action& action : *list) {
      if (action.word == word) return &action;
    }
  }
  return nullptr;
}

}  // namespace

const std::vector<std::string>& action_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const auto* list : {&locomotion_actions(), &combat_actions(), &reaction_actions(), &gesture_actions()}) {
      for (const Action& action : *list) all.emplace_back(action.word);
    }
    return all;
  }();
  return words;
}

bool action_loops(std::string_view word) {
  const Action* action = find_keys(word);
  return action != nullptr && action->loop;
}

std::optional<Motion> make_action(const Identity& identity, std::string_view word) {
  const Action* action = find_keys(word);
  if (action == nullptr) return std::nullopt;
  constexpr double kFps = 30;
  // Whole frames; a loop's last frame is its first.
  const int num_frames = static_cast<int>(length_s(*action) * kFps + 0.5) + 1;
  Motion motion = make_motion(identity.character->skeleton, std::string(word), kFps, num_frames, false);
  for (int frame = 0; frame < num_frames; ++frame) {
    const double share = static_cast<double>(frame) / (num_frames - 1), time_s = share * length_s(*action);
    const auto first = static_cast<std::size_t>(frame) * kNumJoints;
    // Trailing parts wave once in a loop, so that it closes.
    set_pose(identity, angles_at(*action, time_s), action->loop ? share * 2 * 3.14159265358979 / 5.2 : time_s,
             std::span(motion.translations).subspan(first, kNumJoints),
             std::span(motion.rotations).subspan(first, kNumJoints));
  }
  make_continuous(motion);
  return motion;
}

Motion transfer(const Motion& motion, const Identity& source, const Identity& target) {
  ZOE_CHECK(motion.num_joints() == kNumJoints && motion.num_joints() == target.character->skeleton->num_joints(),
            "transfer: a motion of an identity");
  Motion moved = make_motion(target.character->skeleton, motion.name, motion.fps, motion.num_frames, false);
  moved.start_time_s = motion.start_time_s;
  moved.rotations = motion.rotations;
  const float scale = target.hip_height / source.hip_height;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const auto first = static_cast<std::size_t>(frame) * kNumJoints;
    for (const int joint : {static_cast<int>(kRoot), static_cast<int>(kHips)}) {
      const auto at = first + static_cast<std::size_t>(joint);
      const Vec3 from = source.character->skeleton->rest_local(joint).translation,
                 to = target.character->skeleton->rest_local(joint).translation;
      moved.translations[at] = to + (motion.translations[at] - from) * scale;
    }
  }
  return moved;
}

}  // namespace zoe::sprite::identity
