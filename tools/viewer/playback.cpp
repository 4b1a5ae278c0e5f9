// SPDX-License-Identifier: MIT
#include "playback.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace zoe::viewer {
namespace {

using scene::InputEvent;
using scene::Key;

constexpr double kRepeatAfter_s = 0.4, kRepeatEvery_s = 0.05;
// Buttons of gamepads, as GLFW numbers them, from 8.
constexpr int kPadPlay = 8, kPadLeft = 8 + 14, kPadRight = 8 + 12;

int code(Key key) { return static_cast<int>(key); }

float next_speed(float speed, bool faster) {
  if (faster) {
    const auto* next = std::upper_bound(std::begin(kSpeeds), std::end(kSpeeds), speed * 1.001F);
    return next == std::end(kSpeeds) ? speed : *next;
  }
  const auto* next = std::lower_bound(std::begin(kSpeeds), std::end(kSpeeds), speed * 0.999F);
  return next == std::begin(kSpeeds) ? speed : *(next - 1);
}

}  // namespace

void append_command(Command command, float value, std::vector<InputEvent>& events) {
  const auto button = static_cast<std::uint16_t>(command);
  events.push_back(scene::axis_event(axis_of(command), value));
  events.push_back({InputEvent::Kind::kButton, button, 1, 0});
  events.push_back({InputEvent::Kind::kButton, button, 0, 0});
}

void append_key(int key, std::vector<InputEvent>& events) {
  events.push_back(scene::key_event(key, true));
  events.push_back(scene::key_event(key, false));
}

int Playback::frame() const { return std::clamp(static_cast<int>(std::lround(time_s * fps)), 0, num_frames - 1); }

void Playback::set_length(int frames, double frames_per_second) {
  num_frames = std::max(frames, 1);
  fps = frames_per_second;
  first = 0;
  last = num_frames - 1;
  time_s = std::clamp(time_s, 0.0, end_s());
}

void Playback::show_frame(int frame) { time_s = std::clamp(frame, 0, num_frames - 1) / fps; }

void Playback::step(const scene::Input& input, double step_s) {
  step_keys(input, step_s);
  step_commands(input);
  const bool scrubs = input.button(static_cast<int>(Command::kScrub));
  if (playing && !scrubs) pass(step_s * static_cast<double>(speed));
}

void Playback::step_keys(const scene::Input& input, double step_s) {
  if (input.key_pressed(' ') || input.button_pressed(kPadPlay)) {
    if (!playing && !loop && frame() >= last) show_frame(first);
    playing = !playing;
  }
  const bool back = input.key(code(Key::kLeft)) || input.button(kPadLeft);
  const bool on = input.key(code(Key::kRight)) || input.button(kPadRight);
  const bool back_pressed = input.key_pressed(code(Key::kLeft)) || input.button_pressed(kPadLeft);
  const bool on_pressed = input.key_pressed(code(Key::kRight)) || input.button_pressed(kPadRight);
  int steps = static_cast<int>(on_pressed) - static_cast<int>(back_pressed);
  if (back != on) {
    const double before_s = held_s_;
    held_s_ += step_s;
    const auto repeats = [](double held_s) {
      return std::floor(std::max(held_s - kRepeatAfter_s, 0.0) / kRepeatEvery_s);
    };
    if (repeats(held_s_) > repeats(before_s)) steps = on ? 1 : -1;
  } else {
    held_s_ = 0;
  }
  if (steps != 0) {
    playing = false;
    // Read from the events, because an arrow may be released before or after within one step.
    const int key = code(steps > 0 ? Key::kRight : Key::kLeft);
    const bool shift = (input.key(key) || input.key_pressed(key)) && input.key_shifted(key);
    show_frame(frame() + steps * (shift ? 10 : 1));
  }
  if (input.key_pressed(code(Key::kHome))) show_frame(first);
  if (input.key_pressed(code(Key::kEnd))) {
    playing = false;
    show_frame(last);
  }
  if (input.key_pressed('L')) loop = !loop;
  if (input.key_pressed('M')) mirrored = !mirrored;
  if (input.key_pressed('=') || input.key_pressed('+')) speed = next_speed(speed, true);
  if (input.key_pressed('-')) speed = next_speed(speed, false);
  if (input.key_pressed('[')) first = std::min(frame(), last);
  if (input.key_pressed(']')) last = std::max(frame(), first);
  if (input.key_pressed('\\')) {
    first = 0;
    last = num_frames - 1;
  }
}

void Playback::step_commands(const scene::Input& input) {
  const auto value = [&](Command command) { return input.axis(axis_of(command)); };
  const auto given = [&](Command command) { return input.button_pressed(static_cast<int>(command)); };
  const auto as_frame = [&](Command command) {
    return std::clamp(static_cast<int>(std::lround(value(command))), 0, num_frames - 1);
  };
  if (given(Command::kScrub) || input.button(static_cast<int>(Command::kScrub))) show_frame(as_frame(Command::kScrub));
  if (given(Command::kSetSpeed)) speed = std::clamp(value(Command::kSetSpeed), 0.05F, 8.0F);
  if (given(Command::kSetFirst)) first = std::min(as_frame(Command::kSetFirst), last);
  if (given(Command::kSetLast)) last = std::max(as_frame(Command::kSetLast), first);
}

void Playback::pass(double seconds) {
  const double begin = first / fps, end = end_s();
  time_s += seconds;
  if (time_s < begin) {  // Scrubbed out of the range, or it was moved.
    time_s = begin;
  } else if (time_s > end) {
    const bool wraps = loop && end > begin;
    time_s = wraps ? begin + std::fmod(time_s - begin, end - begin) : end;
    playing = loop;
  }
}

}  // namespace zoe::viewer
