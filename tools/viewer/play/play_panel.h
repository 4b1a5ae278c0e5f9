// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. What stands beside the picture of `zoe play`: how the character is getting on, and what it may be asked for.
#pragma once

#include "play/play_stage.h"
#include "session.h"
#include "ui/panels.h"

namespace zoe::viewer {

// What the panel reads and writes; PlayApp acts on it.
struct PlaySession {
  Settings settings;
  ViewCamera camera;
  bool panels = true, help = false, films = false, paused = false;
  Area view;  // Where the picture is.
  double now_s = 0, frame_ms = 0;
  std::vector<scene::InputEvent> requests;  // For the scene, as if pressed.
  std::vector<Note> notes;

  void note(std::string words, bool is_error = false) {
    notes.push_back({std::move(words), is_error, now_s + (is_error ? 8.0 : 4.0)});
  }
};

float play_panel_width(float scale);
void draw_play_panel(PlaySession& session, const PlayStage& stage, const PanelPlace& place);
const std::vector<HelpGroup>& play_help();

}  // namespace zoe::viewer
