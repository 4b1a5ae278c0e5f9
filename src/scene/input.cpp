// SPDX-License-Identifier: MIT
#include "zoe/scene/input.h"

namespace zoe::scene {

void Input::begin() {
  keys_pressed_.reset();
  keys_released_.reset();
  buttons_pressed_.reset();
  moved_ = {};
  scrolled_ = {};
}

void Input::apply(const InputEvent& event) {
  const bool down = event.x != 0;
  switch (event.kind) {
    case InputEvent::Kind::kKey:
      if (event.code >= kNumKeys) return;
      // Repeats of a held key are not presses.
      if (down && !keys_[event.code]) {
        keys_pressed_.set(event.code);
        keys_shifted_.set(event.code, keys_[static_cast<std::size_t>(Key::kShift)]);
      }
      if (!down && keys_[event.code]) keys_released_.set(event.code);
      keys_.set(event.code, down);
      return;
    case InputEvent::Kind::kButton:
      if (event.code >= kNumButtons) return;
      if (down && !buttons_[event.code]) buttons_pressed_.set(event.code);
      buttons_.set(event.code, down);
      return;
    case InputEvent::Kind::kPointer:
      if (pointer_known_) moved_ = {moved_.x + event.x - pointer_.x, moved_.y + event.y - pointer_.y};
      pointer_ = {event.x, event.y};
      pointer_known_ = true;
      return;
    case InputEvent::Kind::kScroll:
      scrolled_ = {scrolled_.x + event.x, scrolled_.y + event.y};
      return;
    case InputEvent::Kind::kAxis:
      if (event.code < kNumAxes) axes_[event.code] = event.x;
      return;
  }
}

}  // namespace zoe::scene
