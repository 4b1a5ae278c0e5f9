// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The panels around the picture, drawn with Dear ImGui.
#pragma once

#include <filesystem>
#include <memory>

#include "session.h"
#include "ui/gui.h"

namespace zoe::viewer {

class Ui {
 public:
  // config_folder: folder for Dear ImGui's own layout. Empty: none.
  Ui(Window& window, const std::filesystem::path& config_folder);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  // Lays out and fills all panels; session.view is the rest for the picture.
  void draw(Session& session);
  Gui& gui();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::viewer
