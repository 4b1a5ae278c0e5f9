// SPDX-License-Identifier: MIT
#include "play/crowd_app.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/scene/crowd_actors.h"
#include "zoe/scene/crowd_look.h"
#include "zoe/scene/draw.h"
#include "zoe/scene/surroundings.h"

#include "controller/playable.h"
#include "picture.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

using scene::Key;

constexpr float kPanelWidth = 230, kBodyHeight_m = 1.8F;

// docs/viewer.md has the same table.
const std::vector<HelpGroup>& crowd_help() {
  static const std::vector<HelpGroup> groups{
      {"Crowd", {{"Click", "follow a character"}, {"Escape", "see the whole crowd"}, {"Space", "pause"}}},
      {"Camera", {{"Drag", "turn"}, {"Shift drag, middle", "pan"}, {"Wheel", "nearer, farther"}}},
      window_help(),
  };
  return groups;
}

}  // namespace

Result<std::unique_ptr<CrowdApp>> CrowdApp::open(const cli::CrowdRequest& request) {
  std::unique_ptr<CrowdApp> app(new CrowdApp(request));
  ZOE_TRY(app->start());
  return app;
}

Result<void> CrowdApp::start() {
  ZOE_TRY_ASSIGN(cli::Playable playable, cli::load_playable({.run = request_.run, .character = request_.character}));
  const control::ControllerPtr controller = playable.controller;
  ZOE_TRY_ASSIGN(crowd_, eval::make_crowd(controller, request_.crowd));
  const scene::DisplayedBody body = std::move(playable.body);
  ZOE_TRY(open_window(fmt::format("zoe play {} --crowd {}", request_.run, crowd().size())));
  gui_ = std::make_unique<Gui>(window(), config_folder());
  ecs::World& world = scene_.world();
  const std::shared_ptr<eval::CrowdDirector> director = crowd_.director;
  actors_ = scene::add_crowd_actors(
      world, crowd_.crowd,
      [director](const control::Crowd& crowd, std::span<control::Intent> intents, double) {
        director->direct(crowd, intents);
      },
      body);
  scale_ = body.character ? body.scale() : 1;
  scene::add_drawn_crowd(world, actors_, director->scene().groups, renderer());
  scene::add_draw_systems(scene_);
  // The near half fills the picture: bodies at the back of a large crowd would be a few pixels high.
  const float size_m = scale_ * std::clamp(director->scene().half_size_m, 2.0F, 14.0F);
  session_.camera.frame(2 * size_m, scale_ * kBodyHeight_m, size_m, 0, 1.5F);
  session_.camera.turn_to(0.5F, 0.35F);
  return {};
}

bool CrowdApp::is_over() const { return request_.seconds > 0 && scene_.time().time_s() >= request_.seconds; }

void CrowdApp::on_frame(std::vector<scene::InputEvent>& /*events*/) {
  (void)window().take_dropped();
  scene_.clock().set_paused(paused_);
  crowd_.crowd->set_eye(session_.camera.eye() / scale_);
}

void CrowdApp::on_click(Vec2 at_px, std::vector<scene::InputEvent>& /*events*/) { picked_at_ = at_px; }

void CrowdApp::on_key(int key) {
  WindowSession& s = session_;
  if (handle_window_key(key)) return;
  switch (key) {
    case static_cast<int>(Key::kEscape):
      if (!s.help) followed_ = -1;
      s.help = false;
      return;
    case ' ':
      paused_ = !paused_;
      return;
    default:
      return;
  }
}

void CrowdApp::draw_panel(float x, float width, float height) {
  begin_panel("crowd", {x, 0, width, height, gui_->scale()});
  heading("Crowd");
  fact("Bodies", fmt::format("{}", crowd().size()));
  fact("Type", crowd().controller().type());
  fact("Scene", request_.crowd.scene);
  fact("Arrivals", fmt::format("{}", crowd_.director->num_arrivals()));
  fact("Time", fmt::format("{:.1f} s", scene_.time().time_s()));
  heading("Followed");
  if (followed_ < 0) {
    ImGui::TextDisabled("click a character");
  } else {
    const control::ControllerState& state = crowd().state(followed_);
    fact("Character", fmt::format("{}", followed_));
    fact("Speed", fmt::format("{:.2f} m/s", state.speed_mps() * scale_));
    fact("State", control::to_string(state.progress()));
  }
  ImGui::Dummy({0, 4});
  if (ImGui::Button(paused_ ? "Go on" : "Pause", {-1, 0})) paused_ = !paused_;
  tip_of_last("Space");
  ImGui::TextDisabled("%.0f frames/s", session_.frame_ms > 0 ? 1000 / session_.frame_ms : 0);
  ImGui::End();
}

void CrowdApp::draw_panels() {
  WindowSession& s = session_;
  gui_->begin(s.settings.dark);
  const auto width = static_cast<float>(window().width_px()), height = static_cast<float>(window().height_px());
  const float panel = s.panels ? std::min(kPanelWidth * gui_->scale(), 0.4F * width) : 0;
  if (s.panels) draw_panel(width - panel, panel, height);
  s.view = {0, 0, std::max(static_cast<int>(width - panel), 16), std::max(static_cast<int>(height), 16)};
  const PanelPlace view{0, 0, width - panel, height, gui_->scale()};
  draw_notes(s.notes, s.settings.dark, view);
  if (s.help) draw_help(crowd_help(), s.settings.dark, view);
  gui_->end();
}

Vec3 CrowdApp::middle_m() const {
  if (followed_ >= 0) return crowd().state(followed_).root().position * scale_;
  Vec3 sum;
  for (int i = 0; i < crowd().size(); ++i) sum = sum + crowd().state(i).root().position;
  return crowd().size() > 0 ? sum * (scale_ / static_cast<float>(crowd().size())) : sum;
}

void CrowdApp::update_camera(double frame_s) {
  Affine target;
  target.t = middle_m();
  session_.camera.update(view_input(), frame_s, target);
}

void CrowdApp::fill(render::RenderFrame& frame) {
  scene::fill_frame(scene_, frame, {.trajectories = false, .ik_targets = false});
  frame.camera = session_.camera.seen();
  frame.settings.write_ids = picked_at_.has_value();
  set_theme(session_.settings.dark, frame.environment);
  const Vec3 middle = middle_m();
  const float half_m = scale_ * std::max(crowd_.director->scene().half_size_m, 1.0F);
  scene::BodyExtent extent{.size_m = scale_ * kBodyHeight_m};
  extent.samples.push_back(
      {0, middle - Vec3{half_m, 0, half_m}, middle + Vec3{half_m, scale_ * kBodyHeight_m, half_m}, {}});
  scene::fit_surroundings(extent, session_.camera.eye(), session_.camera.looked_at(), frame);
}

void CrowdApp::on_rendered() {
  if (!picked_at_) return;
  const Vec2 at = *std::exchange(picked_at_, std::nullopt);
  const std::uint32_t id =
      renderer().pick(static_cast<int>(at.x) - session_.view.x, static_cast<int>(at.y) - session_.view.y);
  const scene::Entity picked = scene::picked_entity(scene_.world(), id);
  const auto bodies = scene_.world().get<scene::CrowdActors>(actors_).bodies();
  const auto found = std::find(bodies.begin(), bodies.end(), picked);
  if (picked && found != bodies.end()) followed_ = static_cast<int>(found - bodies.begin());
}

nlohmann::ordered_json CrowdApp::describe() const {
  return {{"characters", crowd().size()},
          {"followed", followed_},
          {"arrivals", crowd_.director->num_arrivals()},
          {"paused", paused_},
          {"help", session_.help},
          {"panels", session_.panels},
          {"film", session_.films}};
}

}  // namespace zoe::viewer
