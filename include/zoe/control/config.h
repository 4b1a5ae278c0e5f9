// SPDX-License-Identifier: MIT
// Part of Zoetrope. controller.toml of a run folder: the controller type, the files of its parts, steering settings.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/control/neural.h"

namespace zoe::control {

struct ControllerConfig {
  std::string type;  // The file has it under "kind".
  std::string body = "body.safetensors";
  std::string network = "model.safetensors";  // Empty for types without one.
  std::string database;                       // Of motion matching.
  std::string licence = "unknown";            // Of the motions it was made of.
  NeuralOptions neural;
};

// `file`: the name in errors.
Result<ControllerConfig> parse_controller_config(std::string_view toml, const std::string& file = {});
// Of a run folder or a .zoe file.
Result<ControllerConfig> load_controller_config(const std::filesystem::path& path);
Result<void> save_controller_config(const std::filesystem::path& folder, const ControllerConfig& config);

}  // namespace zoe::control
