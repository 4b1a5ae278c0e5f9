// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A style over a controller, for `zoe play --mood`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "zoe/control/controller.h"
#include "zoe/style/style_layer.h"

namespace zoe::cli {

// model_folder: empty for models/style.
// The folder, or where it is empty that of the included model.
std::filesystem::path style_model_folder(const std::string& folder);

struct Mood {
  style::StyleModelPtr model;
  std::unique_ptr<style::StyleLayer> layer;  // A control::PoseHook.
};
Result<Mood> make_mood(const control::Controller& controller, const std::string& model_folder, const std::string& mood,
                       double rate_hz);

}  // namespace zoe::cli
