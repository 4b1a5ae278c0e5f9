// SPDX-License-Identifier: MIT
#include "ui/ui.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

#include "ui/panels.h"

namespace zoe::viewer {
namespace {

constexpr float kTopBar_px = 46, kSplitter_px = 5;

// A strip between panels that can be dragged. `size` grows by the motion of the pointer times `sign`.
void draw_splitter(const char* name, float x, float y, float width, float height, float scale, float sign, float& size,
                   float least, float most) {
  ImGui::SetNextWindowPos({x, y});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBackground);
  const bool upright = width < height;
  ImGui::InvisibleButton("drag", {width, height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + width, y + height},
                                              ImGui::GetColorU32(ImGuiCol_SeparatorHovered));
  }
  if (ImGui::IsItemActive()) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    size += sign * (upright ? moved.x : moved.y) / scale;
  }
  size = std::clamp(size, least, most);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace

void begin_panel(const char* name, const PanelPlace& place, int more_flags) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoSavedSettings | more_flags);
}

struct Ui::Impl {
  Impl(Window& w, const std::filesystem::path& config_folder) : window(w), gui(w, config_folder), scale(gui.scale()) {}
  Window& window;
  Gui gui;
  float scale;
  Browser browser;
  TimePanel time;

  Area lay_out(Session& session);
};

Ui::Ui(Window& window, const std::filesystem::path& config_folder)
    : impl_(std::make_unique<Impl>(window, config_folder)) {}
Ui::~Ui() = default;
Gui& Ui::gui() { return impl_->gui; }

Area Ui::Impl::lay_out(Session& s) {
  const auto width = static_cast<float>(window.width_px()), height = static_cast<float>(window.height_px());
  Settings& settings = s.settings;
  if (!s.panels) return {0, 0, static_cast<int>(width), static_cast<int>(height)};
  const float split = kSplitter_px * scale;
  const float top = kTopBar_px * scale;
  const float bar = TimePanel::bar_height(scale);
  const float plots =
      settings.plots ? std::min(settings.plots_height * scale, std::max(height - top - bar - 120 * scale, 0.0F)) : 0;
  const float bottom = height - bar - plots;
  const float most = width / scale * 0.4F;
  const float left = settings.browser ? std::min(settings.browser_width, most) * scale : 0;
  const float right = settings.inspector ? std::min(settings.inspector_width, most) * scale : 0;
  draw_top_bar(s, {0, 0, width, top, scale});
  if (settings.browser) {
    browser.draw(s, {0, top, left, bottom - top, scale});
    draw_splitter("##browser", left - split / 2, top, split, bottom - top, scale, 1, settings.browser_width, 150,
                  std::max(most, 160.0F));
  }
  if (settings.inspector) {
    draw_inspector(s, {width - right, top, right, bottom - top, scale});
    draw_splitter("##inspector", width - right - split / 2, top, split, bottom - top, scale, -1,
                  settings.inspector_width, 200, std::max(most, 210.0F));
  }
  time.draw(s, {0, bottom, width, height - bottom, scale});
  if (settings.plots)
    draw_splitter("##plots", 0, bottom - split / 2, width, split, scale, -1, settings.plots_height, 60, 700);
  return {static_cast<int>(left), static_cast<int>(top), std::max(static_cast<int>(width - left - right), 16),
          std::max(static_cast<int>(bottom - top), 16)};
}

void Ui::draw(Session& session) {
  const bool dark = session.settings.dark;
  impl_->gui.begin(dark);
  session.view = impl_->lay_out(session);
  const PanelPlace view{static_cast<float>(session.view.x), static_cast<float>(session.view.y),
                        static_cast<float>(session.view.width), static_cast<float>(session.view.height), impl_->scale};
  draw_drop(session, view);
  draw_notes(session.notes, dark, view);
  if (session.help) draw_help(viewer_help(), dark, view);
  impl_->gui.end();
}

}  // namespace zoe::viewer
