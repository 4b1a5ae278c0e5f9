// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. A window with OpenGL, and its input as scene::InputEvents. GLFW is private to it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/render/context.h"
#include "zoe/scene/input.h"

struct GLFWwindow;

namespace zoe::viewer {

struct WindowOptions {
  std::string title = "zoe view";
  int width = 1440, height = 900;
  bool debug = false;  // See render::ContextOptions.
};

class Window {
 public:
  // Fails with one line and the remedy: no display, no OpenGL, an old version. One window per process at a time.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  render::Context& context() { return *context_; }
  GLFWwindow* handle() const { return window_; }  // For Dear ImGui's own GLFW code.

  // Appends the events since the last call. Waits at most wait_s for an event.
  void poll(double wait_s, std::vector<scene::InputEvent>& events);
  // Files that were dropped onto the window since the last call.
  std::vector<std::string> take_dropped();
  bool is_closing() const;
  void close();
  void swap();
  void set_title(const std::string& title);

  int width_px() const;  // Of the drawing area.
  int height_px() const;
  float scale() const;  // Factor for text and margins on screens with small pixels.
  double now_s() const;

 private:
  Window() = default;
  void add_gamepad_events();
  void listen();

  GLFWwindow* window_ = nullptr;
  std::unique_ptr<render::Context> context_;
  std::vector<scene::InputEvent> events_;
  std::vector<std::string> dropped_;
  std::vector<float> pad_;  // Buttons, then axes, at the last poll.
  std::string shown_title_;
};

}  // namespace zoe::viewer
