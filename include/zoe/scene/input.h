// SPDX-License-Identifier: MIT
// Part of Zoetrope. User input, as events and as a state. Independent of a window system.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>

#include "zoe/math/vec.h"

namespace zoe::scene {

// Keys of a character are that character, upper case: 'W', '1', ' '. The others:
enum class Key : std::uint16_t {
  kEscape = 256,
  kEnter,
  kTab,
  kBackspace,
  kDelete,
  kLeft,
  kRight,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kShift,
  kControl,
  kAlt,
  kF1,
  kF2,
  kF3,
  kF4,
  kF5,
  kF6,
  kF7,
  kF8,
  kF9,
  kF10,
  kF11,
  kF12,
};
constexpr std::size_t kNumKeys = 512, kNumButtons = 32, kNumAxes = 64;

struct InputEvent {
  enum class Kind : std::uint8_t {
    kKey,      // code: the key; x: 1 down, 0 up.
    kButton,   // code: of the pointer (0 left, 1 right, 2 middle) or a gamepad (from 8); x: 1 down, 0 up.
    kPointer,  // x, y: pixels from the top left.
    kScroll,   // x, y: wheel steps; y > 0 away from the user.
    kAxis,     // code: of a gamepad or a program; x: usually -1..1.
  };
  Kind kind = Kind::kKey;
  std::uint16_t code = 0;
  float x = 0, y = 0;

  friend bool operator==(const InputEvent&, const InputEvent&) = default;
};

constexpr InputEvent key_event(int key, bool down) {
  return {InputEvent::Kind::kKey, static_cast<std::uint16_t>(key), down ? 1.0F : 0.0F, 0};
}
constexpr InputEvent axis_event(int axis, float value) {
  return {InputEvent::Kind::kAxis, static_cast<std::uint16_t>(axis), value, 0};
}

// The state after all events so far, and the changes since begin(). A resource of the scene's world: systems of fixed
// steps read Input, those of frames FrameInput.
class Input {
 public:
  // Clears the changes, keeps what is held.
  void begin();
  // Codes out of range are ignored.
  void apply(const InputEvent& event);

  bool key(int key) const { return keys_[index(key)]; }
  // Was pressed since begin(), perhaps released again.
  bool key_pressed(int key) const { return keys_pressed_[index(key)]; }
  bool key_released(int key) const { return keys_released_[index(key)]; }
  // Shift was held when the key was last pressed, even if it was released since.
  bool key_shifted(int key) const { return keys_shifted_[index(key)]; }
  bool button(int button) const { return buttons_[static_cast<std::size_t>(button) % kNumButtons]; }
  bool button_pressed(int button) const { return buttons_pressed_[static_cast<std::size_t>(button) % kNumButtons]; }
  float axis(int axis) const { return axes_[static_cast<std::size_t>(axis) % kNumAxes]; }
  Vec2 pointer() const { return pointer_; }
  Vec2 pointer_moved() const { return moved_; }  // Since begin().
  Vec2 scrolled() const { return scrolled_; }    // Since begin().

 private:
  static std::size_t index(int key) { return static_cast<std::size_t>(key) % kNumKeys; }
  std::bitset<kNumKeys> keys_, keys_pressed_, keys_released_, keys_shifted_;
  std::bitset<kNumButtons> buttons_, buttons_pressed_;
  std::array<float, kNumAxes> axes_{};
  Vec2 pointer_, moved_, scrolled_;
  bool pointer_known_ = false;
};

struct FrameInput : Input {};

}  // namespace zoe::scene
