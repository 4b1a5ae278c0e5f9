// SPDX-License-Identifier: MIT
#include "io/bvh/hierarchy.h"

#include <cmath>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "io/bvh/number.h"

namespace zoe::io::bvh {
namespace {

std::optional<Channel> parse_channel(std::string_view word) {
  if (word.empty()) return std::nullopt;
  Channel channel;
  switch (word[0]) {
    case 'x':
    case 'X':
      channel.axis = 0;
      break;
    case 'y':
    case 'Y':
      channel.axis = 1;
      break;
    case 'z':
    case 'Z':
      channel.axis = 2;
      break;
    default:
      return std::nullopt;
  }
  const std::string_view what = word.substr(1);
  if (equals_word(what, "rotation")) {
    channel.kind = ChannelKind::kRotation;
  } else if (equals_word(what, "position") || equals_word(what, "translation")) {
    channel.kind = ChannelKind::kPosition;
  } else if (equals_word(what, "scale") || equals_word(what, "scaling")) {
    channel.kind = ChannelKind::kScale;
  } else {
    return std::nullopt;
  }
  return channel;
}

class Parser {
 public:
  Parser(Cursor& cursor, const ReadLimits& limits, WarningLog& log) : cursor_(cursor), limits_(limits), log_(log) {}

  Result<Hierarchy> parse();

 private:
  // A joint whose block is open.
  struct Open {
    int joint = kNoJoint;
    std::size_t brace = 0;  // Position of the opening brace.
    bool has_offset = false;
    bool has_channels = false;
  };

  Result<bool> parse_statement(std::string_view word);  // False: MOTION was reached.
  Result<void> begin_joint(std::string name, JointKind kind);
  Result<void> parse_end_site();
  Result<void> parse_offset();
  Result<void> parse_channels();
  Result<void> end_joint();
  Result<bool> begin_motion();
  Result<void> require_open_joint(std::string_view keyword) const;
  Error error(std::string message) const;
  Error unclosed(std::string_view where) const;
  void warn_about_duplicates();

  Cursor& cursor_;
  const ReadLimits& limits_;
  WarningLog& log_;
  Hierarchy out_;
  std::vector<Open> open_;  // From a root down to the innermost joint. Nesting uses memory here, not stack.
  int num_unnamed_ = 0, num_count_mismatches_ = 0, num_without_offset_ = 0, num_duplicates_ = 0;
};

Error Parser::error(std::string message) const {
  Error result = cursor_.syntax_error(std::move(message));
  if (!open_.empty()) result.where.joint = out_.joints[static_cast<std::size_t>(open_.back().joint)].name;
  return result;
}

Error Parser::unclosed(std::string_view where) const {
  return error(fmt::format("{} before the '{{' of line {} is closed; {} '}}' {} missing", where,
                           cursor_.where_at(open_.back().brace).line, open_.size(), open_.size() == 1 ? "is" : "are"));
}

Result<void> Parser::require_open_joint(std::string_view keyword) const {
  if (!open_.empty()) return {};
  return error(fmt::format("{} outside of a joint", keyword));
}

Result<void> Parser::begin_joint(std::string name, JointKind kind) {
  if (out_.joints.size() >= limits_.max_joints) {
    return Error{ErrorCode::kLimit, fmt::format("more than {} joints", limits_.max_joints), cursor_.where()};
  }
  if (name.empty()) {
    name = fmt::format("joint_{}", out_.joints.size());
    if (!WarningLog::full(num_unnamed_)) {
      log_.add(num_unnamed_, fmt::format("joint without a name; called '{}'", name), cursor_.where());
    }
  }
  cursor_.skip_space();
  if (cursor_.peek() != '{') return error(fmt::format("expected '{{' after joint '{}'", name));
  const std::size_t brace = cursor_.position();
  cursor_.advance();
  out_.joints.push_back({std::move(name), open_.empty() ? kNoJoint : open_.back().joint, {}, kind});
  open_.push_back({.joint = static_cast<int>(out_.joints.size()) - 1, .brace = brace});
  return {};
}

Result<void> Parser::parse_end_site() {
  ZOE_TRY(require_open_joint("End Site"));
  std::string_view name = cursor_.rest_of_line();
  // "End Site", "End Site name", and "End name".
  if (name.size() >= 4 && equals_word(name.substr(0, 4), "site") && (name.size() == 4 || is_space(name[4]))) {
    name.remove_prefix(4);
    while (!name.empty() && is_space(name.front())) name.remove_prefix(1);
  }
  const std::string& parent = out_.joints[static_cast<std::size_t>(open_.back().joint)].name;
  return begin_joint(name.empty() ? parent + "_End" : std::string(name), JointKind::kEndSite);
}

Result<void> Parser::parse_offset() {
  ZOE_TRY(require_open_joint("OFFSET"));
  double offset[3] = {};
  for (double& component : offset) {
    const std::string_view word = cursor_.next_word_on_line();
    switch (parse_number(word, component)) {
      case NumberKind::kNumber:
        break;
      case NumberKind::kNone:
        return error(fmt::format("OFFSET needs three numbers, found '{}'", word.substr(0, 40)));
      case NumberKind::kNotFinite:
        return error("OFFSET is not finite; the exporter failed to write this joint");
    }
  }
  const Vec3 translation = to_float(Vec3d{offset[0], offset[1], offset[2]});
  if (!is_finite(translation)) return error("OFFSET is out of range");
  out_.joints[static_cast<std::size_t>(open_.back().joint)].rest_local.translation = translation;
  open_.back().has_offset = true;
  return {};
}

Result<void> Parser::parse_channels() {
  ZOE_TRY(require_open_joint("CHANNELS"));
  const int joint = open_.back().joint;
  if (open_.back().has_channels && out_.channels.back().joint != joint) {
    return error("CHANNELS a second time, after those of a child");
  }
  double count = 0;
  const std::string_view word = cursor_.next_word_on_line();
  if (parse_number(word, count) != NumberKind::kNumber) {
    return error(fmt::format("CHANNELS needs a count, found '{}'", word.substr(0, 40)));
  }
  // The names decide. They may continue over several lines: reads on while words are channels.
  int listed = 0;
  for (;;) {
    const std::size_t before = cursor_.position();
    const std::string_view name = cursor_.next_word();
    const std::optional<Channel> channel = parse_channel(name);
    if (!channel) {
      if (listed < count && !name.empty() &&
          cursor_.text().substr(before, cursor_.position() - before).find_first_of("\r\n") == std::string_view::npos) {
        return error(fmt::format("unknown channel '{}'; known are [XYZ]position, [XYZ]rotation and [XYZ]scale",
                                 name.substr(0, 40)));
      }
      cursor_.set_position(before);
      break;
    }
    out_.channels.push_back({joint, channel->kind, channel->axis});
    open_.back().has_channels = true;
    ++listed;
  }
  if (listed != count && !WarningLog::full(num_count_mismatches_)) {
    log_.add(num_count_mismatches_,
             fmt::format("CHANNELS says {}, but {} are listed; took those listed", count, listed), cursor_.where());
  }
  return {};
}

Result<void> Parser::end_joint() {
  if (open_.empty()) return error("a '}' too many: every joint is closed already");
  if (!open_.back().has_offset && !WarningLog::full(num_without_offset_)) {
    Where where = cursor_.where();
    where.joint = out_.joints[static_cast<std::size_t>(open_.back().joint)].name;
    log_.add(num_without_offset_, "joint without OFFSET; used 0 0 0", std::move(where));
  }
  open_.pop_back();
  return {};
}

Result<bool> Parser::begin_motion() {
  // Where the missing brace belongs cannot be known, and every joint after it would get another parent.
  if (!open_.empty()) return unclosed("MOTION is reached");
  out_.has_motion = true;
  return false;
}

Result<bool> Parser::parse_statement(std::string_view word) {
  if (word.empty()) {  // A brace.
    const char brace = cursor_.peek();
    cursor_.advance();
    if (brace == '{') return error("unexpected '{'");
    ZOE_TRY(end_joint());
  } else if (equals_word(word, "joint") || equals_word(word, "root")) {
    // A ROOT inside a joint is read as a JOINT, and a JOINT outside as a ROOT.
    ZOE_TRY(begin_joint(std::string(cursor_.rest_of_line()), JointKind::kBone));
  } else if (equals_word(word, "offset")) {
    ZOE_TRY(parse_offset());
  } else if (equals_word(word, "channels")) {
    ZOE_TRY(parse_channels());
  } else if (equals_word(word, "end")) {
    ZOE_TRY(parse_end_site());
  } else if (equals_word(word, "endsite")) {
    cursor_.set_position(cursor_.position() - 4);  // As if it were two words.
    ZOE_TRY(parse_end_site());
  } else if (equals_word(word, "motion")) {
    return begin_motion();
  } else if (word.front() == '#') {
    cursor_.skip_line();
  } else if (!equals_word(word, "hierarchy")) {
    return error(fmt::format("unknown keyword '{}'", word.substr(0, 40)));
  }
  return true;
}

void Parser::warn_about_duplicates() {
  std::unordered_set<std::string_view> seen;
  seen.reserve(out_.joints.size());
  for (const JointDesc& joint : out_.joints) {
    if (!seen.insert(joint.name).second) {
      Where where = cursor_.file_only();
      where.joint = joint.name;
      log_.add(num_duplicates_, "joint name is used twice; lookups by name find the first", std::move(where));
    }
  }
}

Result<Hierarchy> Parser::parse() {
  // The first word identifies other formats.
  Cursor first = cursor_;
  const std::string_view opening = first.next_word();
  if (equals_word(opening, "root")) {
    log_.add("the HIERARCHY keyword is missing", cursor_.where());
  } else if (!equals_word(opening, "hierarchy") && !opening.starts_with('#')) {
    return cursor_.syntax_error("not a BVH file: it does not start with HIERARCHY");
  }
  for (;;) {
    cursor_.skip_space();
    if (cursor_.at_end()) break;
    ZOE_TRY_ASSIGN(const bool more, parse_statement(cursor_.next_word()));
    if (!more) break;
  }
  if (!open_.empty()) return unclosed("the file ends");
  if (out_.joints.empty()) return cursor_.syntax_error("the file holds no joint");
  warn_about_duplicates();
  return std::move(out_);
}

}  // namespace

Result<Hierarchy> parse_hierarchy(Cursor& cursor, const ReadLimits& limits, WarningLog& log) {
  return Parser(cursor, limits, log).parse();
}

}  // namespace zoe::io::bvh
