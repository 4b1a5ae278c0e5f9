// SPDX-License-Identifier: MIT
// Part of Zoetrope. ASCII FBX, 5.8 to 7.7: `Name: value, value, … { records }`. A list of values
// goes on over a line end when a comma stands before or after it. Long number lists are not parsed
// here, only delimited.
#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "io/fbx/ascii_lexer.h"
#include "io/fbx/ascii_number.h"
#include "io/fbx/document_builder.h"

namespace zoe::io::fbx {
namespace {

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";

// "; FBX 7.5.0 project file" among the leading comments gives 7500; 0 when there is none.
int version_of_comment(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != ';') return 0;
    const std::size_t word = line.find("FBX ");
    if (word != std::string_view::npos) {
      int version = 0;
      int scale = 1000;
      for (std::size_t i = word + 4;
           i < line.size() && scale > 0 && (is_digit(line[i]) || line[i] == '.'); ++i) {
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

class AsciiParser {
 public:
  AsciiParser(std::string_view text, DocumentBuilder& builder) : lexer_(text), builder_(builder) {}

  bool parse() {
    DocumentBuilder::Siblings top;
    return parse_records(top, 0);
  }

 private:
  bool fail(ErrorCode code, std::string message) {
    return fail_at(lexer_.line(), code, std::move(message));
  }
  bool fail_at(std::int64_t line, ErrorCode code, std::string message) {
    builder_.at(-1, line);
    return builder_.fail(code, std::move(message));
  }

  // Records up to a closing brace (left in place) or the text's end.
  bool parse_records(DocumentBuilder::Siblings& siblings, int depth) {
    if (depth > kMaxDepth)
      return fail(ErrorCode::kLimit, fmt::format("records are nested deeper than {}", kMaxDepth));
    for (;;) {
      lexer_.skip_lines();
      if (lexer_.done()) return true;
      if (lexer_.peek() == '}') {
        if (depth > 0) return true;
        return fail(ErrorCode::kSyntax, "a closing brace without an opening one");
      }
      if (!parse_record(siblings, depth)) return false;
    }
  }

  bool parse_record(DocumentBuilder::Siblings& siblings, int depth) {
    const std::int64_t byte_offset = lexer_.offset();
    const std::int64_t line = lexer_.line();
    const std::string_view name = lexer_.take_word();
    lexer_.skip_blanks();
    if (name.empty() || lexer_.peek() != ':')
      return fail(ErrorCode::kSyntax,
                  fmt::format("expected a record such as \"Name: value\", found {}", found()));
    lexer_.advance();
    if (!builder_.add_node(siblings, name, byte_offset, line)) return false;
    const std::uint32_t node = builder_.last_node();

    name_ = name;
    bool has_children = false;
    if (!parse_values(has_children)) return false;
    if (name == "Content" && !join_base64()) return false;
    builder_.commit();
    if (!has_children) return true;

    const std::int64_t open_line = lexer_.line();
    lexer_.advance();
    DocumentBuilder::Siblings children{node, 0};
    if (!parse_records(children, depth + 1)) return false;
    if (lexer_.done())
      return fail(
          ErrorCode::kSyntax,
          fmt::format("the file ends before the brace of record \"{}\" on line {} is closed", name,
                      open_line));
    lexer_.advance();
    return true;
  }

  // Values up to the end of the record's line, or to the opening brace of its children (left in
  // place).
  bool parse_values(bool& has_children) {
    bool expects_value = true;
    bool after_comma = false;
    const AsciiLexer::Mark start = lexer_.mark();
    bool tried_list = false;
    for (;;) {
      lexer_.skip_blanks();
      const char c = lexer_.peek();
      if (c == '\n' || lexer_.done()) {
        const AsciiLexer::Mark line_end = lexer_.mark();
        lexer_.skip_lines();
        if (lexer_.peek() == '{' || lexer_.peek() == ',' || (after_comma && may_go_on())) continue;
        lexer_.reset(line_end);
        return true;
      }
      if (c == ',') {
        lexer_.advance();
        expects_value = after_comma = true;
        continue;
      }
      if (c == '}') return true;
      if (c == '{') {
        has_children = true;
        return true;
      }
      if (!expects_value)
        return fail(ErrorCode::kSyntax,
                    fmt::format("expected a comma or the line's end, found {}", found()));
      if (!builder_.has_room() && !make_room()) return false;
      if (!parse_value()) return false;
      expects_value = after_comma = false;
      if (!tried_list && builder_.pending().size() > kMaxScalars) {
        // Unless a letter turns up later: then the list stays one property an element.
        tried_list = true;
        const AsciiLexer::Mark here = lexer_.mark();
        if (all_numbers()) {
          lexer_.reset(start);
          if (take_number_list()) return !builder_.failed();
          lexer_.reset(here);
        }
      }
    }
  }

  // Lists of letters and numbers get long in takes before 7000: room for all of it at once. Commas
  // up to the next record.
  bool make_room() {
    const char* at = lexer_.position();
    const auto* colon =
        static_cast<const char*>(std::memchr(at, ':', static_cast<std::size_t>(lexer_.end() - at)));
    builder_.at(-1, lexer_.line());
    return builder_.make_room(
        1 + static_cast<std::size_t>(std::count(at, colon != nullptr ? colon : lexer_.end(), ',')));
  }

  // After a comma and a line end: does a value follow, rather than the next record (`Content: ,` is
  // written so when there is no content)?
  bool may_go_on() {
    const char c = lexer_.peek();
    if (!is_letter(c)) return c != '}' && !lexer_.done();
    const AsciiLexer::Mark here = lexer_.mark();
    lexer_.take_word();
    lexer_.skip_blanks();
    const bool is_record = lexer_.peek() == ':';
    lexer_.reset(here);
    return !is_record;
  }

  bool parse_value() {
    const char c = lexer_.peek();
    if (c == '"') return parse_string();
    if (c == '*') return parse_array();
    Property& value = builder_.push();
    if (is_digit(c) || c == '-' || c == '+' || c == '.') {
      AsciiNumber number;
      const char* after = parse_number(lexer_.position(), lexer_.end(), number);
      if (after == nullptr)
        return fail(ErrorCode::kSyntax, fmt::format("malformed number {}", found()));
      lexer_.jump(after);
      if (number.is_integer) {
        value.integer = number.integer;
      } else {
        value.type = PropertyType::kReal;
        value.real = number.real;
      }
      return true;
    }
    const std::string_view word = lexer_.take_word();
    if (word.empty())
      return fail(ErrorCode::kSyntax, fmt::format("expected a value, found {}", found()));
    value.text = word;
    if (word.size() == 1) {
      value.integer = static_cast<unsigned char>(word[0]);
    } else {
      AsciiNumber number;  // "nan", "inf".
      if (parse_number(word.data(), word.data() + word.size(), number) != nullptr) {
        value.type = PropertyType::kReal;
        value.real = number.real;
      } else {
        value.type = PropertyType::kString;
      }
    }
    return true;
  }

  bool parse_string() {
    const std::int64_t line = lexer_.line();
    std::string_view contents;
    if (!lexer_.take_string(contents))
      return fail_at(line, ErrorCode::kSyntax,
                     "a string is never closed; the file is cut short or damaged");
    if (contents.find('&') != std::string_view::npos) {
      builder_.at(-1, line);
      contents = builder_.own(unescape(contents));
      if (builder_.failed()) return false;
    }
    builder_.push_text(PropertyType::kString, contents);
    return true;
  }

  // `*N { a: 1,2,3 }`; the numbers stay text.
  bool parse_array() {
    const std::int64_t line = lexer_.line();
    lexer_.advance();
    AsciiNumber count;
    const char* after = parse_number(lexer_.position(), lexer_.end(), count);
    if (after == nullptr || !count.is_integer || count.integer < 0)
      return fail(ErrorCode::kSyntax, "an array's element count should follow the '*'");
    lexer_.jump(after);
    lexer_.skip_lines();
    if (lexer_.peek() != '{')
      return fail(ErrorCode::kSyntax,
                  fmt::format("expected '{{' after the array's count, found {}", found()));
    lexer_.advance();
    lexer_.skip_lines();
    if (lexer_.peek() == 'a') {
      lexer_.advance();
      lexer_.skip_blanks();
      if (lexer_.peek() != ':')
        return fail(ErrorCode::kSyntax, "expected \"a:\" before the array's elements");
      lexer_.advance();
    }
    const char* start = lexer_.position();
    const char* close = find_close(start);
    if (close == nullptr)
      return fail_at(line, ErrorCode::kSyntax,
                     "an array is never closed; the file is cut short or damaged");
    if (!add_array(start, close, static_cast<std::uint64_t>(count.integer))) return false;
    lexer_.jump(close + 1);
    return true;
  }

  // The next '}' outside comments.
  const char* find_close(const char* at) const {
    const char* end = lexer_.end();
    for (;;) {
      const auto* close =
          static_cast<const char*>(std::memchr(at, '}', static_cast<std::size_t>(end - at)));
      if (close == nullptr) return nullptr;
      const auto* comment =
          static_cast<const char*>(std::memchr(at, ';', static_cast<std::size_t>(close - at)));
      if (comment == nullptr) return close;
      const auto* line_end = static_cast<const char*>(
          std::memchr(comment, '\n', static_cast<std::size_t>(end - comment)));
      if (line_end == nullptr) return nullptr;
      at = line_end;
    }
  }

  bool add_array(const char* start, const char* end, std::uint64_t count) {
    builder_.at(-1, lexer_.line());
    const auto num_chars = static_cast<std::uint64_t>(end - start);
    if (count > num_chars / 2 + 1)  // A digit and a comma an element.
      return builder_.fail(
          ErrorCode::kInvalid,
          fmt::format("an array declares {} elements but has {} characters", count, num_chars));
    if (!builder_.book_array(count, 8, num_chars, ArrayEncoding::kText)) return false;
    // No early exit, so that the compiler can use vector instructions.
    bool real = false;
    for (const char* at = start; at != end; ++at) real |= (*at == '.') | ((*at | 0x20) >= 'a');
    const bool bits = !real && name_ == "KeyAttrDataFloat";
    builder_.push_array(real   ? 'd'
                        : bits ? 'f'
                               : 'l',
                        bits ? ArrayEncoding::kTextBits : ArrayEncoding::kText, count,
                        {start, num_chars});
    return true;
  }

  bool all_numbers() const {
    return std::ranges::all_of(builder_.pending(), [](const Property& value) {
      return value.type == PropertyType::kReal ||
             (value.type == PropertyType::kInteger && value.text.empty());
    });
  }

  // From the first value of a record on: one text array for the whole list. False, with nothing
  // taken, when something else than numbers is in it. True also after an error.
  bool take_number_list() {
    const char* start = lexer_.position();
    const char* last = start;  // After the last number.
    std::uint64_t count = 0;
    for (;;) {
      lexer_.skip_lines();
      const char* after = skip_number(lexer_.position(), lexer_.end());
      if (after == nullptr) return false;
      ++count;
      lexer_.jump(after);
      last = after;
      lexer_.skip_blanks();
      if (lexer_.peek() == '\n') {
        const AsciiLexer::Mark line_end = lexer_.mark();
        lexer_.skip_lines();
        if (lexer_.peek() != ',') {
          lexer_.reset(line_end);
          break;
        }
      }
      if (lexer_.peek() != ',') break;
      lexer_.advance();
    }
    if (lexer_.peek() != '\n' && lexer_.peek() != '}' && !lexer_.done()) return false;
    builder_.drop_pending();
    add_array(start, last, count);
    return true;
  }

  static const char* skip_number(const char* at, const char* end) {
    const char* start = at;
    while (at != end &&
           (is_digit(*at) || *at == '.' || *at == '-' || *at == '+' || *at == 'e' || *at == 'E'))
      ++at;
    if (at != start && (at == end || !is_number_part(*at))) return at;
    AsciiNumber number;  // Rare spellings: nan, 1.#IND.
    return parse_number(start, end, number);
  }

  // The SDK cuts base64 into several strings.
  bool join_base64() {
    const std::span<const Property> parts = builder_.pending();
    if (parts.empty() || std::ranges::any_of(parts, [](const Property& v) {
          return v.type != PropertyType::kString;
        }))
      return true;
    std::string bytes;
    for (const Property& part : parts) append_base64(part.text, bytes);
    builder_.drop_pending();
    builder_.push_text(PropertyType::kRaw, builder_.own(std::move(bytes)));
    return !builder_.failed();
  }

  // What stands at the cursor, for messages.
  std::string found() const {
    if (lexer_.done()) return "the end of the file";
    const std::string_view rest(lexer_.position(),
                                static_cast<std::size_t>(lexer_.end() - lexer_.position()));
    std::string shown;
    for (const char c : rest.substr(0, std::min<std::size_t>(rest.find('\n'), 24)))
      shown += c >= ' ' && c < 0x7f ? c : '?';
    return '"' + shown + '"';
  }

  AsciiLexer lexer_;
  DocumentBuilder& builder_;
  std::string_view name_;  // Of the record whose values are being read.
};

}  // namespace

Result<Document> parse_ascii(std::span<const std::byte> source, const ReadLimits& limits,
                             Warnings* warnings) {
  std::string_view text = as_text(source);
  if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
  const int stated = version_of_comment(text);
  const auto refuse = [](std::int64_t version, std::int64_t line) {
    Error error = unsupported_version(version);
    error.where.line = line;
    return error;
  };
  if (stated > kMaxVersion)
    return refuse(stated, 1);  // The grammar itself may differ: say so before a syntax error.

  DocumentBuilder builder(source, limits, warnings);
  if (!AsciiParser(text, builder).parse()) return builder.error();

  const Document& document = builder.document();
  const Node* header = document.child(document.root(), "FBXHeaderExtension");
  std::int64_t version =
      header != nullptr ? document.integer_of(*header, "FBXVersion", stated) : stated;
  if (version == 0)
    return Error{ErrorCode::kSyntax, "not an FBX file: it states no FBX version", Where{.line = 1}};
  if (version < kMinVersion || version > kMaxVersion)
    return refuse(version, header != nullptr ? header->line : 1);
  return builder.finish(static_cast<int>(version), false, false);
}

}  // namespace zoe::io::fbx
