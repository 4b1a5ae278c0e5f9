// SPDX-License-Identifier: MIT
#include "settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include "zoe/core/file.h"

namespace zoe::viewer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFile = "viewer.json";

// Calls use(name, field) for all stored fields.
template <typename Use>
void each_field(Settings& s, Use&& use) {
  use("dark", s.dark);
  use("body", s.shown.body);
  use("skeleton", s.shown.skeleton);
  use("root", s.shown.root);
  use("contacts", s.shown.contacts);
  use("trajectory", s.shown.trajectory);
  use("velocities", s.shown.velocities);
  use("names", s.shown.names);
  use("ghosts", s.shown.ghosts);
  use("browser", s.browser);
  use("inspector", s.inspector);
  use("plots", s.plots);
  use("browser_width", s.browser_width);
  use("inspector_width", s.inspector_width);
  use("plots_height", s.plots_height);
  use("window_width", s.window_width);
  use("window_height", s.window_height);
  use("quality", s.quality);
}

}  // namespace

fs::path settings_folder() {
  if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder == '/')
    return fs::path(folder) / "zoe";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) return fs::path(home) / ".config" / "zoe";
  return {};
}

Settings read_settings(const fs::path& folder) {
  Settings settings;
  std::ifstream file(folder / kFile);
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object()) return settings;
  each_field(settings, [&](const char* name, auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    const auto found = json.find(name);
    if (found == json.end()) return;
    if constexpr (std::is_same_v<Field, bool>) {
      if (found->is_boolean()) field = found->get<bool>();
    } else if constexpr (std::is_arithmetic_v<Field>) {
      if (found->is_number()) field = found->get<Field>();
    } else if (found->is_string()) {
      field = found->get<std::string>();
    }
  });
  settings.window_width = std::clamp(settings.window_width, 320, 16384);
  settings.window_height = std::clamp(settings.window_height, 240, 16384);
  return settings;
}

Settings read_settings(const std::filesystem::path& folder, const cli::WindowFlags& flags) {
  Settings settings = flags.fresh ? Settings{} : read_settings(folder);
  if (!flags.theme.empty()) settings.dark = flags.theme == "dark";
  if (!flags.quality.empty()) settings.quality = flags.quality;
  if (flags.width > 0) settings.window_width = flags.width;
  if (flags.height > 0) settings.window_height = flags.height;
  return settings;
}

void write_settings(const fs::path& folder, const Settings& settings) {
  if (folder.empty()) return;
  Json json;
  Settings copy = settings;
  each_field(copy, [&](const char* name, auto& field) { json[name] = field; });
  (void)write_file_atomic(folder / kFile, json.dump(2) + "\n");
}

}  // namespace zoe::viewer
