// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The window, the panels and the stage put together: a scene::Host.
#pragma once

#include <memory>

#include "zoe/render/renderer.h"
#include "zoe/scene/run.h"

#include "film.h"
#include "picture.h"
#include "pose_tool.h"
#include "ui/ui.h"
#include "view_options.h"
#include "window.h"

namespace zoe::viewer {

class App final : public scene::Host {
 public:
  static Result<std::unique_ptr<App>> open(const cli::ViewOptions& options);
  ~App() override;

  Session& session() { return *session_; }
  render::Context& context() { return window_->context(); }
  // Ends what is being recorded. Says what went wrong while it ran, if anything did: it ended then.
  Result<void> finish();

  bool poll(std::vector<scene::InputEvent>& events) override;
  void draw(scene::Scene& scene) override;
  double now_s() override { return window_->now_s(); }

 private:
  explicit App(const cli::ViewOptions& options) : options_(options) {}
  Result<void> start();
  void route(const scene::InputEvent& event, std::vector<scene::InputEvent>& events);
  void on_key(int key);
  void fulfil(const Wish& wish);
  void open_file(const std::string& file, bool beside);
  void name_save();
  void look_at_all();
  Result<void> start_film(const std::string& path);
  void toggle_film(std::string path);
  void pick();
  Affine camera_target() const;
  void print_state();
  Result<void> draw_picture();
  double wait_s() const;

  cli::ViewOptions options_;
  std::filesystem::path config_folder_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Renderer> renderer_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Ui> ui_;
  PoseTool pose_tool_;
  render::RenderFrame frame_;
  scene::Input view_input_;
  std::vector<scene::InputEvent> raw_;
  std::unique_ptr<ViewFilm> film_;
  enum class Hold : std::uint8_t {
    kNothing,
    kTurn,
    kPan
  } hold_ = Hold::kNothing;  // What the pointer does to the camera.
  Vec2 pressed_at_;
  bool picks_ = false;      // The next frame says what was clicked.
  std::string screenshot_;  // To be taken of this frame.
  std::string last_state_;
  double last_frame_s_ = 0, last_event_s_ = 0, next_frame_s_ = 0;
  long frames_ = 0;
  Result<void> result_;
};

// Puts the files of the command line on a stage; folder: what the browser shall show. The same for a run without a window.
Result<void> open_files(Stage& stage, const cli::ViewOptions& options, std::filesystem::path& folder);

}  // namespace zoe::viewer
