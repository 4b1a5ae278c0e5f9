// SPDX-License-Identifier: MIT
// Channels as one-line texts.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/suggest.h"
#include "zoe/features/schema.h"

#include "features/words.h"

namespace zoe::features {
namespace {

// Far beyond any model. They bound the memory of layouts from damaged or hostile files.
constexpr int kMaxReach_s = 120, kMaxTimes = 100000;

Error bad(std::string_view text, std::string message) {
  return {ErrorCode::kUsage, fmt::format("channel '{}': {}", text, message), {}};
}

// Words between spaces; a value in single quotes may hold spaces.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted) {
      if (!words.back().empty()) words.emplace_back();
    } else
      words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <typename Enum, std::size_t N>
Result<Enum> word_of(const Words<Enum, N>& words, std::string_view word, std::string_view channel, const char* what) {
  std::vector<std::string> known;
  for (const auto& entry : words) {
    if (entry.word == word) return entry.value;
    known.emplace_back(entry.word);
  }
  return bad(channel, fmt::format("no {} '{}'{}", what, word, did_you_mean(word, known)));
}

bool takes_part(Group group, Part part) {
  switch (group) {
    case Group::kJoint:
      return part <= Part::kAngularVelocity || part == Part::kContact;
    case Group::kRoot:
      return part == Part::kPosition || part == Part::kVelocity ||
             (part >= Part::kDirection && part <= Part::kOwnVelocity);
    case Group::kGoal:
      return part == Part::kPosition || part == Part::kDirection || part == Part::kAction;
    default:
      return false;
  }
}

bool takes_space(Group group, Space space) {
  if (group == Group::kJoint) return true;
  return space == Space::kRoot || (group == Group::kRoot && space == Space::kGoal);
}

Result<Part> part_of(Group group, std::string_view word, std::string_view channel) {
  ZOE_TRY_ASSIGN(const Part part, word_of(kPartWords, word, channel, "part"));
  if (!takes_part(group, part))
    return bad(channel, fmt::format("a {} has no part '{}'", word_for(kGroupWords, group), word));
  return part;
}

// One word may mean several parts.
Result<void> add_parts(Channel& channel, std::string_view word, std::string_view text) {
  if (word == "rotation_6d" && channel.group == Group::kJoint) {  // The first two columns, as in Zhou et al.
    channel.parts.insert(channel.parts.end(), {Part::kXAxis, Part::kYAxis});
    return {};
  }
  ZOE_TRY_ASSIGN(const Part part, part_of(channel.group, word, text));
  channel.parts.push_back(part);
  return {};
}

Result<int> integer_of(std::string_view text, std::string_view channel) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return bad(channel, fmt::format("'{}' is no whole number", text));
  return value;
}

Result<void> set(Channel& channel, std::string_view key, std::string_view value, std::string_view text) {
  static const std::vector<std::string> kKeys{"parts", "joints", "space", "times", "at",
                                              "turn",  "per",    "name",  "width"};
  if (key == "parts") {
    for (const auto& word : split_list(value)) ZOE_TRY(add_parts(channel, word, text));
  } else if (key == "joints") {
    channel.joints = split_list(value);
  } else if (key == "space") {
    ZOE_TRY_ASSIGN(channel.space, word_of(kSpaceWords, value, text, "space"));
  } else if (key == "times") {
    const auto times = parse_times(value);
    if (!times) return bad(text, times.error().message);
    channel.times = *times;
  } else if (key == "at") {
    ZOE_TRY_ASSIGN(channel.at_frames, integer_of(value, text));
    if (std::abs(static_cast<double>(channel.at_frames)) > kMaxTimes)
      return bad(text, fmt::format("at= is -{0} to {0} frames", kMaxTimes));
  } else if (key == "turn") {
    if (value != "degrees" && value != "radians") return bad(text, "turn is 'degrees' or 'radians'");
    channel.degrees = value == "degrees";
  } else if (key == "per") {
    if (value != "second" && value != "step") return bad(text, "per is 'second' or 'step'");
    channel.per_second = value == "second";
  } else if (key == "name") {
    channel.name = value;
  } else if (key == "width") {
    ZOE_TRY_ASSIGN(channel.width, integer_of(value, text));
  } else {
    return bad(text, fmt::format("no setting '{}'{}", key, did_you_mean(key, kKeys)));
  }
  return {};
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = text.find(',');
    if (end != 0) parts.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return parts;
}

Result<SampleTimes> parse_times(std::string_view text) {
  const Error error{
      ErrorCode::kUsage, fmt::format("times '{}' are not of the form start:end:count, in seconds", text), {}};
  double numbers[3] = {0, 0, 1};
  std::string_view rest = text;
  for (int i = 0; i < 3; ++i) {
    const auto colon = rest.find(':');
    if (i < 2 ? colon == std::string_view::npos : colon != std::string_view::npos) return error;
    const std::string_view word = rest.substr(0, colon);
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), numbers[i]);
    if (code != std::errc{} || end != word.data() + word.size()) return error;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  // Comparisons that are false for NaN.
  const bool is_near = std::abs(numbers[0]) <= kMaxReach_s && std::abs(numbers[1]) <= kMaxReach_s;
  if (!is_near || !(numbers[0] <= numbers[1]) || !(numbers[2] >= 1 && numbers[2] <= kMaxTimes) ||
      numbers[2] != std::floor(numbers[2])) {
    return Error{ErrorCode::kUsage,
                 fmt::format("times '{}' must be start:end:count, start to end within {} s of now, count 1 to {}", text,
                             kMaxReach_s, kMaxTimes),
                 {}};
  }
  return SampleTimes{numbers[0], numbers[1], static_cast<int>(numbers[2])};
}

std::string to_text(const SampleTimes& times) {
  return fmt::format("{}:{}:{}", times.start_s, times.end_s, times.count);
}

Result<Channel> parse_channel(std::string_view text) {
  const std::vector<std::string> words = split_words(text);
  if (words.empty()) return bad(text, "it is empty");
  Channel channel;
  // "joint.position" is group and part; "root.delta" and "phase.local" are groups.
  std::string_view head = words[0];
  const auto dot = head.rfind('.');
  const bool is_group =
      std::any_of(kGroupWords.begin(), kGroupWords.end(), [&](const auto& entry) { return entry.word == head; });
  if (is_group || dot == std::string_view::npos) {
    ZOE_TRY_ASSIGN(channel.group, word_of(kGroupWords, head, text, "feature"));
  } else {
    ZOE_TRY_ASSIGN(channel.group, word_of(kGroupWords, head.substr(0, dot), text, "feature"));
    ZOE_TRY(add_parts(channel, head.substr(dot + 1), text));
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (equals == std::string::npos) return bad(text, fmt::format("'{}' is not of the form key=value", words[i]));
    ZOE_TRY(set(channel, std::string_view(words[i]).substr(0, equals), std::string_view(words[i]).substr(equals + 1),
                text));
  }
  const bool needs_parts =
      channel.group == Group::kJoint || channel.group == Group::kRoot || channel.group == Group::kGoal;
  if (needs_parts && channel.parts.empty()) {
    return bad(text, fmt::format("name the parts, as in '{}.position'", head));
  }
  if (!takes_space(channel.group, channel.space)) {
    return bad(text, fmt::format("a {} cannot be in space '{}'", head, word_for(kSpaceWords, channel.space)));
  }
  const bool is_signal = channel.group == Group::kSignal;
  if (is_signal && (channel.name.empty() || channel.width < 1 || channel.width > 1000000)) {
    return bad(text, "a signal needs name= and width=, as in 'signal name=environment width=64'");
  }
  if (!is_signal && (!channel.name.empty() || channel.width != 0))
    return bad(text, "only a signal has name= and width=");
  return channel;
}

std::string to_text(const Channel& channel) {
  std::string text{word_for(kGroupWords, channel.group)};
  const Channel plain;
  if (channel.parts.size() == 1) text += fmt::format(".{}", word_for(kPartWords, channel.parts[0]));
  if (channel.parts.size() > 1) {
    text += " parts=";
    for (std::size_t i = 0; i < channel.parts.size(); ++i)
      text += (i > 0 ? "," : "") + std::string(word_for(kPartWords, channel.parts[i]));
  }
  const auto quoted = [](const std::string& value) {
    return value.find(' ') == std::string::npos ? value : "'" + value + "'";
  };
  if (!channel.name.empty()) text += fmt::format(" name={} width={}", quoted(channel.name), channel.width);
  if (!channel.joints.empty()) text += " joints=" + quoted(fmt::format("{}", fmt::join(channel.joints, ",")));
  if (channel.space != plain.space) text += fmt::format(" space={}", word_for(kSpaceWords, channel.space));
  if (channel.times != plain.times) text += " times=" + to_text(channel.times);
  if (channel.at_frames != 0) text += fmt::format(" at={}", channel.at_frames);
  if (channel.degrees) text += " turn=degrees";
  if (channel.per_second) text += " per=second";
  return text;
}

}  // namespace zoe::features
