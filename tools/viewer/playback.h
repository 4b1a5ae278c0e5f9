// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The displayed time: play, pause, step, loop, range, speed. Driven by fixed steps and
// scene::Input, so that recorded input gives the same poses in a window and without one.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/scene/input.h"

namespace zoe::viewer {

// Commands of panels, as buttons of scene::Input above those of gamepads; value: the axis of the same number.
enum class Command : std::uint16_t {
  kScrub = 24,  // While held: displays this frame.
  kSetSpeed = 25,
  kSetFirst = 26,  // Of the range, frames.
  kSetLast = 27,
  kDrag = 28,  // While held: a handle's position; axes as in kDragAxes.
};
constexpr int axis_of(Command command) { return static_cast<int>(command) + 8; }
constexpr int kDragAxes = 48;  // Number of the handle, x, y, z (world metres).

// Appends the events of a single command.
void append_command(Command command, float value, std::vector<scene::InputEvent>& events);
// A key that is pressed and released, for buttons of panels.
void append_key(int key, std::vector<scene::InputEvent>& events);

// A resource of the scene's world.
struct Playback {
  double fps = 30;     // Of the frames that are counted: the first clip's.
  int num_frames = 1;  // Of the longest clip.
  double time_s = 0;   // From the clips' beginnings.
  bool playing = true;
  bool loop = true;
  bool mirrored = false;
  float speed = 1;          // Clip seconds per second.
  int first = 0, last = 0;  // The range that plays, both included.

  int frame() const;  // The nearest.
  double end_s() const { return last / fps; }
  void set_length(int frames, double frames_per_second);  // Makes the whole clip the range again.
  void show_frame(int frame);                             // Clamped to the clip.

  // One fixed step: keys and commands first, then the time advances.
  void step(const scene::Input& input, double step_s);

 private:
  void step_keys(const scene::Input& input, double step_s);
  void step_commands(const scene::Input& input);
  void pass(double seconds);
  double held_s_ = 0;  // Time that an arrow has been down: it repeats after a while.
};

// Speeds that plus and minus go through.
inline constexpr float kSpeeds[] = {0.1F, 0.25F, 0.5F, 1, 1.5F, 2, 4};

}  // namespace zoe::viewer
