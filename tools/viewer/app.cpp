// SPDX-License-Identifier: MIT
#include "app.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/io/convert.h"
#include "zoe/render/debug_draw.h"
#include "zoe/render/picture_file.h"
#include "zoe/scene/draw.h"

#include "save.h"

namespace zoe::viewer {
namespace {

namespace fs = std::filesystem;
using scene::InputEvent;
using scene::Key;

constexpr double kFrame_s = 1.0 / 60;  // No faster, where the display does not say.
constexpr double kIdleAfter_s = 1.0, kIdleWait_s = 0.1;
constexpr float kClickSlack_px = 4;

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
  if (!options_.fresh) config_folder_ = settings_folder();
  const Settings settings = read_settings(config_folder_, options_);
  ZOE_TRY_ASSIGN(
      window_,
      Window::open({.width = settings.window_width, .height = settings.window_height, .debug = options_.debug}));
  ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(window_->context()));
  session_ = std::make_unique<Session>(renderer_.get());
  session_->settings = settings;
  session_->panels = !options_.no_panels;
  session_->driver = window_->context().description();
  ui_ = std::make_unique<Ui>(*window_, config_folder_);
  add_drag_system(session_->stage.scene());
  set_quality(settings.quality, session_->driver, frame_.settings);

  ZOE_TRY(open_files(session_->stage, options_, session_->folder));
  session_->stage.set_bodies_visible(settings.shown.body);
  session_->note_warnings(session_->stage.warnings());
  name_save();
  look_at_all();
  session_->camera.turn_to(0.6F, 0.16F);
  session_->camera.set_mode(mode_of(options_.camera));
  last_event_s_ = last_frame_s_ = window_->now_s();
  return {};
}

Result<void> App::finish() {
  ZOE_TRY(result_);
  return film_ ? film_->finish() : Result<void>{};
}

App::~App() {
  if (session_ && window_) {
    session_->settings.window_width = window_->width_px();
    session_->settings.window_height = window_->height_px();
    if (!options_.fresh) write_settings(config_folder_, session_->settings);
  }
}

double App::wait_s() const {
  const double now = window_->now_s();
  const bool idle = !session_->stage.playback().playing && session_->notes.empty() && !ui_->gui().is_busy() && !film_ &&
                    !session_->stage.scene().playing() && options_.after == 0 && now - last_event_s_ > kIdleAfter_s;
  return idle ? kIdleWait_s : std::max(next_frame_s_ - now, 0.0);
}

bool App::poll(std::vector<InputEvent>& events) {
  raw_.clear();
  window_->poll(wait_s(), raw_);
  // A single event must not end the wait for the next frame.
  while (raw_.empty() && window_->now_s() < next_frame_s_ - 1e-3 && !window_->is_closing())
    window_->poll(next_frame_s_ - window_->now_s(), raw_);
  session_->now_s = window_->now_s();
  next_frame_s_ = session_->now_s + kFrame_s;
  if (!raw_.empty()) last_event_s_ = session_->now_s;
  view_input_.begin();
  for (const InputEvent& event : raw_) route(event, events);
  for (const std::string& file : window_->take_dropped()) session_->wishes.push_back({Wish::Kind::kDrop, 0, file});
  events.insert(events.end(), session_->requests.begin(), session_->requests.end());
  session_->requests.clear();
  const std::vector<Wish> wishes = std::exchange(session_->wishes, {});
  for (const Wish& wish : wishes) fulfil(wish);
  std::erase_if(session_->notes, [&](const Note& note) { return note.until_s < session_->now_s; });

  if (!options_.play.empty() && !session_->stage.scene().playing() && frames_ > 0) window_->close();
  if (options_.after > 0 && frames_ >= options_.after) window_->close();
  if (options_.after > 0 && frames_ + 1 == options_.after) screenshot_ = options_.screenshot;
  return result_.has_value() && !window_->is_closing();
}

// Keys and gamepads go to the scene, the pointer to the camera; what happens over a panel is the panel's.
void App::route(const InputEvent& event, std::vector<InputEvent>& events) {
  const bool down = event.x != 0;
  switch (event.kind) {
    case InputEvent::Kind::kKey:
      if (down && ui_->gui().wants_keys()) return;
      view_input_.apply(event);
      if (down) on_key(event.code);
      events.push_back(event);
      return;
    case InputEvent::Kind::kAxis:
      view_input_.apply(event);
      events.push_back(event);
      return;
    case InputEvent::Kind::kScroll:
      if (!ui_->gui().wants_pointer()) view_input_.apply(event);
      return;
    case InputEvent::Kind::kPointer:
      if (hold_ == Hold::kTurn)
        session_->camera.turn(event.x - view_input_.pointer().x, event.y - view_input_.pointer().y);
      if (hold_ == Hold::kPan)
        session_->camera.pan(event.x - view_input_.pointer().x, event.y - view_input_.pointer().y);
      view_input_.apply(event);
      pose_tool_.move(*session_, frame_, event.x, event.y, events);
      return;
    case InputEvent::Kind::kButton:
      break;
  }
  if (event.code >= 8) {
    view_input_.apply(event);
    events.push_back(event);
    return;
  }
  const Vec2 at = view_input_.pointer();
  // Where the pointer is now counts: what panels want, they knew a frame ago.
  if (event.code > 2 || (down && (ui_->gui().wants_pointer() || !session_->view.contains(at.x, at.y)))) return;
  if (event.code == 0 && down) {
    pressed_at_ = at;
    if (pose_tool_.press(at.x, at.y)) return;
  }
  if (event.code == 0 && !down) {
    if (!pose_tool_.drags() && session_->view.contains(at.x, at.y) && !ui_->gui().wants_pointer() &&
        std::hypot(at.x - pressed_at_.x, at.y - pressed_at_.y) < kClickSlack_px) {
      picks_ = true;
    }
    pose_tool_.release(events);
  }
  // The left and right buttons turn; the middle one, and the others with shift, pan.
  if (!down) {
    hold_ = Hold::kNothing;
  } else {
    hold_ = event.code == 2 || view_input_.key(static_cast<int>(Key::kShift)) ? Hold::kPan : Hold::kTurn;
  }
}

void App::on_key(int key) {
  Session& s = *session_;
  const auto is = [&](Key wanted) { return key == static_cast<int>(wanted); };
  const bool control = view_input_.key(static_cast<int>(Key::kControl));
  if (control && key == 'Q') return window_->close();
  if (control && key == 'S' && s.item() != nullptr)
    s.wishes.push_back({Wish::Kind::kSaveRange, s.selected, s.save_name});
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
      s.wishes.push_back({Wish::Kind::kLookAtAll});
      return;
    case 'K':
      s.wishes.push_back({Wish::Kind::kScreenshot});
      return;
    case 'R':
      s.wishes.push_back({Wish::Kind::kFilm});
      return;
    case 'J':
      s.wishes.push_back({Wish::Kind::kPoseTool, 0, "", s.poses ? 0 : 1});
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
  if (is(Key::kDelete) && s.item() != nullptr) s.wishes.push_back({Wish::Kind::kRemove, s.selected});
}

void App::draw(scene::Scene&) {
  Session& s = *session_;
  const double now = window_->now_s();
  const double frame_s = std::clamp(now - last_frame_s_, 0.0, 0.25);
  s.frame_ms += (frame_s * 1e3 - s.frame_ms) * 0.1;
  last_frame_s_ = now;
  ui_->draw(s);
  if (s.item() != nullptr) s.camera.update(view_input_, frame_s, camera_target());
  // Now it is known how large pictures are.
  if (frames_ == 0 && !options_.film.empty()) result_ = start_film(options_.film);
  if (result_) result_ = draw_picture();
  if (!result_) return window_->close();
  ++frames_;
  if (options_.state) print_state();
  window_->swap();
}

// All bodies' middle to turn around; the chosen one to follow.
Affine App::camera_target() const {
  const Session& s = *session_;
  if (s.camera.mode() == ViewCamera::Mode::kFollow || s.stage.items().size() == 1)
    return s.stage.root_place(std::min(s.selected, s.stage.items().size() - 1));
  Affine middle;
  for (std::size_t i = 0; i < s.stage.items().size(); ++i)
    middle.t += s.stage.root_place(i).t / static_cast<float>(s.stage.items().size());
  return middle;
}

Result<void> App::draw_picture() {
  Session& s = *session_;
  frame_.settings.width = std::max(s.view.width, 16);
  frame_.settings.height = std::max(s.view.height, 16);
  frame_.settings.write_ids = picks_;
  fill_picture(s, frame_);
  pose_tool_.add_to(s, frame_);
  ZOE_TRY(renderer_->render(frame_));
  if (std::exchange(picks_, false)) pick();
  if (film_) ZOE_TRY(film_->add(*renderer_, s.now_s));
  const int width = window_->width_px(), height = window_->height_px();
  renderer_->show(s.view.x, s.view.y, width, height);
  ui_->gui().paint();
  if (!screenshot_.empty()) {
    render::Picture picture;
    renderer_->read_window(width, height, picture);
    ZOE_TRY(render::write_png(std::exchange(screenshot_, {}), picture, render::PngAlpha::kDrop));
  }
  return {};
}

// Which body was clicked, and which of its joints is nearest to the pointer.
void App::pick() {
  Session& s = *session_;
  const float x = pressed_at_.x - static_cast<float>(s.view.x), y = pressed_at_.y - static_cast<float>(s.view.y);
  const std::uint32_t id = renderer_->pick(static_cast<int>(x), static_cast<int>(y));
  const scene::Entity picked = scene::picked_entity(s.stage.scene().world(), id);
  for (std::size_t i = 0; i < s.stage.items().size(); ++i) {
    const StageItem& item = s.stage.items()[i];
    if (!picked || item.entity != picked) continue;
    s.selected = i;
    float nearest = 1e9F;
    const auto& joints = s.stage.scene().world().get<scene::Actor>(item.entity).model_from_joint;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const auto at = render::project_to_pixels(frame_, item.world_from_model().apply_point(joints[j].t));
      if (!at || std::hypot(at->x - x, at->y - y) >= nearest) continue;
      nearest = std::hypot(at->x - x, at->y - y);
      s.joint = static_cast<int>(j);
    }
  }
}

void App::print_state() {
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
  std::string line = state.dump();
  if (line == last_state_) return;
  last_state_ = std::move(line);
  fmt::print("{}\n", last_state_);
  std::fflush(stdout);
}

}  // namespace zoe::viewer
