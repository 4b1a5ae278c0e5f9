// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Dear ImGui in a window, with our style. Shared by all sets of panels.
#pragma once

#include <filesystem>
#include <string>

#include "window.h"

namespace zoe::viewer {

class Gui {
 public:
  // config_folder: folder for Dear ImGui's own layout. Empty: none.
  Gui(Window& window, const std::filesystem::path& config_folder);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  float scale() const { return scale_; }
  // Panels are filled between these two.
  void begin(bool dark);
  void end();
  // Draws the panels into the window, over the picture.
  void paint();

  bool wants_pointer() const;  // The pointer is over a panel, or drags a part of one.
  bool wants_keys() const;     // A text field has the focus.
  // Something moves without input, such as a blinking cursor.
  bool is_busy() const;

 private:
  std::string ini_file_;
  float scale_ = 1;
  bool dark_ = true, themed_ = false;
};

}  // namespace zoe::viewer
