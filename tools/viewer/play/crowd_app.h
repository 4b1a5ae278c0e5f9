// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. `zoe play RUN --crowd N` in a window: a crowd that walks by itself. A click on a character
// lets the camera follow it.
#pragma once

#include <memory>
#include <optional>

#include "zoe/scene/scene.h"

#include "controller/crowd_request.h"
#include "window_app.h"

namespace zoe::viewer {

class CrowdApp final : public WindowApp {
 public:
  static Result<std::unique_ptr<CrowdApp>> open(const cli::CrowdRequest& request);
  ~CrowdApp() override { remember(); }

  scene::Scene& scene() { return scene_; }
  const control::Crowd& crowd() const { return *crowd_.crowd; }

 protected:
  WindowSession& session() override { return session_; }
  Gui& gui() override { return *gui_; }
  void on_key(int key) override;
  void on_click(Vec2 at_px, std::vector<scene::InputEvent>& events) override;
  void on_frame(std::vector<scene::InputEvent>& events) override;
  bool is_over() const override;
  void draw_panels() override;
  void update_camera(double frame_s) override;
  void fill(render::RenderFrame& frame) override;
  void on_rendered() override;
  nlohmann::ordered_json describe() const override;

 private:
  explicit CrowdApp(const cli::CrowdRequest& request) : WindowApp(request, "zoe_crowd"), request_(request) {}
  Result<void> start();
  Vec3 middle_m() const;  // Of the crowd, or of the followed character. As drawn.
  void draw_panel(float x, float width, float height);

  cli::CrowdRequest request_;
  eval::DirectedCrowd crowd_;
  scene::Scene scene_;
  scene::Entity actors_;
  float scale_ = 1;
  WindowSession session_;
  std::unique_ptr<Gui> gui_;
  std::optional<Vec2> picked_at_;
  int followed_ = -1;  // Character, or -1: the whole crowd.
  bool paused_ = false;
};

}  // namespace zoe::viewer
