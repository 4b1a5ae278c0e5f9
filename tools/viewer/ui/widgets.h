// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Small widgets that panels share.
#pragma once

#include <string>

#include "ui/theme.h"

namespace zoe::viewer {

enum class Icon : unsigned char { kPlay, kPause, kBack, kOn, kFirst, kLast, kLoop, kRecord, kCamera, kTheme, kHelp };

// A square button with a drawn icon. lit: in the accent colour.
bool icon_button(const char* name, Icon icon, float size, bool lit, bool dark, const char* tip);
// A button that stays down.
bool toggle_button(const char* words, bool on, bool dark, const char* tip = nullptr);
// A tooltip for the last drawn item.
void tip_of_last(const char* words);
// A heading of a section.
void heading(const char* words);
// A name and its value on one line.
void fact(const char* name, const std::string& value);

}  // namespace zoe::viewer
