// SPDX-License-Identifier: MIT
#include "play/play_app.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/render/debug_draw.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;
using scene::Key;

double rounded(float value) { return std::round(static_cast<double>(value) * 1e3) / 1e3; }

}  // namespace

Result<std::unique_ptr<PlayApp>> PlayApp::open(const cli::PlayOptions& options) {
  std::unique_ptr<PlayApp> app(new PlayApp(options));
  ZOE_TRY(app->start());
  return app;
}

Result<void> PlayApp::start() {
  ZOE_TRY_ASSIGN(stage_, PlayStage::open(options_));
  ZOE_TRY(open_window(fmt::format("zoe play {}", options_.run)));
  Warnings warnings;
  stage_->prepare_drawing(renderer(), warnings);
  cli::print_warnings(warnings);
  gui_ = std::make_unique<Gui>(window(), config_folder());
  const float h = stage_->height_m();
  session_.camera.frame(1.8F * h, 1.1F * h, h, 0, 1.5F);
  // Behind the character, which faces +Z at first.
  session_.camera.turn_to(3.1415927F, 0.28F);
  return {};
}

bool PlayApp::is_over() const {
  const scene::Scene& scene = stage_->scene();
  return (!options_.replay.empty() && !scene.playing() && num_frames() > 0) ||
         (options_.seconds > 0 && scene.time().time_s() >= options_.seconds);
}

void PlayApp::on_frame(std::vector<InputEvent>& events) {
  (void)window().take_dropped();
  send_camera(events);
  stage_->scene().clock().set_paused(session_.paused);
}

// Fixed steps never read cameras: the camera's direction reaches them as input, and is recorded with it.
void PlayApp::send_camera(std::vector<InputEvent>& events) {
  const Vec3 back = session_.camera.seen().world_from_camera.z;
  if (num_frames() == 0) {
    sent_camera_rad_ = 0;  // The initial value of Input and of the first camera.
    return;
  }
  const float facing_rad = static_cast<float>(rounded(std::atan2(-back.x, -back.z)));
  if (facing_rad == sent_camera_rad_) return;
  sent_camera_rad_ = facing_rad;
  events.push_back(scene::axis_event(kCameraAxis, facing_rad));
}

// With the left bumper down the right stick controls the character.
bool PlayApp::turns_camera(const InputEvent& axis) const { return !view_input().button(8 + 4) || axis.x == 0; }

void PlayApp::on_click(Vec2 at_px, std::vector<InputEvent>& events) {
  const Area& view = session_.view;
  const auto position =
      render::ground_at_pixel(frame(), at_px.x - static_cast<float>(view.x), at_px.y - static_cast<float>(view.y));
  if (position) append_goal(*position / stage_->scale(), events);
}

void PlayApp::on_key(int key) {
  PlaySession& s = session_;
  if (handle_window_key(key)) return;
  switch (key) {
    case static_cast<int>(Key::kEscape):
      s.help = false;
      return;
    case ' ':
      s.paused = !s.paused;
      return;
    case '1':
      return s.camera.set_mode(ViewCamera::Mode::kOrbit);
    case '3':
      return s.camera.set_mode(ViewCamera::Mode::kFollow);
    case '4':
      return s.camera.set_mode(ViewCamera::Mode::kFixed);
    default:
      return;
  }
}

void PlayApp::draw_panels() {
  PlaySession& s = session_;
  const bool dark = s.settings.dark;
  gui_->begin(dark);
  const auto width = static_cast<float>(window().width_px()), height = static_cast<float>(window().height_px());
  const float panel = s.panels ? std::min(play_panel_width(gui_->scale()), 0.4F * width) : 0;
  if (s.panels) draw_play_panel(s, *stage_, {width - panel, 0, panel, height, gui_->scale()});
  s.view = {0, 0, std::max(static_cast<int>(width - panel), 16), std::max(static_cast<int>(height), 16)};
  const PanelPlace view{0, 0, width - panel, height, gui_->scale()};
  draw_notes(s.notes, dark, view);
  if (s.help) draw_help(play_help(), dark, view);
  gui_->end();
}

void PlayApp::update_camera(double frame_s) {
  const PlanarRoot root = stage_->root_drawn();
  Affine target = to_affine(rotation_of(root));
  target.t = {root.position.x, 0, root.position.z};
  session_.camera.update(view_input(), frame_s, target);
}

void PlayApp::fill(render::RenderFrame& frame) { picture_.fill(*stage_, session_.camera, session_.settings, frame); }

nlohmann::ordered_json PlayApp::describe() const {
  const PlanarRoot& root = stage_->state().root();
  const Vec3 wanted = stage_->intent().velocity_at(0);
  const PlaySession& s = session_;
  nlohmann::ordered_json state{{"kind", stage_->controller().type()},
                               {"driver", stage_->driver().name()},
                               {"x", rounded(root.position.x)},
                               {"z", rounded(root.position.z)},
                               {"facing", rounded(root.facing_rad)},
                               {"speed", rounded(stage_->state().speed_mps())},
                               {"progress", to_string(stage_->state().progress())},
                               {"wanted", {rounded(wanted.x), rounded(wanted.z)}},
                               {"camera", to_string(s.camera.mode())},
                               {"yaw", rounded(s.camera.yaw_rad())},
                               {"paused", s.paused},
                               {"help", s.help},
                               {"panels", s.panels},
                               {"theme", s.settings.dark ? "dark" : "light"},
                               {"film", s.films}};
  if (const MoodMixer* mood = stage_->mood())
    for (std::size_t i = 0; i < mood->size(); ++i)
      if (mood->weight(i) > 0) state["mood"][mood->name(i)] = rounded(mood->weight(i));
  const std::span<const std::string> styles = stage_->controller().styles();
  for (std::size_t i = 0; i < styles.size(); ++i)
    if (const float weight = stage_->steering().styles()[i]; weight != 0) state["styles"][styles[i]] = rounded(weight);
  state["goal"] = nullptr;
  if (const auto& goal = stage_->steering().goal()) state["goal"] = {rounded(goal->x), rounded(goal->z)};
  return state;
}

}  // namespace zoe::viewer
