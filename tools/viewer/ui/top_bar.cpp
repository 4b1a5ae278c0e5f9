// SPDX-License-Identifier: MIT
// Open files, displayed items, and the camera.
#include <fmt/format.h>

#include "ui/panels.h"
#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

struct ShownToggle {
  const char* words;
  const char* tip;
  bool Shown::*field;
};
constexpr ShownToggle kToggles[] = {
    {"Body", "The mesh, or solid bones where there is none", &Shown::body},
    {"Skeleton", "Bones as lines, through the body", &Shown::skeleton},
    {"Root", "Position and facing of the body", &Shown::root},
    {"Contacts", "Feet in contact with the ground", &Shown::contacts},
    {"Path", "Path of the root, one second before and after", &Shown::trajectory},
    {"Speeds", "Velocity of every joint", &Shown::velocities},
    {"Names", "Of every joint", &Shown::names},
    {"Ghosts", "Poses before and after (G)", &Shown::ghosts},
};

}  // namespace

void draw_top_bar(Session& session, const PanelPlace& place) {
  begin_panel("top", place, ImGuiWindowFlags_NoScrollbar);
  const float s = place.scale;
  const bool dark = session.settings.dark;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {4 * s, 4 * s});
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette(dark).accent), "zoe");
  ImGui::SameLine(0, 14 * s);
  for (const ShownToggle& toggle : kToggles) {
    bool& shown = session.settings.shown.*toggle.field;
    if (toggle_button(toggle.words, shown, dark, toggle.tip)) {
      shown = !shown;
      session.stage.set_bodies_visible(session.settings.shown.body);
    }
    ImGui::SameLine();
  }
  // Cameras and looks at the right edge.
  const float size = ImGui::GetFrameHeight();
  constexpr ViewCamera::Mode kModes[] = {ViewCamera::Mode::kOrbit, ViewCamera::Mode::kFree, ViewCamera::Mode::kFollow,
                                         ViewCamera::Mode::kFixed};
  constexpr const char* kNames[] = {"Orbit", "Free", "Follow", "Fixed"};
  constexpr const char* kTips[] = {"Around the body (1)", "Fly: W A S D Q E, drag to turn the view (2)",
                                   "Behind the body, turning with it (3)", "Fixed (4)"};
  float width = 5 * (size + 4 * s);
  for (const char* name : kNames) width += ImGui::CalcTextSize(name).x + 2 * ImGui::GetStyle().FramePadding.x + 4 * s;
  ImGui::SameLine(std::max(ImGui::GetCursorPosX() + 12 * s, place.width - width - 14 * s));
  for (int i = 0; i < 4; ++i) {
    if (toggle_button(kNames[i], session.camera.mode() == kModes[i], dark, kTips[i]))
      session.camera.set_mode(kModes[i]);
    ImGui::SameLine();
  }
  ImGui::SameLine(0, 12 * s);
  if (icon_button("screenshot", Icon::kCamera, size, false, dark, "Screenshot (K)"))
    session.tasks.push_back({Task::Kind::kScreenshot});
  ImGui::SameLine();
  if (icon_button("film", Icon::kRecord, size, session.films, dark,
                  session.films ? "End the film (R)" : "Record a film (R)"))
    session.tasks.push_back({Task::Kind::kFilm});
  ImGui::SameLine();
  if (icon_button("theme", Icon::kTheme, size, false, dark, "Light or dark (T)")) session.settings.dark = !dark;
  ImGui::SameLine();
  if (icon_button("help", Icon::kHelp, size, session.help, dark, "Help (F1)")) session.help = !session.help;
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace zoe::viewer
