// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Colours, spacing and letters of the panels, light and dark.
#pragma once

#include <cstddef>

#include <imgui.h>

namespace zoe::viewer {

// Colours of the panels' own drawings, beside Dear ImGui's colours.
struct Palette {
  ImU32 accent, accent_soft;  // The play head and the selection.
  ImU32 line, line_faint;     // Rulers and frames.
  ImU32 text, text_faint;
  ImU32 track;  // Ground of time line and plots.
  ImU32 range;  // Outside the range that plays.
  ImU32 error;
  ImU32 series[8];  // Of plots: distinguishable for colour-blind people.
  ImU32 color(std::size_t i) const { return series[i % 8]; }
};
const Palette& palette(bool dark);

// The first readable font of this system, else Dear ImGui's own small one.
void load_fonts(float scale);
// All of Dear ImGui's style, from its defaults.
void apply_theme(bool dark, float scale);

}  // namespace zoe::viewer
