// SPDX-License-Identifier: MIT
#include "ui/widgets.h"

#include <cmath>

namespace zoe::viewer {
namespace {

void triangle(ImDrawList& list, ImVec2 c, float r, float way, ImU32 ink) {
  list.AddTriangleFilled({c.x - way * r * 0.6F, c.y - r * 0.9F}, {c.x - way * r * 0.6F, c.y + r * 0.9F},
                         {c.x + way * r * 0.9F, c.y}, ink);
}

void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float r, ImU32 ink, ImU32 ground) {
  const auto bar = [&](float x, float width) {
    list.AddRectFilled({c.x + x, c.y - r * 0.85F}, {c.x + x + width, c.y + r * 0.85F}, ink, 1);
  };
  switch (icon) {
    case Icon::kPlay:
      return triangle(list, c, r, 1, ink);
    case Icon::kPause:
      bar(-r * 0.75F, r * 0.5F);
      return bar(r * 0.25F, r * 0.5F);
    case Icon::kBack:
    case Icon::kOn: {
      const float way = icon == Icon::kOn ? 1.0F : -1.0F;
      triangle(list, {c.x + way * r * 0.15F, c.y}, r * 0.85F, way, ink);
      return bar(way > 0 ? -r * 0.95F : r * 0.7F, r * 0.25F);
    }
    case Icon::kFirst:
    case Icon::kLast: {
      const float way = icon == Icon::kLast ? 1.0F : -1.0F;
      triangle(list, {c.x - way * r * 0.2F, c.y}, r * 0.85F, way, ink);
      return bar(way > 0 ? r * 0.65F : -r * 0.9F, r * 0.25F);
    }
    case Icon::kLoop:
      list.PathArcTo(c, r * 0.8F, -0.5F, 4.6F, 20);
      list.PathStroke(ink, 0, r * 0.24F);
      return list.AddTriangleFilled({c.x + r * 0.35F, c.y - r * 0.25F}, {c.x + r * 1.1F, c.y - r * 0.25F},
                                    {c.x + r * 0.75F, c.y - r * 0.95F}, ink);
    case Icon::kRecord:
      return list.AddCircleFilled(c, r * 0.75F, ink, 20);
    case Icon::kCamera:
      list.AddRectFilled({c.x - r, c.y - r * 0.55F}, {c.x + r, c.y + r * 0.75F}, ink, r * 0.25F);
      list.AddRectFilled({c.x - r * 0.4F, c.y - r * 0.85F}, {c.x + r * 0.4F, c.y - r * 0.3F}, ink, r * 0.2F);
      return list.AddCircleFilled({c.x, c.y + r * 0.1F}, r * 0.38F, ground, 16);
    case Icon::kTheme:
      list.AddCircle(c, r * 0.8F, ink, 24, r * 0.18F);
      list.PathArcTo(c, r * 0.8F, -1.5708F, 1.5708F, 16);
      return list.PathFillConvex(ink);
    case Icon::kHelp: {
      const ImVec2 size = ImGui::CalcTextSize("?");
      return list.AddText({c.x - size.x / 2, c.y - size.y / 2}, ink, "?");
    }
  }
}

}  // namespace

void tip_of_last(const char* words) {
  if (words != nullptr && ImGui::IsItemHovered() && ImGui::GetCurrentContext() != nullptr)
    ImGui::SetTooltip("%s", words);
}

bool icon_button(const char* name, Icon icon, float size, bool lit, bool dark, const char* tip) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name, {size, size});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ground = ImGui::GetColorU32(ImGui::IsItemActive()    ? ImGuiCol_ButtonActive
                                          : ImGui::IsItemHovered() ? ImGuiCol_ButtonHovered
                                                                   : ImGuiCol_Button);
  list.AddRectFilled(at, {at.x + size, at.y + size}, ground, size * 0.18F);
  draw_icon(list, icon, {at.x + size / 2, at.y + size / 2}, size * 0.26F,
            lit ? palette(dark).accent : palette(dark).text, ground);
  tip_of_last(tip);
  return pressed;
}

bool toggle_button(const char* words, bool on, bool dark, const char* tip) {
  if (on) {
    const ImU32 soft = palette(dark).accent_soft;
    ImGui::PushStyleColor(ImGuiCol_Button, soft);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, soft);
    ImGui::PushStyleColor(ImGuiCol_Text, palette(dark).accent);
  } else {
    ImGui::PushStyleColor(ImGuiCol_Text, palette(dark).text_faint);
  }
  const bool pressed = ImGui::Button(words);
  ImGui::PopStyleColor(on ? 3 : 1);
  tip_of_last(tip);
  return pressed;
}

void heading(const char* words) {
  ImGui::Dummy({0, ImGui::GetStyle().ItemSpacing.y * 0.5F});
  ImGui::TextDisabled("%s", words);
  ImGui::Separator();
}

void fact(const char* name, const std::string& value) {
  ImGui::TextDisabled("%s", name);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.36F);
  ImGui::TextUnformatted(value.c_str());
}

}  // namespace zoe::viewer
