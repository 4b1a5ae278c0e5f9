// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The panels, each in one file. They read the session and write settings and requests.
#pragma once

#include <memory>

#include "session.h"
#include "ui/theme.h"

namespace zoe::viewer {

// Position and scale of a panel; window pixels.
struct PanelPlace {
  float x = 0, y = 0, width = 0, height = 0;
  float scale = 1;
};

// Begins a panel that cannot be moved. ImGui::End() ends it.
void begin_panel(const char* name, const PanelPlace& place, int more_flags = 0);

void draw_top_bar(Session& session, const PanelPlace& place);
void draw_inspector(Session& session, const PanelPlace& place);
struct HelpLine {
  const char* keys;
  const char* words;
};
struct HelpGroup {
  const char* title;
  std::vector<HelpLine> lines;
};
const std::vector<HelpGroup>& viewer_help();
// Keys of WindowApp::handle_window_key().
HelpGroup window_help();
void draw_help(const std::vector<HelpGroup>& groups, bool dark, const PanelPlace& whole);
// Accepts files that are dragged from the browser onto the picture, and asks what to do with them.
void draw_drop(Session& session, const PanelPlace& view);
void draw_notes(const std::vector<Note>& notes, bool dark, const PanelPlace& view);

// Files below a folder, found in the background, and the search among them.
class Browser {
 public:
  Browser();
  ~Browser();
  void draw(Session& session, const PanelPlace& place);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Buttons, ruler and plots share one time axis.
class TimePanel {
 public:
  TimePanel();
  ~TimePanel();
  // Height without plots, pixels.
  static float bar_height(float scale) { return 96 * scale; }
  void draw(Session& session, const PanelPlace& place);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::viewer
