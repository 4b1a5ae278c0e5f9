// SPDX-License-Identifier: MIT
#include "window.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace zoe::viewer {
namespace {

using scene::InputEvent;
using scene::Key;

constexpr float kStickSlack = 0.12F;  // Sticks are never exactly zero at rest.

std::string g_glfw_error;

// GLFW's codes of printable keys are their characters.
int to_key(int key) {
  switch (key) {
    case GLFW_KEY_ESCAPE:
      return static_cast<int>(Key::kEscape);
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      return static_cast<int>(Key::kEnter);
    case GLFW_KEY_TAB:
      return static_cast<int>(Key::kTab);
    case GLFW_KEY_BACKSPACE:
      return static_cast<int>(Key::kBackspace);
    case GLFW_KEY_DELETE:
      return static_cast<int>(Key::kDelete);
    case GLFW_KEY_LEFT:
      return static_cast<int>(Key::kLeft);
    case GLFW_KEY_RIGHT:
      return static_cast<int>(Key::kRight);
    case GLFW_KEY_UP:
      return static_cast<int>(Key::kUp);
    case GLFW_KEY_DOWN:
      return static_cast<int>(Key::kDown);
    case GLFW_KEY_PAGE_UP:
      return static_cast<int>(Key::kPageUp);
    case GLFW_KEY_PAGE_DOWN:
      return static_cast<int>(Key::kPageDown);
    case GLFW_KEY_HOME:
      return static_cast<int>(Key::kHome);
    case GLFW_KEY_END:
      return static_cast<int>(Key::kEnd);
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT:
      return static_cast<int>(Key::kShift);
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL:
      return static_cast<int>(Key::kControl);
    case GLFW_KEY_LEFT_ALT:
    case GLFW_KEY_RIGHT_ALT:
      return static_cast<int>(Key::kAlt);
    case GLFW_KEY_KP_ADD:
      return '+';
    case GLFW_KEY_KP_SUBTRACT:
      return '-';
    default:
      break;
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return static_cast<int>(Key::kF1) + key - GLFW_KEY_F1;
  return key >= 32 && key < 128 ? key : -1;
}

Error no_window() {
  const char* display = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  if ((display == nullptr || *display == 0) && (wayland == nullptr || *wayland == 0)) {
    return {ErrorCode::kIo,
            "there is no display here (DISPLAY is not set): run it on a desktop, through `ssh -X`, or under "
            "`xvfb-run`; `zoe render` draws without one",
            {}};
  }
  return {
      ErrorCode::kIo,
      fmt::format("no window on display '{}': {}. Is it running, and may this user use it?",
                  display != nullptr ? display : wayland, g_glfw_error.empty() ? "it cannot be opened" : g_glfw_error),
      {}};
}

// The newest version first. Finally requests a low one, so that the renderer can name the version of an old driver.
GLFWwindow* create(const WindowOptions& options) {
  for (const auto& [major, minor] : {std::pair{4, 5}, std::pair{3, 2}}) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
    // Pictures are complete: the window needs colours only.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "zoe-view");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "zoe-view");
    if (GLFWwindow* window = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr))
      return window;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  glfwSetErrorCallback([](int, const char* words) { g_glfw_error = words; });
  glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_TRUE);
  if (glfwInit() != GLFW_TRUE) return no_window();
  std::unique_ptr<Window> window(new Window);
  window->window_ = create(options);
  if (window->window_ == nullptr) {
    return Error{
        ErrorCode::kIo,
        fmt::format("the display provides no OpenGL: {}. Update the driver, or use Mesa's software driver (apt-get "
                    "install libgl1-mesa-dri, LIBGL_ALWAYS_SOFTWARE=1); `zoe render` draws without a display",
                    g_glfw_error),
        {}};
  }
  GLFWwindow* handle = window->window_;
  glfwMakeContextCurrent(handle);
  glfwSwapInterval(1);
  ZOE_TRY_ASSIGN(window->context_,
                 render::adopt_current_context([handle] { glfwMakeContextCurrent(handle); }, {.debug = options.debug}));
  window->listen();
  return window;
}

Window::~Window() {
  context_.reset();
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int) {
    const int code = to_key(key);
    if (code >= 0 && action != GLFW_REPEAT) {
      static_cast<Window*>(glfwGetWindowUserPointer(w))
          ->events_.push_back(scene::key_event(code, action == GLFW_PRESS));
    }
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))
        ->events_.push_back(
            {InputEvent::Kind::kButton, static_cast<std::uint16_t>(button), action == GLFW_PRESS ? 1.0F : 0.0F, 0});
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))
        ->events_.push_back({InputEvent::Kind::kPointer, 0, static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))
        ->events_.push_back({InputEvent::Kind::kScroll, 0, static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    auto& dropped = static_cast<Window*>(glfwGetWindowUserPointer(w))->dropped_;
    dropped.insert(dropped.end(), paths, paths + count);
  });
}

void Window::poll(double wait_s, std::vector<InputEvent>& events) {
  if (wait_s > 0) {
    glfwWaitEventsTimeout(wait_s);
  } else {
    glfwPollEvents();
  }
  add_gamepad_events();
  events.insert(events.end(), events_.begin(), events_.end());
  events_.clear();
}

// Only changes, of the first gamepad.
void Window::add_gamepad_events() {
  for (int id = GLFW_JOYSTICK_1; id <= GLFW_JOYSTICK_LAST; ++id) {
    GLFWgamepadstate state;
    if (glfwJoystickIsGamepad(id) != GLFW_TRUE || glfwGetGamepadState(id, &state) != GLFW_TRUE) continue;
    pad_.resize(GLFW_GAMEPAD_BUTTON_LAST + 1 + GLFW_GAMEPAD_AXIS_LAST + 1);
    const auto note = [&](std::size_t slot, InputEvent event) {
      if (pad_[slot] == event.x) return;
      pad_[slot] = event.x;
      events_.push_back(event);
    };
    for (std::size_t i = 0; i <= GLFW_GAMEPAD_BUTTON_LAST; ++i) {
      note(i, {InputEvent::Kind::kButton, static_cast<std::uint16_t>(8 + i),
               state.buttons[i] == GLFW_PRESS ? 1.0F : 0.0F, 0});
    }
    for (std::size_t i = 0; i <= GLFW_GAMEPAD_AXIS_LAST; ++i) {
      const float value = std::abs(state.axes[i]) < kStickSlack ? 0 : std::round(state.axes[i] * 100) / 100;
      note(GLFW_GAMEPAD_BUTTON_LAST + 1 + i, scene::axis_event(static_cast<int>(i), value));
    }
    return;
  }
}

std::vector<std::string> Window::take_dropped() { return std::exchange(dropped_, {}); }
bool Window::is_closing() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
void Window::swap() { glfwSwapBuffers(window_); }
double Window::now_s() const { return glfwGetTime(); }

void Window::set_title(const std::string& title) {
  if (title == shown_title_) return;
  shown_title_ = title;
  glfwSetWindowTitle(window_, title.c_str());
}

int Window::width_px() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return width;
}
int Window::height_px() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return height;
}
float Window::scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 1.0F, 4.0F);
}

}  // namespace zoe::viewer
