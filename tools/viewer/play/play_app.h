// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. `zoe play` in a window: a scene::Host for a PlayStage.
#pragma once

#include <memory>

#include "zoe/render/renderer.h"
#include "zoe/scene/run.h"

#include "film.h"
#include "play/play_panel.h"
#include "play/play_picture.h"
#include "ui/gui.h"

namespace zoe::viewer {

class PlayApp final : public scene::Host {
 public:
  static Result<std::unique_ptr<PlayApp>> open(const cli::PlayOptions& options);
  ~PlayApp() override;

  PlayStage& stage() { return *stage_; }
  render::Context& context() { return window_->context(); }
  // Ends what is being recorded. Says what went wrong while it ran, if anything did: it ended then.
  Result<void> finish();

  bool poll(std::vector<scene::InputEvent>& events) override;
  void draw(scene::Scene& scene) override;
  double now_s() override { return window_->now_s(); }

 private:
  explicit PlayApp(const cli::PlayOptions& options) : options_(options) {}
  Result<void> start();
  void route(const scene::InputEvent& event, std::vector<scene::InputEvent>& events);
  void on_key(int key);
  void click(Vec2 at, std::vector<scene::InputEvent>& events) const;
  void tell_camera(std::vector<scene::InputEvent>& events);
  void toggle_film();
  Result<void> start_film(const std::string& path);
  void draw_panels();
  Result<void> draw_picture();
  void print_state();

  cli::PlayOptions options_;
  std::filesystem::path config_folder_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Renderer> renderer_;
  std::unique_ptr<PlayStage> stage_;
  std::unique_ptr<Gui> gui_;
  PlaySession session_;
  PlayPicture picture_;
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
  float told_camera_rad_ = 0;
  std::string screenshot_, last_state_;
  double last_frame_s_ = 0, next_frame_s_ = 0;
  long frames_ = 0;
  Result<void> result_;
};

}  // namespace zoe::viewer
