// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The panels around the picture, drawn with Dear ImGui.
#pragma once

#include <filesystem>
#include <memory>

#include "session.h"
#include "window.h"

namespace zoe::viewer {

class Ui {
 public:
  // config_folder: where Dear ImGui keeps its own layout; empty: nowhere.
  Ui(Window& window, const std::filesystem::path& config_folder);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  // Lays out and fills all panels; says in session.view what is left for the picture.
  void draw(Session& session);
  // Paints what draw() made into the window, over the picture.
  void paint();

  bool wants_pointer() const;  // It is over a panel, or drags something of one.
  bool wants_keys() const;     // Somebody types.
  // Something moves that no input caused, such as a blinking cursor.
  bool is_busy() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::viewer
