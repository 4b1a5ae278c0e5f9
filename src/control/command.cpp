// SPDX-License-Identifier: MIT
#include "zoe/control/command.h"

#include <charconv>
#include <cmath>
#include <numbers>

namespace zoe::control {
namespace {

constexpr double kLargest = 1e6;

float radians(float degrees) { return degrees * (std::numbers::pi_v<float> / 180); }

// The numbers after the command's name, and their count.
struct Numbers {
  float values[4] = {};
  std::size_t count = 0;
  bool sound = true;
};

Numbers numbers_of(std::span<const std::string_view> words) {
  Numbers numbers;
  if (words.size() > 5) numbers.sound = false;
  for (std::size_t i = 1; i < words.size() && numbers.sound; ++i) {
    const std::optional<double> value = command_number(words[i]);
    numbers.sound = value.has_value();
    if (value) numbers.values[numbers.count++] = static_cast<float>(*value);
  }
  return numbers;
}

const char* move(const Numbers& n, Intent& intent) {
  if (!n.sound || n.count != 2) return "'move' needs a velocity: x and z in metres per second";
  intent.num_wanted = 1;
  intent.wanted[0].velocity_mps = {n.values[0], 0, n.values[1]};
  intent.goal.reset();
  return nullptr;
}

const char* ahead(const Numbers& n, Intent& intent) {
  if (!n.sound || n.count < 3) {
    return "'ahead' needs seconds from now and a velocity: t, x and z, and perhaps a facing in degrees";
  }
  if (n.values[0] <= intent.wanted[static_cast<std::size_t>(intent.num_wanted - 1)].time_s) {
    return "times of 'ahead' must rise, from above 0; 'move' begins again";
  }
  if (intent.num_wanted == kMaxWanted) return "an intent has at most 7 moments ahead";
  WantedMotion& wanted = intent.wanted[static_cast<std::size_t>(intent.num_wanted++)];
  wanted = {n.values[0], {n.values[1], 0, n.values[2]}, {}};
  if (n.count == 4) wanted.facing_rad = radians(n.values[3]);
  return nullptr;
}

const char* face(std::span<const std::string_view> words, const Numbers& n, Intent& intent) {
  if (words.size() == 2 && words[1] == "velocity") {
    intent.wanted[0].facing_rad.reset();
    return nullptr;
  }
  if (!n.sound || n.count != 1) return "'face' needs an angle in degrees, or 'velocity'";
  intent.wanted[0].facing_rad = radians(n.values[0]);
  return nullptr;
}

const char* go(const Numbers& n, Intent& intent) {
  if (!n.sound || n.count < 2 || n.count > 3) {
    return "'go' needs a position: x and z in metres, and optionally a facing in degrees";
  }
  intent.num_wanted = 1;
  intent.wanted[0].velocity_mps = {};
  intent.goal = WantedPlace{{n.values[0], 0, n.values[1]}, {}};
  if (n.count == 3) intent.goal->facing_rad = radians(n.values[2]);
  return nullptr;
}

const char* set_gait(std::span<const std::string_view> words, Intent& intent) {
  for (const Gait gait : {Gait::kAuto, Gait::kStand, Gait::kWalk, Gait::kJog, Gait::kRun, Gait::kCrouch}) {
    if (words.size() != 2 || words[1] != to_string(gait)) continue;
    intent.gait = gait;
    return nullptr;
  }
  return "'gait' needs one of auto, stand, walk, jog, run, crouch";
}

std::string apply_label(std::span<const std::string_view> words, std::span<const std::string> names, const char* what,
                        std::array<float, kMaxLabels>& weights) {
  const std::optional<double> weight = words.size() == 3 ? command_number(words[2]) : 1.0;
  if (words.size() < 2 || words.size() > 3 || !weight || *weight < 0 || *weight > 1) {
    return "'" + std::string(what) + "' needs a name, or 'none', and optionally a weight, 0 to 1";
  }
  // Without a weight: only this label.
  std::array<float, kMaxLabels> changed = words.size() == 2 ? std::array<float, kMaxLabels>{} : weights;
  const Result<void> set = set_label(names, words[1], what, static_cast<float>(*weight), changed);
  if (!set) return set.error().message;
  weights = changed;
  return {};
}

std::string said(const char* wrong) { return wrong != nullptr ? wrong : std::string(); }

}  // namespace

CommandWords split_command(std::string_view line) {
  line = line.substr(0, line.find('#'));
  CommandWords out;
  constexpr const char* kBlanks = " \t\r,";
  for (std::size_t begin = 0; (begin = line.find_first_not_of(kBlanks, begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    if (out.count == CommandWords::kMax) {
      out.too_many = true;
      return out;
    }
    out.words[out.count++] = line.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

std::optional<double> command_number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return {};
  if (!(std::abs(value) <= kLargest)) return {};
  return value;
}

std::string apply_command(std::span<const std::string_view> words, const LabelNames& labels, Intent& intent) {
  const std::string_view name = words.empty() ? std::string_view() : words[0];
  const Numbers numbers = numbers_of(words);
  if (name == "move") return said(move(numbers, intent));
  if (name == "ahead") return said(ahead(numbers, intent));
  if (name == "face") return said(face(words, numbers, intent));
  if (name == "go") return said(go(numbers, intent));
  if (name == "gait") return said(set_gait(words, intent));
  if (name == "style") return apply_label(words, labels.styles, "style", intent.styles);
  if (name == "action") return apply_label(words, labels.actions, "action", intent.actions);
  if (name == "stand" && words.size() == 1) {
    intent.num_wanted = 1;
    intent.wanted[0].velocity_mps = {};
    intent.goal.reset();
    return {};
  }
  return "the commands are move, ahead, stand, face, go, gait, style and action";
}

}  // namespace zoe::control
