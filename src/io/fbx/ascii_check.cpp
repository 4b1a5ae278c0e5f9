// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks ASCII FBX, 5.8 to 7.7, from end to end: `Name: value, value, … { records
// }`.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "io/fbx/ascii_lexer.h"
#include "io/fbx/ascii_number.h"
#include "io/fbx/ascii_values.h"
#include "io/fbx/check.h"

namespace zoe::io::fbx {
namespace {

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";

// "; FBX 7.5.0 project file" among the leading comments gives 7500. 0 when there is none.
int version_of_comment(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != ';') return 0;
    const std::size_t word = line.find("FBX ");
    if (word != std::string_view::npos) {
      int version = 0;
      int scale = 1000;
      for (std::size_t i = word + 4; i < line.size() && scale > 0 && (is_digit(line[i]) || line[i] == '.'); ++i) {
        if (line[i] == '.') continue;
        version += (line[i] - '0') * scale;
        scale /= 10;
      }
      if (version != 0) return version;
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return 0;
}

class AsciiCheck {
 public:
  AsciiCheck(std::string_view text, DocumentCheck& check)
      : text_(text), lexer_(text.data(), text.data() + text.size()), check_(check) {}

  bool run() { return check_records(0); }

 private:
  bool fail(ErrorCode code, std::string message) { return fail_at(lexer_.position(), code, std::move(message)); }
  bool fail_at(const char* place, ErrorCode code, std::string message) {
    check_.at(-1, line_of(text_, place));
    return check_.fail(code, std::move(message));
  }

  // Records up to a closing brace (left in place) or the text's end.
  bool check_records(int depth) {
    if (depth > kMaxDepth) return fail(ErrorCode::kLimit, fmt::format("records are nested deeper than {}", kMaxDepth));
    for (;;) {
      lexer_.skip_lines();
      if (lexer_.done()) return true;
      if (lexer_.peek() == '}') {
        if (depth > 0) return true;
        return fail(ErrorCode::kSyntax, "a closing brace without an opening one");
      }
      if (!check_record(depth)) return false;
    }
  }

  bool check_record(int depth) {
    const std::string_view name = lexer_.take_word();
    lexer_.skip_blanks();
    if (name.empty() || lexer_.peek() != ':')
      return fail(ErrorCode::kSyntax,
                  fmt::format("expected a record such as \"Name: value\", found {}", AsciiValues::found(lexer_)));
    lexer_.advance();
    const std::size_t values = check_.open_stretch(lexer_.position());
    bool has_children = false;
    if (!check_values(name, has_children)) return false;
    check_.close_stretch(values, lexer_.position());
    if (!has_children) return true;

    const char* open = lexer_.position();
    const std::size_t children = check_.open_stretch(open);
    lexer_.advance();
    if (!check_records(depth + 1)) return false;
    if (lexer_.done())
      return fail(ErrorCode::kSyntax,
                  fmt::format("the file ends before the brace of record \"{}\" on line {} is closed", name,
                              line_of(text_, open)));
    check_.close_stretch(children, lexer_.position());
    lexer_.advance();
    return true;
  }

  bool check_values(std::string_view name, bool& has_children) {
    const char* start = lexer_.position();
    AsciiValues values(lexer_, name);
    std::uint64_t count = 0;
    bool refused = false;  // By our limits, not by the grammar.
    const auto take = [&](const Property& value) {
      ++count;
      refused = !accept(value);
      return !refused;
    };
    const bool good = values.read(take, take);
    has_children = values.has_children();
    if (refused) return false;
    if (!good) return fail_at(values.place(), values.code(), values.message());
    if (count <= kMaxScalars) return true;
    check_.at(-1, 0);
    return check_.check_property_count(count) || fail_at(start, check_.error().code, check_.error().message);
  }

  bool accept(const Property& value) {
    if (value.type == PropertyType::kArray) {
      return check_.book_array(static_cast<std::uint64_t>(value.integer), 8, value.text.size(), value.encoding) ||
             fail_at(value.text.data(), check_.error().code, check_.error().message);
    }
    if (value.type != PropertyType::kString || value.text.find('&') == std::string_view::npos) return true;
    return check_.keep_unescaped(value.text.data(), unescape(value.text)) ||
           fail_at(value.text.data(), check_.error().code, check_.error().message);
  }

  std::string_view text_;
  AsciiLexer lexer_;
  DocumentCheck& check_;
};

}  // namespace

Result<Document> parse_ascii(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings) {
  std::string_view text = as_text(source);
  if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
  const int stated = version_of_comment(text);
  const auto refuse = [](std::int64_t version, std::int64_t line) {
    Error error = unsupported_version(version);
    error.where.line = line;
    return error;
  };
  // The grammar itself may differ: reported before a syntax error.
  if (stated != 0 && (stated < kMinVersion || stated > kMaxVersion)) return refuse(stated, 1);

  DocumentCheck check(source, limits, warnings);
  if (!AsciiCheck(text, check).run()) return check.error();
  check.set_layout(text.data(), false, false, false);

  const Document& document = check.document();
  const auto header = document.child(document.root(), "FBXHeaderExtension");
  const std::int64_t version = header ? document.integer_of(*header, "FBXVersion", stated) : stated;
  if (version == 0)
    return Error{ErrorCode::kSyntax, "not an FBX file, or one from before FBX 5.8: it states no FBX version",
                 Where{.line = 1}};
  if (version < kMinVersion || version > kMaxVersion) return refuse(version, header ? document.where(*header).line : 1);
  return check.finish(static_cast<int>(version));
}

}  // namespace zoe::io::fbx
