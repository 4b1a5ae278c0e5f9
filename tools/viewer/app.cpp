// SPDX-License-Identifier: MIT
#include "app.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "zoe/render/debug_draw.h"
#include "zoe/render/picture_file.h"
#include "zoe/scene/draw.h"

#include "picture.h"

namespace zoe::viewer {
namespace {

using scene::Key;

ViewCamera::Mode mode_of(const std::string& name) {
  for (const auto mode : {ViewCamera::Mode::kFree, ViewCamera::Mode::kFollow, ViewCamera::Mode::kFixed}) {
    if (name == to_string(mode)) return mode;
  }
  return ViewCamera::Mode::kOrbit;
}

}  // namespace

Result<std::unique_ptr<App>> App::open(const cli::ViewOptions& options) {
  std::unique_ptr<App> app(new App(options));
  ZOE_TRY(app->start());
  return app;
}

Result<void> App::start() {
  session_ = std::make_unique<Session>();
  ZOE_TRY(open_window("zoe view"));
  Session& s = *session_;
  s.stage.set_renderer(&renderer());
  s.driver = window().context().description();
  ui_ = std::make_unique<Ui>(window(), config_folder());
  add_drag_system(s.stage.scene());
  ZOE_TRY(open_files(s.stage, options_, s.folder));
  s.stage.set_bodies_visible(s.settings.shown.body);
  s.note_warnings(s.stage.warnings());
  name_save();
  look_at_all();
  s.camera.turn_to(0.6F, 0.16F);
  s.camera.set_mode(mode_of(options_.camera));
  return {};
}

bool App::is_idle() const { return !session_->stage.playback().playing && !session_->stage.scene().playing(); }

bool App::is_over() const { return !options_.play.empty() && !session_->stage.scene().playing() && num_frames() > 0; }

void App::on_frame(std::vector<scene::InputEvent>&) {
  for (const std::string& file : window().take_dropped()) session_->tasks.push_back({Task::Kind::kDrop, 0, file});
  const std::vector<Task> tasks = std::exchange(session_->tasks, {});
  for (const Task& task : tasks) handle(task);
}

void App::on_move(Vec2 at_px, std::vector<scene::InputEvent>& events) {
  pose_tool_.move(*session_, frame(), at_px.x, at_px.y, events);
}

void App::on_click(Vec2 at_px, std::vector<scene::InputEvent>&) {
  if (!pose_tool_.drags()) picked_at_ = at_px;
}

void App::on_key(int key) {
  Session& s = *session_;
  const auto is = [&](Key wanted) { return key == static_cast<int>(wanted); };
  const bool control = view_input().key(static_cast<int>(Key::kControl));
  if (control && key == 'Q') return window().close();
  if (control && key == 'S' && s.item() != nullptr)
    s.tasks.push_back({Task::Kind::kSaveRange, s.selected, s.save_name});
  if (control) return;
  switch (key) {
    case 'H':
      s.help = !s.help;
      return;
    case 'T':
      s.settings.dark = !s.settings.dark;
      return;
    case 'G':
      s.settings.shown.ghosts = !s.settings.shown.ghosts;
      return;
    case 'B':
      s.settings.browser = !s.settings.browser;
      return;
    case 'I':
      s.settings.inspector = !s.settings.inspector;
      return;
    case 'P':
      s.settings.plots = !s.settings.plots;
      return;
    case 'F':
      s.tasks.push_back({Task::Kind::kLookAtAll});
      return;
    case 'K':
      s.tasks.push_back({Task::Kind::kScreenshot});
      return;
    case 'R':
      s.tasks.push_back({Task::Kind::kFilm});
      return;
    case 'J':
      s.tasks.push_back({Task::Kind::kPoseTool, 0, "", s.poses ? 0 : 1});
      return;
    case '1':
      return s.camera.set_mode(ViewCamera::Mode::kOrbit);
    case '2':
      return s.camera.set_mode(ViewCamera::Mode::kFree);
    case '3':
      return s.camera.set_mode(ViewCamera::Mode::kFollow);
    case '4':
      return s.camera.set_mode(ViewCamera::Mode::kFixed);
    default:
      break;
  }
  if (is(Key::kF1)) s.help = !s.help;
  if (is(Key::kEscape)) {
    s.help = false;
    s.dropped.clear();
  }
  if (is(Key::kTab)) s.panels = !s.panels;
  if (is(Key::kDelete) && s.item() != nullptr) s.tasks.push_back({Task::Kind::kRemove, s.selected});
}

void App::update_camera(double frame_s) {
  if (session_->item() != nullptr) session_->camera.update(view_input(), frame_s, camera_target());
}

void App::fill(render::RenderFrame& frame) {
  frame.settings.write_ids = picked_at_.has_value();
  fill_picture(*session_, frame);
  pose_tool_.add_to(*session_, frame);
}

// The middle of all bodies to turn around. The selected one to follow.
Affine App::camera_target() const {
  const Session& s = *session_;
  if (s.camera.mode() == ViewCamera::Mode::kFollow || s.stage.items().size() == 1)
    return s.stage.root_place(std::min(s.selected, s.stage.items().size() - 1));
  Affine middle;
  for (std::size_t i = 0; i < s.stage.items().size(); ++i)
    middle.t += s.stage.root_place(i).t / static_cast<float>(s.stage.items().size());
  return middle;
}

// The clicked body, and its joint nearest to the pointer.
void App::on_rendered() {
  if (!picked_at_) return;
  Session& s = *session_;
  const Vec2 clicked = *std::exchange(picked_at_, std::nullopt);
  const float x = clicked.x - static_cast<float>(s.view.x), y = clicked.y - static_cast<float>(s.view.y);
  const std::uint32_t id = renderer().pick(static_cast<int>(x), static_cast<int>(y));
  const scene::Entity picked = scene::picked_entity(s.stage.scene().world(), id);
  for (std::size_t i = 0; i < s.stage.items().size(); ++i) {
    const StageItem& item = s.stage.items()[i];
    if (!picked || item.entity != picked) continue;
    s.selected = i;
    float nearest = 1e9F;
    const auto& joints = s.stage.scene().world().get<scene::Actor>(item.entity).model_from_joint;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const auto at = render::project_to_pixels(frame(), item.world_from_model().apply_point(joints[j].t));
      if (!at || std::hypot(at->x - x, at->y - y) >= nearest) continue;
      nearest = std::hypot(at->x - x, at->y - y);
      s.joint = static_cast<int>(j);
    }
  }
}

nlohmann::ordered_json App::describe() const {
  const Session& s = *session_;
  const Playback& p = s.stage.playback();
  nlohmann::ordered_json state{{"playing", p.playing},
                               {"frame", p.frame()},
                               {"frames", p.num_frames},
                               {"loop", p.loop},
                               {"first", p.first},
                               {"last", p.last},
                               {"speed", p.speed},
                               {"mirrored", p.mirrored},
                               {"camera", to_string(s.camera.mode())},
                               {"yaw", std::round(s.camera.yaw_rad() * 1e3F) / 1e3F},
                               {"distance", std::round(s.camera.distance_m() * 1e3F) / 1e3F},
                               {"theme", s.settings.dark ? "dark" : "light"},
                               {"help", s.help},
                               {"panels", s.panels},
                               {"ghosts", s.settings.shown.ghosts},
                               {"poses", s.poses},
                               {"clips", s.stage.items().size()},
                               {"selected", s.selected},
                               {"joint", s.joint},
                               {"film", s.films},
                               {"title", s.item() != nullptr ? s.item()->clip.title : ""}};
  state["asks"] = nullptr;
  if (!s.dropped.empty() && s.drop_answer[0] > 0) state["asks"] = {s.drop_answer[0], s.drop_answer[1]};
  if (s.poses) state["handles"] = pose_tool_.places();
  return state;
}

}  // namespace zoe::viewer
