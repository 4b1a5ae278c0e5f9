// SPDX-License-Identifier: MIT
// The help overlay, and temporary notes.
#include <algorithm>

#include "ui/panels.h"

namespace zoe::viewer {

// docs/viewer.md has the same table.
const std::vector<HelpGroup>& viewer_help() {
  static const std::vector<HelpGroup> groups{
      {"Time",
       {{"Space", "play, pause"},
        {"Left Right", "one frame, with Shift ten"},
        {"Home End", "start, end of the range"},
        {"[  ]  \\", "range from here, to here, all"},
        {"L", "loop"},
        {"+  -", "faster, slower"}}},
      {"Camera",
       {{"1 2 3 4", "orbit, free, follow, fixed"},
        {"Drag", "turn"},
        {"Shift drag, middle", "pan"},
        {"Wheel", "nearer, farther"},
        {"W A S D Q E", "fly, in the free mode"},
        {"F", "look at all bodies"}}},
      {"Bodies",
       {{"M", "mirror"},
        {"G", "ghosts"},
        {"J", "pose: drag hands, feet, head, hips"},
        {"Click", "select body and joint"},
        {"Delete", "remove the body"},
        {"Drop a file", "open it, add it, or play on its body"},
        {"Ctrl S", "save the range"}}},
      {"Window",
       {{"Tab", "all panels"},
        {"B I P", "browser, inspector, plots"},
        {"T", "light, dark"},
        {"K", "screenshot"},
        {"R", "record a film"},
        {"F1 H", "this help"},
        {"Ctrl Q", "quit"}}},
      {"Gamepad", {{"A", "play, pause"}, {"Left Right", "one frame"}, {"Right stick", "turn the camera"}}},
  };
  return groups;
}

HelpGroup window_help() {
  return {"Window",
          {{"Tab", "panel"},
           {"T", "light, dark"},
           {"K", "screenshot"},
           {"R", "record a film"},
           {"F1 H", "this help"},
           {"Ctrl Q", "quit"}}};
}

void draw_help(const std::vector<HelpGroup>& groups, bool dark, const PanelPlace& view) {
  const float s = view.scale;
  ImGui::SetNextWindowPos({view.x + view.width / 2, view.y + view.height / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowBgAlpha(0.95F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 9 * s);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24 * s, 18 * s});
  ImGui::Begin("help", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoMove);
  const Palette& colors = palette(dark);
  const ImVec4 accent = ImGui::ColorConvertU32ToFloat4(colors.accent);
  // Two groups beside each other, keys and words each in its own column.
  if (ImGui::BeginTable("groups", 4)) {
    for (int column = 0; column < 4; ++column)
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, (column % 2 == 0 ? 140 : 250) * s);
    for (std::size_t first = 0; first < groups.size(); first += 2) {
      const std::size_t last = std::min(first + 2, groups.size());
      std::size_t rows = 0;
      for (std::size_t i = first; i < last; ++i) rows = std::max(rows, groups[i].lines.size());
      for (std::size_t row = 0; row <= rows; ++row) {
        ImGui::TableNextRow();
        for (std::size_t i = first; i < last; ++i) {
          ImGui::TableSetColumnIndex(static_cast<int>(i - first) * 2);
          if (row == 0) ImGui::TextColored(accent, "%s", groups[i].title);
          if (row == 0 || row > groups[i].lines.size()) continue;
          ImGui::TextUnformatted(groups[i].lines[row - 1].keys);
          ImGui::TableNextColumn();
          ImGui::TextDisabled("%s", groups[i].lines[row - 1].words);
        }
      }
      ImGui::TableNextRow(0, 8 * s);
    }
    ImGui::EndTable();
  }
  ImGui::TextDisabled("F1 or Esc closes this");
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void draw_notes(const std::vector<Note>& notes, bool dark, const PanelPlace& view) {
  if (notes.empty()) return;
  const float s = view.scale;
  ImGui::SetNextWindowPos({view.x + view.width / 2, view.y + view.height - 16 * s}, ImGuiCond_Always, {0.5F, 1});
  ImGui::SetNextWindowBgAlpha(0.9F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 7 * s);
  ImGui::Begin("notes", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(std::max(view.width - 60 * s, 200 * s));
  // The newest few: a folder with unreadable files gives many.
  const std::size_t first = notes.size() > 5 ? notes.size() - 5 : 0;
  for (std::size_t i = first; i < notes.size(); ++i) {
    const Note& note = notes[i];
    if (note.is_error) ImGui::PushStyleColor(ImGuiCol_Text, palette(dark).error);
    ImGui::TextUnformatted(note.words.c_str());
    if (note.is_error) ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace zoe::viewer
