// SPDX-License-Identifier: MIT
// Files dropped onto the picture, from the browser or from another program.
#include <filesystem>

#include "ui/panels.h"

namespace zoe::viewer {
namespace {

void ask(Session& s, const PanelPlace& view) {
  ImGui::SetNextWindowPos({view.x + view.width / 2, view.y + view.height / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 9 * view.scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {20 * view.scale, 16 * view.scale});
  ImGui::Begin("drop", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoMove);
  ImGui::TextUnformatted(std::filesystem::path(s.dropped).filename().c_str());
  const ImVec2 size{280 * view.scale, 0};
  const auto choose = [&](Task::Kind kind) {
    s.tasks.push_back({kind, s.selected, s.dropped});
    s.dropped.clear();
  };
  if (ImGui::Button("Show it", size)) choose(Task::Kind::kOpen);
  if (!s.dropped.empty() && ImGui::Button("Add it beside the others", size)) choose(Task::Kind::kAdd);
  if (!s.dropped.empty() && s.item() != nullptr && ImGui::Button("Play the selected clip on its body", size))
    choose(Task::Kind::kChangeBody);
  s.drop_answer[0] = (ImGui::GetItemRectMin().x + ImGui::GetItemRectMax().x) / 2;
  s.drop_answer[1] = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
  if (!s.dropped.empty() && ImGui::Button("Nothing (Esc)", size)) s.dropped.clear();
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace

void draw_drop(Session& session, const PanelPlace& view) {
  // The picture is no panel. While something is dragged, a panel over it accepts the drop.
  const ImGuiPayload* dragged = ImGui::GetDragDropPayload();
  if (dragged != nullptr && dragged->IsDataType("file")) {
    begin_panel("drop here", view, ImGuiWindowFlags_NoBackground);
    ImGui::SetCursorPos({0, 0});
    ImGui::InvisibleButton("picture", {view.width, view.height});
    if (ImGui::BeginDragDropTarget()) {
      if (const ImGuiPayload* file = ImGui::AcceptDragDropPayload("file"))
        session.tasks.push_back({Task::Kind::kDrop, 0, static_cast<const char*>(file->Data)});
      ImGui::EndDragDropTarget();
    }
    ImGui::End();
  }
  if (!session.dropped.empty()) ask(session, view);
}

}  // namespace zoe::viewer
