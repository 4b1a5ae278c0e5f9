// SPDX-License-Identifier: MIT
#include "window_app.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/render/picture_file.h"

#include "picture.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;

constexpr double kFrame_s = 1.0 / 60;  // Limit where the display gives none.
constexpr double kIdleAfter_s = 1.0, kIdleWait_s = 0.1;
constexpr float kClickSlack_px = 4;

}  // namespace

Result<void> WindowApp::open_window(const std::string& title) {
  if (!flags_.fresh) config_folder_ = settings_folder();
  const Settings& settings = session().settings = read_settings(config_folder_, flags_);
  session().panels = !flags_.no_panels;
  ZOE_TRY_ASSIGN(
      window_,
      Window::open(
          {.title = title, .width = settings.window_width, .height = settings.window_height, .debug = flags_.debug}));
  ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(window_->context()));
  set_quality(settings.quality, window_->context().description(), frame_.settings);
  last_event_s_ = last_frame_s_ = window_->now_s();
  return {};
}

void WindowApp::remember() {
  if (!window_ || flags_.fresh) return;
  session().settings.window_width = window_->width_px();
  session().settings.window_height = window_->height_px();
  write_settings(config_folder_, session().settings);
}

Result<void> WindowApp::finish() {
  ZOE_TRY(result_);
  if (film_) ZOE_TRY(film_->finish());
  const std::size_t errors = context().num_errors();
  if (errors == 0) return {};
  return Error{ErrorCode::kInvalid, fmt::format("OpenGL reported {} errors; they are above", errors), {}};
}

void WindowApp::wait_for_frame() {
  const double now = window_->now_s();
  const bool idle = is_idle() && session().notes.empty() && !gui().is_busy() && !film_ && flags_.after == 0 &&
                    now - last_event_s_ > kIdleAfter_s;
  window_->poll(idle ? kIdleWait_s : std::max(next_frame_s_ - now, 0.0), raw_);
  // A single event of the window system must not end the wait for the next frame.
  while ((!answers_at_once() || raw_.empty()) && window_->now_s() < next_frame_s_ - 1e-3 && !window_->is_closing())
    window_->poll(next_frame_s_ - window_->now_s(), raw_);
}

bool WindowApp::poll(std::vector<InputEvent>& events) {
  WindowSession& s = session();
  raw_.clear();
  wait_for_frame();
  s.now_s = window_->now_s();
  next_frame_s_ = s.now_s + kFrame_s;
  if (!raw_.empty()) last_event_s_ = s.now_s;
  view_input_.begin();
  for (const InputEvent& event : raw_) route(event, events);
  on_frame(events);
  events.insert(events.end(), s.requests.begin(), s.requests.end());
  s.requests.clear();
  std::erase_if(s.notes, [&](const Note& note) { return note.until_s < s.now_s; });
  if (is_over() || (flags_.after > 0 && frames_ >= flags_.after)) window_->close();
  if (flags_.after > 0 && frames_ + 1 == flags_.after) screenshot_ = flags_.screenshot;
  return result_.has_value() && !window_->is_closing();
}

// Keys and gamepads control the scene, the pointer the camera. Input over a panel belongs to the panel.
void WindowApp::route(const InputEvent& event, std::vector<InputEvent>& events) {
  const Vec2 before = view_input_.pointer();
  switch (event.kind) {
    case InputEvent::Kind::kKey:
      if (event.x != 0 && gui().wants_keys()) return;
      view_input_.apply(event);
      if (event.x != 0) on_key(event.code);
      events.push_back(event);
      return;
    case InputEvent::Kind::kAxis:
      if (turns_camera(event)) view_input_.apply(event);
      events.push_back(event);
      return;
    case InputEvent::Kind::kScroll:
      if (!gui().wants_pointer()) view_input_.apply(event);
      return;
    case InputEvent::Kind::kPointer:
      if (hold_ == Hold::kTurn) session().camera.turn(event.x - before.x, event.y - before.y);
      if (hold_ == Hold::kPan) session().camera.pan(event.x - before.x, event.y - before.y);
      view_input_.apply(event);
      on_move({event.x, event.y}, events);
      return;
    case InputEvent::Kind::kButton:
      route_button(event, events);
      return;
  }
}

// The left and right buttons turn. The middle one, and the others with shift, pan. Buttons from 8 on belong to a
// gamepad.
void WindowApp::route_button(const InputEvent& event, std::vector<InputEvent>& events) {
  if (event.code >= 8) {
    view_input_.apply(event);
    events.push_back(event);
    return;
  }
  if (event.code > 2) return;
  const Vec2 at = view_input_.pointer();
  // The present pointer position counts: the panels' state is a frame old.
  const bool on_picture = !gui().wants_pointer() && session().view.contains(at.x, at.y);
  if (event.x == 0) {
    const bool still = std::hypot(at.x - pressed_at_.x, at.y - pressed_at_.y) < kClickSlack_px;
    if (event.code == 0 && hold_ != Hold::kNothing && still && on_picture) on_click(at, events);
    if (event.code == 0) on_release(events);
    hold_ = Hold::kNothing;
    return;
  }
  if (!on_picture) return;
  if (event.code == 0) {
    pressed_at_ = at;
    if (on_press(at)) return;
  }
  const bool shift = view_input_.key(static_cast<int>(scene::Key::kShift));
  hold_ = event.code == 2 || shift ? Hold::kPan : Hold::kTurn;
}

Result<void> WindowApp::start_film(const std::string& path) {
  WindowSession& s = session();
  ZOE_TRY_ASSIGN(film_, ViewFilm::open(path, s.view.width, s.view.height, s.now_s));
  s.films = true;
  s.note(fmt::format("recording {}; R ends it", path));
  return {};
}

void WindowApp::toggle_film(std::string path) {
  WindowSession& s = session();
  if (!film_) {
    if (path.empty()) path = free_name(name_, ".mp4");
    if (const Result<void> started = start_film(path); !started) s.note(started.error().format(), true);
    return;
  }
  const Result<void> done = film_->finish();
  if (done) s.note(fmt::format("{}: {} pictures", film_->path().string(), film_->num_pictures()));
  if (!done) s.note(done.error().format(), true);
  film_.reset();
  s.films = false;
}

void WindowApp::take_screenshot(std::string path) {
  screenshot_ = path.empty() ? free_name(name_, ".png") : std::move(path);
  session().note(screenshot_);
}

bool WindowApp::handle_window_key(int key) {
  WindowSession& s = session();
  if (view_input_.key(static_cast<int>(scene::Key::kControl))) {
    if (key == 'Q') window_->close();
    return true;
  }
  switch (key) {
    case 'H':
    case static_cast<int>(scene::Key::kF1):
      s.help = !s.help;
      return true;
    case static_cast<int>(scene::Key::kTab):
      s.panels = !s.panels;
      return true;
    case 'T':
      s.settings.dark = !s.settings.dark;
      return true;
    case 'K':
      take_screenshot();
      return true;
    case 'R':
      toggle_film();
      return true;
    default:
      return false;
  }
}

void WindowApp::draw(scene::Scene&) {
  WindowSession& s = session();
  const double now = window_->now_s();
  const double frame_s = std::clamp(now - last_frame_s_, 0.0, 0.25);
  s.frame_ms += (frame_s * 1e3 - s.frame_ms) * 0.1;
  last_frame_s_ = now;
  draw_panels();
  update_camera(frame_s);
  // The size of pictures is known from here on.
  if (frames_ == 0 && !flags_.film.empty()) result_ = start_film(flags_.film);
  if (result_) result_ = draw_picture();
  if (!result_) return window_->close();
  ++frames_;
  if (flags_.state) print_state();
  window_->swap();
}

Result<void> WindowApp::draw_picture() {
  const Area& view = session().view;
  frame_.settings.width = std::max(view.width, 16);
  frame_.settings.height = std::max(view.height, 16);
  fill(frame_);
  ZOE_TRY(renderer_->render(frame_));
  on_rendered();
  if (film_) ZOE_TRY(film_->add(*renderer_, session().now_s));
  const int width = window_->width_px(), height = window_->height_px();
  renderer_->show(view.x, view.y, width, height);
  gui().paint();
  if (!screenshot_.empty()) {
    render::Picture picture;
    renderer_->read_window(width, height, picture);
    ZOE_TRY(render::write_png(std::exchange(screenshot_, {}), picture, render::PngAlpha::kDrop));
  }
  return {};
}

void WindowApp::print_state() {
  std::string line = describe().dump();
  if (line == last_state_) return;
  last_state_ = std::move(line);
  fmt::print("{}\n", last_state_);
  std::fflush(stdout);
}

}  // namespace zoe::viewer
