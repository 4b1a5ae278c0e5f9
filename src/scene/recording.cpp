// SPDX-License-Identifier: MIT
#include "zoe/scene/recording.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/file.h"

namespace zoe::scene {
namespace {

constexpr std::array<std::string_view, 5> kKinds{"key", "button", "pointer", "scroll", "axis"};

// Words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  std::string_view next() {
    const std::size_t begin = std::min(line_.find_first_not_of(" \t\r"), line_.size());
    const std::size_t end = std::min(line_.find_first_of(" \t\r", begin), line_.size());
    const std::string_view word = line_.substr(begin, end - begin);
    line_.remove_prefix(end);
    return word;
  }
  template <typename T>
  bool next_number(T& value) {
    const std::string_view word = next();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size() && !word.empty();
  }
  bool done() { return next().empty(); }

 private:
  std::string_view line_;
};

bool parse_event(std::string_view line, RecordedEvent& out) {
  Words words(line);
  if (!words.next_number(out.step)) return false;
  const std::string_view kind = words.next();
  std::size_t k = 0;
  while (k < kKinds.size() && kKinds[k] != kind) ++k;
  if (k == kKinds.size()) return false;
  out.event.kind = static_cast<InputEvent::Kind>(k);
  return words.next_number(out.event.code) && words.next_number(out.event.x) && words.next_number(out.event.y) &&
         std::isfinite(out.event.x) && std::isfinite(out.event.y) && words.done();
}

}  // namespace

std::string to_text(const InputRecording& recording) {
  // {}: the shortest text that reads back as the same number.
  std::string text = fmt::format("zoe-input 1\nstep_s {}\nsteps {}\n", recording.step_s, recording.num_steps);
  for (const auto& [step, event] : recording.events) {
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {}\n", step, kKinds[static_cast<std::size_t>(event.kind)],
                   event.code, event.x, event.y);
  }
  return text;
}

Result<InputRecording> parse_recording(std::string_view text, const std::string& file) {
  InputRecording recording;
  std::int64_t line_number = 0;
  const auto fail = [&](std::string message, ErrorCode code = ErrorCode::kSyntax) {
    return Error{code, std::move(message), {.file = file, .line = line_number}};
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++line_number;
    Words words(line);
    if (line_number == 1) {
      int version = 0;
      if (words.next() != "zoe-input") return fail("not recorded input: the first line must be \"zoe-input 1\"");
      if (!words.next_number(version) || version != 1) {
        return fail("recorded by another version of zoe: only \"zoe-input 1\" is read here", ErrorCode::kUnsupported);
      }
    } else if (line_number == 2) {
      if (words.next() != "step_s" || !words.next_number(recording.step_s) || !(recording.step_s > 0) ||
          !std::isfinite(recording.step_s) || !words.done()) {
        return fail("expected \"step_s\" and the seconds of a fixed step");
      }
    } else if (line_number == 3) {
      if (words.next() != "steps" || !words.next_number(recording.num_steps) || !words.done()) {
        return fail("expected \"steps\" and how many were recorded");
      }
    } else {
      RecordedEvent event;
      if (!parse_event(line, event)) return fail("expected an event: step, kind, code, x, y, as in \"12 key 87 1 0\"");
      if (event.step >= recording.num_steps ||
          (!recording.events.empty() && event.step < recording.events.back().step)) {
        return fail("events must be in order of their steps, and within the recorded ones", ErrorCode::kInvalid);
      }
      recording.events.push_back(event);
    }
  }
  if (line_number < 3) return fail("the file ends before its three head lines");
  return recording;
}

Result<void> write_recording(const std::filesystem::path& file, const InputRecording& recording) {
  return write_file_atomic(file, to_text(recording));
}

Result<InputRecording> read_recording(const std::filesystem::path& file) {
  ZOE_TRY_ASSIGN(const MappedFile bytes, MappedFile::open(file));
  return parse_recording(bytes.text(), file.string());
}

}  // namespace zoe::scene
