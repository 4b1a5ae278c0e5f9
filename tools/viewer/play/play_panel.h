// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The panel of `zoe play`: progress of the character, and what can be requested.
#pragma once

#include "play/play_stage.h"
#include "ui/panels.h"
#include "window_session.h"

namespace zoe::viewer {

// State that the panel reads and writes. PlayApp acts on it.
struct PlaySession : WindowSession {
  bool paused = false;
};

float play_panel_width(float scale);
void draw_play_panel(PlaySession& session, PlayStage& stage, const PanelPlace& place);
const std::vector<HelpGroup>& play_help();

}  // namespace zoe::viewer
