// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Saved settings: looks, panels and their sizes, displayed items.
#pragma once

#include <filesystem>
#include <string>

#include "view_options.h"

namespace zoe::viewer {

// What is drawn of a body and beside it.
struct Shown {
  bool body = true, skeleton = false, root = false, contacts = true, trajectory = true, velocities = false,
       names = false, ghosts = false;
};

struct Settings {
  bool dark = true;
  Shown shown;
  bool browser = true, inspector = true, plots = true;                   // Panels.
  float browser_width = 250, inspector_width = 270, plots_height = 190;  // Pixels at scale 1.
  int window_width = 1440, window_height = 900;
  std::string quality = "auto";
};

// $XDG_CONFIG_HOME/zoe, else ~/.config/zoe. Empty where neither is known.
std::filesystem::path settings_folder();

// Defaults where there is no file, or an invalid one.
Settings read_settings(const std::filesystem::path& folder);
// The saved settings, overridden by the flags; fresh ones are defaults.
Settings read_settings(const std::filesystem::path& folder, const cli::WindowFlags& flags);
// No error where the folder cannot be written: the layout is not important.
void write_settings(const std::filesystem::path& folder, const Settings& settings);

}  // namespace zoe::viewer
