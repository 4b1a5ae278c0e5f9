// SPDX-License-Identifier: MIT
// Part of Zoetrope. Input recorded with its fixed step. In a replay every step gets the same input at any frame rate:
// in a window, without one, faster or slower.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/scene/input.h"

namespace zoe::scene {

struct RecordedEvent {
  std::uint64_t step = 0;  // The step that begins with it.
  InputEvent event;

  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};

struct InputRecording {
  double step_s = 1.0 / 60;
  std::uint64_t num_steps = 0;        // Length of the recording.
  std::vector<RecordedEvent> events;  // In order.

  friend bool operator==(const InputRecording&, const InputRecording&) = default;
};

// A text file: "zoe-input 1", "step_s S", "steps N", then a line per event: step, kind, code, x, y.
std::string to_text(const InputRecording& recording);
Result<InputRecording> parse_recording(std::string_view text, const std::string& file);
Result<void> write_recording(const std::filesystem::path& file, const InputRecording& recording);
Result<InputRecording> read_recording(const std::filesystem::path& file);

}  // namespace zoe::scene
