// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Plain state that the windows of `zoe view` and `zoe play` share with their panels.
#pragma once

#include <string>
#include <vector>

#include "zoe/scene/input.h"

#include "settings.h"
#include "view_camera.h"

namespace zoe::viewer {

// A line that is displayed for a while.
struct Note {
  std::string words;
  bool is_error = false;
  double until_s = 0;
};

// Pixels of the window, from its top left corner.
struct Area {
  int x = 0, y = 0, width = 1, height = 1;
  bool contains(float px, float py) const {
    return px >= static_cast<float>(x) && py >= static_cast<float>(y) && px < static_cast<float>(x + width) &&
           py < static_cast<float>(y + height);
  }
};

struct WindowSession {
  Settings settings;
  ViewCamera camera;
  bool panels = true;  // Tab hides them all.
  bool help = false;
  bool films = false;  // A film is being recorded.
  Area view;           // Area of the picture.
  double now_s = 0;
  double frame_ms = 0;                      // Of one frame, smoothed.
  std::vector<scene::InputEvent> requests;  // For the scene, as if pressed.
  std::vector<Note> notes;

  void note(std::string words, bool is_error = false) {
    notes.push_back({std::move(words), is_error, now_s + (is_error ? 8.0 : 4.0)});
  }
};

}  // namespace zoe::viewer
