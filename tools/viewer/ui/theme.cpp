// SPDX-License-Identifier: MIT
#include "ui/theme.h"

#include <cmath>
#include <filesystem>

namespace zoe::viewer {
namespace {

constexpr float kLetters_px = 16;

// In the order of preference.
constexpr const char* kFonts[] = {
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
};

constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, alpha);
}
ImVec4 vec(unsigned hex, float alpha = 1) {
  return {static_cast<float>((hex >> 16) & 255) / 255, static_cast<float>((hex >> 8) & 255) / 255,
          static_cast<float>(hex & 255) / 255, alpha};
}

// Okabe and Ito's colours, brighter on dark ground and deeper on light.
constexpr Palette kDark{.accent = rgb(0xF59E42),
                        .accent_soft = rgb(0xF59E42, 60),
                        .line = rgb(0x4A5261),
                        .line_faint = rgb(0x333A46),
                        .text = rgb(0xDCE1EA),
                        .text_faint = rgb(0x8F99A9),
                        .track = rgb(0x14171C),
                        .range = rgb(0x0A0B0E, 150),
                        .error = rgb(0xFF7B6B),
                        .series = {rgb(0x56B4E9), rgb(0xF0B24A), rgb(0x2FC59A), rgb(0xE288B9), rgb(0xE8E06A),
                                   rgb(0x5A9BFF), rgb(0xF0784A), rgb(0xB9C0CC)}};
constexpr Palette kLight{.accent = rgb(0xD9680F),
                         .accent_soft = rgb(0xD9680F, 46),
                         .line = rgb(0xA9B0BB),
                         .line_faint = rgb(0xD5D9DF),
                         .text = rgb(0x1E232B),
                         .text_faint = rgb(0x69727F),
                         .track = rgb(0xFFFFFF),
                         .range = rgb(0xC3C8D0, 150),
                         .error = rgb(0xB3261E),
                         .series = {rgb(0x0072B2), rgb(0xC77F00), rgb(0x00805F), rgb(0xB5578C), rgb(0x8A8200),
                                    rgb(0x2456B8), rgb(0xB84A00), rgb(0x555C66)}};

}  // namespace

const Palette& palette(bool dark) { return dark ? kDark : kLight; }

void load_fonts(float scale) {
  ImGuiIO& io = ImGui::GetIO();
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 2;
  std::error_code ignored;
  for (const char* path : kFonts) {
    if (std::filesystem::exists(path, ignored) &&
        io.Fonts->AddFontFromFileTTF(path, std::round(kLetters_px * scale), &config) != nullptr)
      return;
  }
  ImFontConfig plain;
  plain.SizePixels = 13 * std::ceil(scale);
  io.Fonts->AddFontDefault(&plain);
}

void apply_theme(bool dark, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = {};
  if (dark) ImGui::StyleColorsDark(&style);
  if (!dark) ImGui::StyleColorsLight(&style);
  style.WindowPadding = {12, 10};
  style.FramePadding = {9, 5};
  style.ItemSpacing = {8, 7};
  style.ItemInnerSpacing = {7, 5};
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.WindowRounding = 0;
  style.ChildRounding = 5;
  style.FrameRounding = 5;
  style.PopupRounding = 6;
  style.GrabRounding = 5;
  style.TabRounding = 5;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = dark ? 0.0F : 1.0F;
  style.PopupBorderSize = 1;
  style.SelectableTextAlign = {0, 0.5F};
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.ScaleAllSizes(scale);

  const unsigned ground = dark ? 0x20242B : 0xF1F2F5, raised = dark ? 0x2C323C : 0xFFFFFF,
                 hover = dark ? 0x3A4250 : 0xE3E7ED, active = dark ? 0x485265 : 0xD3D9E2,
                 text = dark ? 0xDCE1EA : 0x1E232B, faint = dark ? 0x8F99A9 : 0x69727F,
                 line = dark ? 0x343B47 : 0xD0D5DC, accent = dark ? 0xF59E42 : 0xD9680F;
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vec(text);
  c[ImGuiCol_TextDisabled] = vec(faint);
  c[ImGuiCol_WindowBg] = vec(ground);
  c[ImGuiCol_ChildBg] = vec(ground, 0);
  c[ImGuiCol_PopupBg] = vec(dark ? 0x272C35 : 0xFFFFFF, 0.98F);
  c[ImGuiCol_Border] = vec(line);
  c[ImGuiCol_BorderShadow] = {};
  c[ImGuiCol_FrameBg] = vec(raised);
  c[ImGuiCol_FrameBgHovered] = vec(hover);
  c[ImGuiCol_FrameBgActive] = vec(active);
  c[ImGuiCol_Button] = vec(raised);
  c[ImGuiCol_ButtonHovered] = vec(hover);
  c[ImGuiCol_ButtonActive] = vec(active);
  c[ImGuiCol_Header] = vec(accent, dark ? 0.24F : 0.20F);
  c[ImGuiCol_HeaderHovered] = vec(hover);
  c[ImGuiCol_HeaderActive] = vec(active);
  c[ImGuiCol_Separator] = vec(line);
  c[ImGuiCol_SeparatorHovered] = vec(accent, 0.6F);
  c[ImGuiCol_SeparatorActive] = vec(accent);
  c[ImGuiCol_CheckMark] = vec(accent);
  c[ImGuiCol_SliderGrab] = vec(accent, 0.45F);
  c[ImGuiCol_SliderGrabActive] = vec(accent, 0.7F);
  c[ImGuiCol_ScrollbarBg] = vec(ground, 0);
  c[ImGuiCol_ScrollbarGrab] = vec(hover);
  c[ImGuiCol_ScrollbarGrabHovered] = vec(active);
  c[ImGuiCol_ScrollbarGrabActive] = vec(active);
  c[ImGuiCol_TextSelectedBg] = vec(accent, 0.35F);
  c[ImGuiCol_DragDropTarget] = vec(accent);
  c[ImGuiCol_NavHighlight] = vec(accent);
}

}  // namespace zoe::viewer
