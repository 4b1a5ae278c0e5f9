// SPDX-License-Identifier: MIT
#include "play/play_app.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picture.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;
using scene::Key;

constexpr double kFrame_s = 1.0 / 60;  // No faster, where the display does not say.
constexpr float kClickSlack_px = 4;

double rounded(float value) { return std::round(static_cast<double>(value) * 1e3) / 1e3; }

}  // namespace

Result<std::unique_ptr<PlayApp>> PlayApp::open(const cli::PlayOptions& options) {
  std::unique_ptr<PlayApp> app(new PlayApp(options));
  ZOE_TRY(app->start());
  return app;
}

Result<void> PlayApp::start() {
  ZOE_TRY_ASSIGN(stage_, PlayStage::open(options_, true));
  if (!options_.fresh) config_folder_ = settings_folder();
  const Settings& settings = session_.settings = read_settings(config_folder_, options_);
  session_.panels = !options_.no_panels;
  ZOE_TRY_ASSIGN(window_, Window::open({.title = fmt::format("zoe play {}", options_.run),
                                        .width = settings.window_width,
                                        .height = settings.window_height,
                                        .debug = options_.debug}));
  ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(window_->context()));
  gui_ = std::make_unique<Gui>(*window_, config_folder_);
  set_quality(settings.quality, window_->context().description(), frame_.settings);
  const float h = stage_->height_m();
  session_.camera.frame(1.8F * h, 1.1F * h, 0, 1.5F);
  // Behind the character, which begins along +Z.
  session_.camera.turn_to(3.1415927F, 0.28F);
  last_frame_s_ = window_->now_s();
  return {};
}

Result<void> PlayApp::finish() {
  ZOE_TRY(result_);
  return film_ ? film_->finish() : Result<void>{};
}

PlayApp::~PlayApp() {
  if (!window_ || options_.fresh) return;
  session_.settings.window_width = window_->width_px();
  session_.settings.window_height = window_->height_px();
  write_settings(config_folder_, session_.settings);
}

bool PlayApp::poll(std::vector<InputEvent>& events) {
  raw_.clear();
  do {
    window_->poll(std::max(next_frame_s_ - window_->now_s(), 0.0), raw_);
  } while (window_->now_s() < next_frame_s_ - 1e-3 && !window_->is_closing());
  session_.now_s = window_->now_s();
  next_frame_s_ = session_.now_s + kFrame_s;
  view_input_.begin();
  for (const InputEvent& event : raw_) route(event, events);
  (void)window_->take_dropped();
  tell_camera(events);
  events.insert(events.end(), session_.requests.begin(), session_.requests.end());
  session_.requests.clear();
  std::erase_if(session_.notes, [&](const Note& note) { return note.until_s < session_.now_s; });
  scene::Scene& scene = stage_->scene();
  scene.clock().set_paused(session_.paused);

  const bool replayed = !options_.replay.empty() && !scene.playing() && frames_ > 0;
  const bool late = options_.seconds > 0 && scene.time().time_s() >= options_.seconds;
  if (replayed || late || (options_.after > 0 && frames_ >= options_.after)) window_->close();
  if (options_.after > 0 && frames_ + 1 == options_.after) screenshot_ = options_.screenshot;
  return result_.has_value() && !window_->is_closing();
}

// Fixed steps never read cameras: what they need of it comes as input, and is recorded with it.
void PlayApp::tell_camera(std::vector<InputEvent>& events) {
  const Vec3 back = session_.camera.seen().world_from_camera.z;
  if (frames_ == 0) {
    told_camera_rad_ = 0;  // As Input begins, and as the first camera stands.
    return;
  }
  const float facing_rad = static_cast<float>(rounded(std::atan2(-back.x, -back.z)));
  if (facing_rad == told_camera_rad_) return;
  told_camera_rad_ = facing_rad;
  events.push_back(scene::axis_event(kCameraAxis, facing_rad));
}

// Keys and gamepads go to the scene, the pointer to the camera; what happens over the panel is the panel's.
void PlayApp::route(const InputEvent& event, std::vector<InputEvent>& events) {
  const bool down = event.x != 0;
  const Vec2 before = view_input_.pointer();
  switch (event.kind) {
    case InputEvent::Kind::kKey:
      view_input_.apply(event);
      if (down) on_key(event.code);
      events.push_back(event);
      return;
    case InputEvent::Kind::kAxis:
      // With the bumper down the right stick is the character's.
      if (!view_input_.button(8 + 4) || event.x == 0) view_input_.apply(event);
      events.push_back(event);
      return;
    case InputEvent::Kind::kScroll:
      if (!gui_->wants_pointer()) view_input_.apply(event);
      return;
    case InputEvent::Kind::kPointer:
      if (hold_ == Hold::kTurn) session_.camera.turn(event.x - before.x, event.y - before.y);
      if (hold_ == Hold::kPan) session_.camera.pan(event.x - before.x, event.y - before.y);
      view_input_.apply(event);
      return;
    case InputEvent::Kind::kButton:
      break;
  }
  if (event.code >= 8) {
    view_input_.apply(event);
    events.push_back(event);
    return;
  }
  if (event.code > 2) return;
  if (!down) {
    const bool moved = std::hypot(before.x - pressed_at_.x, before.y - pressed_at_.y) >= kClickSlack_px;
    if (event.code == 0 && hold_ != Hold::kNothing && !moved) click(before, events);
    hold_ = Hold::kNothing;
    return;
  }
  if (gui_->wants_pointer() || !session_.view.contains(before.x, before.y)) return;
  pressed_at_ = before;
  hold_ = event.code == 2 || view_input_.key(static_cast<int>(Key::kShift)) ? Hold::kPan : Hold::kTurn;
}

void PlayApp::click(Vec2 at, std::vector<InputEvent>& events) const {
  const Area& view = session_.view;
  const auto place = ground_under(frame_, at.x - static_cast<float>(view.x), at.y - static_cast<float>(view.y));
  if (place) append_goal(*place, events);
}

void PlayApp::on_key(int key) {
  PlaySession& s = session_;
  if (view_input_.key(static_cast<int>(Key::kControl))) {
    if (key == 'Q') window_->close();
    return;
  }
  switch (key) {
    case 'H':
    case static_cast<int>(Key::kF1):
      s.help = !s.help;
      return;
    case static_cast<int>(Key::kEscape):
      s.help = false;
      return;
    case static_cast<int>(Key::kTab):
      s.panels = !s.panels;
      return;
    case ' ':
      s.paused = !s.paused;
      return;
    case 'T':
      s.settings.dark = !s.settings.dark;
      return;
    case 'K':
      screenshot_ = free_name("zoe_play", ".png");
      return s.note(screenshot_);
    case 'R':
      return toggle_film();
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

Result<void> PlayApp::start_film(const std::string& path) {
  ZOE_TRY_ASSIGN(film_, ViewFilm::open(path, session_.view.width, session_.view.height, session_.now_s));
  session_.films = true;
  session_.note(fmt::format("recording {}; R ends it", path));
  return {};
}

void PlayApp::toggle_film() {
  if (!film_) {
    if (const Result<void> started = start_film(free_name("zoe_play", ".mp4")); !started)
      session_.note(started.error().format(), true);
    return;
  }
  const Result<void> done = film_->finish();
  session_.note(
      done ? fmt::format("{}: {} pictures", film_->path().string(), film_->num_pictures()) : done.error().format(),
      !done);
  film_.reset();
  session_.films = false;
}

void PlayApp::draw_panels() {
  PlaySession& s = session_;
  const bool dark = s.settings.dark;
  gui_->begin(dark);
  const auto width = static_cast<float>(window_->width_px()), height = static_cast<float>(window_->height_px());
  const float panel = s.panels ? std::min(play_panel_width(gui_->scale()), 0.4F * width) : 0;
  if (s.panels) draw_play_panel(s, *stage_, {width - panel, 0, panel, height, gui_->scale()});
  s.view = {0, 0, std::max(static_cast<int>(width - panel), 16), std::max(static_cast<int>(height), 16)};
  const PanelPlace view{0, 0, width - panel, height, gui_->scale()};
  draw_notes(s.notes, dark, view);
  if (s.help) draw_help(play_help(), dark, view);
  gui_->end();
}

void PlayApp::draw(scene::Scene&) {
  const double now = window_->now_s();
  const double frame_s = std::clamp(now - last_frame_s_, 0.0, 0.25);
  session_.frame_ms += (frame_s * 1e3 - session_.frame_ms) * 0.1;
  last_frame_s_ = now;
  draw_panels();
  const PlanarRoot root = stage_->root_drawn();
  Affine target = to_affine(rotation_of(root));
  target.t = {root.position.x, 0, root.position.z};
  session_.camera.update(view_input_, frame_s, target);
  // Now it is known how large pictures are.
  if (frames_ == 0 && !options_.film.empty()) result_ = start_film(options_.film);
  if (result_) result_ = draw_picture();
  if (!result_) return window_->close();
  ++frames_;
  if (options_.state) print_state();
  window_->swap();
}

Result<void> PlayApp::draw_picture() {
  frame_.settings.width = session_.view.width;
  frame_.settings.height = session_.view.height;
  picture_.fill(*stage_, session_.camera, session_.settings, frame_);
  ZOE_TRY(renderer_->render(frame_));
  if (film_) ZOE_TRY(film_->add(*renderer_, session_.now_s));
  const int width = window_->width_px(), height = window_->height_px();
  renderer_->show(session_.view.x, session_.view.y, width, height);
  gui_->paint();
  if (!screenshot_.empty()) {
    render::Picture picture;
    renderer_->read_window(width, height, picture);
    ZOE_TRY(render::write_png(std::exchange(screenshot_, {}), picture, render::PngAlpha::kDrop));
  }
  return {};
}

void PlayApp::print_state() {
  const PlanarRoot& root = stage_->state().root();
  const Vec3 wanted = stage_->intent().velocity_at(0);
  const PlaySession& s = session_;
  nlohmann::ordered_json state{{"kind", stage_->controller().type()},
                               {"driver", stage_->driver()},
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
  state["goal"] = nullptr;
  if (const auto& goal = stage_->steering().goal()) state["goal"] = {rounded(goal->x), rounded(goal->z)};
  std::string line = state.dump();
  if (line == last_state_) return;
  last_state_ = std::move(line);
  fmt::print("{}\n", last_state_);
  std::fflush(stdout);
}

}  // namespace zoe::viewer
