// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>
#include <numbers>

#include "zoe/control/sources.h"

namespace zoe::control {
namespace {

struct Command {
  double time_s = 0;
  Intent intent;
};

class ScriptSource final : public IntentSource {
 public:
  explicit ScriptSource(std::vector<Command> commands) : commands_(std::move(commands)) {}
  Intent next(const PlanarRoot& /*root*/, double dt_s) override {
    while (next_ < commands_.size() && commands_[next_].time_s <= time_s_ + 1e-9) intent_ = commands_[next_++].intent;
    time_s_ += dt_s;
    return intent_;
  }
  bool done() const override { return next_ == commands_.size(); }

 private:
  std::vector<Command> commands_;
  std::size_t next_ = 0;
  double time_s_ = 0;
  Intent intent_;
};

std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; (begin = line.find_first_not_of(" \t\r,", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r,", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<Gait> gait_of(std::string_view word) {
  for (const Gait gait : {Gait::kAuto, Gait::kStand, Gait::kWalk, Gait::kJog, Gait::kRun, Gait::kCrouch}) {
    if (word == to_string(gait)) return gait;
  }
  return {};
}

// What is wrong with the command, or nothing; `intent` holds what was wanted before it.
std::string apply(std::span<const std::string_view> words, const LabelNames& labels, Intent& intent) {
  const auto pair = [&](std::size_t at) -> std::optional<Vec3> {
    if (words.size() != at + 2) return {};
    const auto x = number(words[at]), z = number(words[at + 1]);
    if (!x || !z) return {};
    return Vec3{static_cast<float>(*x), 0, static_cast<float>(*z)};
  };
  WantedMotion& wanted = intent.wanted[0];
  if (words[0] == "move") {
    const auto velocity = pair(1);
    if (!velocity) return "'move' needs a velocity: x and z in metres a second";
    wanted.velocity_mps = *velocity;
    intent.goal.reset();
  } else if (words[0] == "stand") {
    wanted.velocity_mps = {};
    intent.goal.reset();
  } else if (words[0] == "face") {
    if (words.size() != 2) return "'face' needs an angle in degrees, or 'velocity'";
    wanted.facing_rad.reset();
    if (words[1] != "velocity") {
      const auto angle = number(words[1]);
      if (!angle) return "'face' needs an angle in degrees, or 'velocity'";
      wanted.facing_rad = static_cast<float>(*angle * std::numbers::pi / 180);
    }
  } else if (words[0] == "go") {
    const auto place = pair(1);
    if (!place) return "'go' needs a place: x and z in metres";
    wanted.velocity_mps = {};
    intent.goal = WantedPlace{*place, {}};
  } else if (words[0] == "gait") {
    const auto gait = words.size() == 2 ? gait_of(words[1]) : std::nullopt;
    if (!gait) return "'gait' needs one of auto, stand, walk, jog, run, crouch";
    intent.gait = *gait;
  } else if (words[0] == "style" || words[0] == "action") {
    const bool is_style = words[0] == "style";
    if (words.size() != 2) return "'" + std::string(words[0]) + "' needs a name, or 'none'";
    const auto label =
        find_label(is_style ? labels.styles : labels.actions, std::string(words[1]), is_style ? "style" : "action");
    if (!label) return label.error().message;
    auto& wished = is_style ? intent.styles : intent.actions;
    wished.fill(0);
    if (*label >= 0) wished[static_cast<std::size_t>(*label)] = 1;
  } else {
    return "the commands are move, stand, face, go, gait, style and action";
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<IntentSource>> parse_script(std::string_view text, const std::string& file, LabelNames labels) {
  std::vector<Command> commands;
  Intent intent;
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::vector<std::string_view> words = words_of(text.substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (words.empty()) continue;
    const auto wrong = [&](const std::string& what) {
      return Error{ErrorCode::kSyntax, what, {.file = file, .line = line_number}};
    };
    const auto time_s = number(words[0]);
    if (!time_s || words.size() < 2) return wrong("a line is a time in seconds and a command, as in '2.5 move 0 1.4'");
    if (!commands.empty() && *time_s < commands.back().time_s) return wrong("times must rise");
    if (const std::string what = apply(std::span(words).subspan(1), labels, intent); !what.empty()) return wrong(what);
    commands.push_back({*time_s, intent});
  }
  if (commands.empty()) return Error{ErrorCode::kInvalid, "the script has no commands", {.file = file}};
  return std::unique_ptr<IntentSource>(std::make_unique<ScriptSource>(std::move(commands)));
}

}  // namespace zoe::control
