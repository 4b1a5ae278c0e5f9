// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The window of `zoe view`: panels and stage combined.
#pragma once

#include <memory>
#include <optional>

#include "pose_tool.h"
#include "ui/ui.h"
#include "window_app.h"

namespace zoe::viewer {

class App final : public WindowApp {
 public:
  static Result<std::unique_ptr<App>> open(const cli::ViewOptions& options);
  ~App() override { remember(); }

  Stage& stage() { return session_->stage; }

 protected:
  WindowSession& session() override { return *session_; }
  Gui& gui() override { return ui_->gui(); }
  void on_key(int key) override;
  bool on_press(Vec2 at_px) override { return pose_tool_.press(at_px.x, at_px.y); }
  void on_move(Vec2 at_px, std::vector<scene::InputEvent>& events) override;
  void on_release(std::vector<scene::InputEvent>& events) override { pose_tool_.release(events); }
  void on_click(Vec2 at_px, std::vector<scene::InputEvent>& events) override;
  bool is_idle() const override;
  bool answers_at_once() const override { return true; }
  void on_frame(std::vector<scene::InputEvent>& events) override;
  bool is_over() const override;
  void draw_panels() override { ui_->draw(*session_); }
  void update_camera(double frame_s) override;
  void fill(render::RenderFrame& frame) override;
  void on_rendered() override;
  nlohmann::ordered_json describe() const override;

 private:
  explicit App(const cli::ViewOptions& options) : WindowApp(options, "zoe_view"), options_(options) {}
  Result<void> start();
  void handle(const Task& task);
  void open_file(const std::string& file, bool beside);
  void name_save();
  void look_at_all();
  Affine camera_target() const;

  cli::ViewOptions options_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Ui> ui_;
  PoseTool pose_tool_;
  std::optional<Vec2> picked_at_;  // The next frame determines the clicked object there.
};

// Puts the files of the command line on a stage; folder: the folder of the browser. The same for a run without a
// window.
Result<void> open_files(Stage& stage, const cli::ViewOptions& options, std::filesystem::path& folder);

}  // namespace zoe::viewer
