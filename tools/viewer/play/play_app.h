// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. `zoe play` in a window: panels, picture and keys of a PlayStage.
#pragma once

#include <memory>

#include "play/play_panel.h"
#include "play/play_picture.h"
#include "window_app.h"

namespace zoe::viewer {

class PlayApp final : public WindowApp {
 public:
  static Result<std::unique_ptr<PlayApp>> open(const cli::PlayOptions& options);
  ~PlayApp() override { remember(); }

  PlayStage& stage() { return *stage_; }

 protected:
  WindowSession& session() override { return session_; }
  Gui& gui() override { return *gui_; }
  void on_key(int key) override;
  bool turns_camera(const scene::InputEvent& axis) const override;
  void on_click(Vec2 at_px, std::vector<scene::InputEvent>& events) override;
  void on_frame(std::vector<scene::InputEvent>& events) override;
  bool is_over() const override;
  void draw_panels() override;
  void update_camera(double frame_s) override;
  void fill(render::RenderFrame& frame) override;
  nlohmann::ordered_json describe() const override;

 private:
  explicit PlayApp(const cli::PlayOptions& options) : WindowApp(options, "zoe_play"), options_(options) {}
  Result<void> start();
  void send_camera(std::vector<scene::InputEvent>& events);

  cli::PlayOptions options_;
  std::unique_ptr<PlayStage> stage_;
  std::unique_ptr<Gui> gui_;
  PlaySession session_;
  PlayPicture picture_;
  float sent_camera_rad_ = 0;
};

}  // namespace zoe::viewer
