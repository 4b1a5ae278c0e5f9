// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Dear ImGui in a window, with our looks: what every set of panels begins and ends with.
#pragma once

#include <filesystem>
#include <string>

#include "window.h"

namespace zoe::viewer {

class Gui {
 public:
  // config_folder: where Dear ImGui keeps its own layout; empty: nowhere.
  Gui(Window& window, const std::filesystem::path& config_folder);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  float scale() const { return scale_; }
  // Panels are filled between these two.
  void begin(bool dark);
  void end();
  // Paints what was filled into the window, over the picture.
  void paint();

  bool wants_pointer() const;  // It is over a panel, or drags something of one.
  bool wants_keys() const;     // Somebody types.
  // Something moves that no input caused, such as a blinking cursor.
  bool is_busy() const;

 private:
  std::string ini_file_;
  float scale_ = 1;
  bool dark_ = true, themed_ = false;
};

}  // namespace zoe::viewer
