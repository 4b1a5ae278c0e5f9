// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Shared by all windows: frames, the pointer for the camera, films, screenshots, the end of
// a run. `zoe view` and `zoe play` derive from it.
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "zoe/render/renderer.h"
#include "zoe/scene/run.h"

#include "film.h"
#include "ui/gui.h"
#include "view_options.h"
#include "window_session.h"

namespace zoe::viewer {

class WindowApp : public scene::Host {
 public:
  render::Context& context() { return window_->context(); }
  // Ends a recording. Returns the error that occurred, including errors of OpenGL (--debug).
  Result<void> finish();

  bool poll(std::vector<scene::InputEvent>& events) final;
  void draw(scene::Scene& scene) final;
  double now_s() final { return window_->now_s(); }

 protected:
  // name: of screenshots and films without a name.
  WindowApp(const cli::WindowFlags& flags, std::string name) : flags_(flags), name_(std::move(name)) {}
  // Opens the window and its renderer with the saved settings.
  Result<void> open_window(const std::string& title);
  // Saves the settings. Call from the destructor.
  void remember();
  void toggle_film(std::string path = {});
  void take_screenshot(std::string path = {});
  // Keys that the windows of `zoe play` share: panels, theme, help, screenshot, film, Ctrl Q. True: nothing is left to
  // do.
  bool handle_window_key(int key);

  // The state of a window.
  virtual WindowSession& session() = 0;
  virtual Gui& gui() = 0;
  virtual void on_key(int key) = 0;
  // An axis of a gamepad: false where it does not belong to the camera.
  virtual bool turns_camera(const scene::InputEvent& /*axis*/) const { return true; }
  // The left button went down on the picture. True: it is handled, and the camera stays.
  virtual bool on_press(Vec2 /*at_px*/) { return false; }
  virtual void on_move(Vec2 /*at_px*/, std::vector<scene::InputEvent>& /*events*/) {}
  virtual void on_release(std::vector<scene::InputEvent>& /*events*/) {}
  // Pressed and released at one position of the picture.
  virtual void on_click(Vec2 at_px, std::vector<scene::InputEvent>& events) = 0;
  // Nothing moves: frames may be rare.
  virtual bool is_idle() const { return false; }
  // Input ends the wait for the next frame.
  virtual bool answers_at_once() const { return false; }
  // Called once per frame, after its input.
  virtual void on_frame(std::vector<scene::InputEvent>& events) = 0;
  virtual bool is_over() const = 0;
  virtual void draw_panels() = 0;
  // Called before the picture is described.
  virtual void update_camera(double frame_s) = 0;
  // Describes the picture; frame.settings has the size.
  virtual void fill(render::RenderFrame& frame) = 0;
  virtual void on_rendered() {}
  virtual nlohmann::ordered_json describe() const = 0;  // For --state.

  Window& window() { return *window_; }
  const Window& window() const { return *window_; }
  render::Renderer& renderer() { return *renderer_; }
  render::RenderFrame& frame() { return frame_; }
  const render::RenderFrame& frame() const { return frame_; }
  const scene::Input& view_input() const { return view_input_; }  // The input of the camera.
  const std::filesystem::path& config_folder() const { return config_folder_; }
  long num_frames() const { return frames_; }

 private:
  void route(const scene::InputEvent& event, std::vector<scene::InputEvent>& events);
  void route_button(const scene::InputEvent& event, std::vector<scene::InputEvent>& events);
  Result<void> start_film(const std::string& path);
  Result<void> draw_picture();
  void print_state();
  void wait_for_frame();

  const cli::WindowFlags flags_;
  const std::string name_;
  std::filesystem::path config_folder_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Renderer> renderer_;
  render::RenderFrame frame_;
  scene::Input view_input_;
  std::vector<scene::InputEvent> raw_;
  std::unique_ptr<ViewFilm> film_;
  enum class Hold : std::uint8_t {
    kNothing,
    kTurn,
    kPan
  } hold_ = Hold::kNothing;  // Effect of the pointer on the camera.
  Vec2 pressed_at_;
  std::string screenshot_;  // To be written from this frame.
  std::string last_state_;
  double last_frame_s_ = 0, last_event_s_ = 0, next_frame_s_ = 0;
  long frames_ = 0;
  Result<void> result_;
};

}  // namespace zoe::viewer
