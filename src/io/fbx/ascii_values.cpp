// SPDX-License-Identifier: MIT
#include "io/fbx/ascii_values.h"

#include <algorithm>
#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <fmt/format.h>

#include "io/fbx/ascii_number.h"

namespace zoe::io::fbx {
namespace {

// The character after a number, or nullptr. Does not compute the value.
const char* skip_number(const char* at, const char* end) {
  const char* start = at;
  while (at != end && (is_digit(*at) || *at == '.' || *at == '-' || *at == '+' || *at == 'e' || *at == 'E')) ++at;
  if (at != start && (at == end || !is_number_part(*at))) return at;
  AsciiNumber number;  // Rare spellings: nan, 1.#IND.
  return parse_number(start, end, number);
}

#ifdef __SSE2__
// Bit i: the byte i of a block is `c`.
unsigned matches(__m128i block, char c) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(c))));
}

// Bit i: the number of set bits from 0 to i is odd.
unsigned parity_up_to(unsigned bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  return bits & 0xFFFF;
}
#endif

}  // namespace

#ifdef __SSE2__
const char* end_of_plain_values(const char* at, const char* end) {
  const char* const start = at;
  unsigned inside = 0;  // All ones while a string is open.
  const char* stop = nullptr;
  for (; stop == nullptr; at += 16) {
    if (at - start >= kLongStretch || end - at < 16) return nullptr;
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const unsigned strings = parity_up_to(matches(block, '"')) ^ inside;
    const unsigned stops =
        (matches(block, '\n') | matches(block, '{') | matches(block, '}') | matches(block, ';') | matches(block, '*')) &
        ~strings;
    if (stops != 0) stop = at + std::countr_zero(stops);
    inside = (strings & 0x8000) != 0 ? 0xFFFF : 0;
  }
  if (*stop == '{' || *stop == '}') return stop;
  if (*stop != '\n') return nullptr;
  // A comma before or after the line's end, or a brace after it, belongs to the values. No value on
  // this line: they may stand on the next.
  const char* last = stop;
  while (last != start && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) --last;
  if (last == start || last[-1] == ',') return nullptr;
  AsciiLexer next(stop, end);
  next.skip_lines();
  return next.peek() == '{' || next.peek() == ',' ? nullptr : stop;
}
#else
const char* end_of_plain_values(const char*, const char*) { return nullptr; }
#endif

std::string AsciiValues::found(const AsciiLexer& lexer) {
  if (lexer.done()) return "the end of the file";
  const std::string_view rest(lexer.position(), static_cast<std::size_t>(lexer.end() - lexer.position()));
  std::string shown;
  for (const char c : rest.substr(0, std::min<std::size_t>(rest.find('\n'), 24)))
    shown += c >= ' ' && c < 0x7f ? c : '?';
  return '"' + shown + '"';
}

bool AsciiValues::fail(const char* place, ErrorCode code, std::string message) {
  place_ = place;
  code_ = code;
  message_ = std::move(message);
  return false;
}

// True if a value follows after a colon or a comma and a line end, rather than the next record (`Content: ,` and
// `CameraIndexName:` are written where there is no value).
bool AsciiValues::may_go_on() {
  if (lexer_.peek() == '}' || lexer_.done()) return false;
  const char* here = lexer_.position();
  lexer_.take_word();
  lexer_.skip_blanks();
  const bool is_record = lexer_.peek() == ':';
  lexer_.jump(here);
  return !is_record;
}

bool AsciiValues::parse_value(Property& value) {
  const char* start = lexer_.position();
  const char c = lexer_.peek();
  if (c == '"') {
    value.type = PropertyType::kString;
    return lexer_.take_string(value.text) ||
           fail(start, ErrorCode::kSyntax, "a string is never closed; the file is cut short or damaged");
  }
  if (c == '*') return parse_array(value);
  if (!is_digit(c) && c != '-' && c != '+' && c != '.') return parse_word(value);
  AsciiNumber number;
  const char* after = parse_number(start, lexer_.end(), number);
  if (after == nullptr) return fail(start, ErrorCode::kSyntax, fmt::format("malformed number {}", found(lexer_)));
  lexer_.jump(after);
  if (number.is_integer) {
    value.integer = number.integer;
  } else {
    value.type = PropertyType::kReal;
    value.real = number.real;
  }
  return true;
}

bool AsciiValues::parse_word(Property& value) {
  const std::string_view word = lexer_.take_word();
  if (word.empty())
    return fail(lexer_.position(), ErrorCode::kSyntax, fmt::format("expected a value, found {}", found(lexer_)));
  value.text = word;
  if (word.size() == 1) {
    value.integer = static_cast<unsigned char>(word[0]);
    return true;
  }
  AsciiNumber number;  // "nan", "inf".
  if (parse_number(word.data(), word.data() + word.size(), number) != nullptr) {
    value.type = PropertyType::kReal;
    value.real = number.real;
  } else {
    value.type = PropertyType::kString;
  }
  return true;
}

// `*N { a: 1,2,3 }`; the numbers stay text.
bool AsciiValues::parse_array(Property& value) {
  const char* star = lexer_.position();
  lexer_.advance();
  AsciiNumber count;
  const char* after = parse_number(lexer_.position(), lexer_.end(), count);
  if (after == nullptr || !count.is_integer || count.integer < 0)
    return fail(lexer_.position(), ErrorCode::kSyntax, "an array's element count should follow the '*'");
  lexer_.jump(after);
  lexer_.skip_lines();
  if (lexer_.peek() != '{')
    return fail(lexer_.position(), ErrorCode::kSyntax,
                fmt::format("expected '{{' after the array's count, found {}", found(lexer_)));
  lexer_.advance();
  lexer_.skip_lines();
  if (lexer_.peek() == 'a') {
    lexer_.advance();
    lexer_.skip_blanks();
    if (lexer_.peek() != ':')
      return fail(lexer_.position(), ErrorCode::kSyntax, "expected \"a:\" before the array's elements");
    lexer_.advance();
  }
  const char* start = lexer_.position();
  const char* close = find_closing_brace(start, lexer_.end());
  if (close == nullptr)
    return fail(star, ErrorCode::kSyntax, "an array is never closed; the file is cut short or damaged");
  lexer_.jump(close + 1);
  return make_array(start, close, static_cast<std::uint64_t>(count.integer), value);
}

bool AsciiValues::make_array(const char* start, const char* end, std::uint64_t count, Property& array) {
  const auto num_chars = static_cast<std::uint64_t>(end - start);
  if (count > num_chars / 2 + 1)  // At least a digit and a comma per element.
    return fail(start, ErrorCode::kInvalid,
                fmt::format("an array declares {} elements but has {} characters", count, num_chars));
  // Blocks without an early exit, so that the compiler can use vector instructions.
  constexpr std::ptrdiff_t kBlock = 64;
  bool real = false;
  for (const char* at = start; at != end && !real;) {
    const char* stop = at + std::min(end - at, kBlock);
    for (; at != stop; ++at) real |= (*at == '.') | ((*at | 0x20) >= 'a');
  }
  const bool bits = !real && record_ == "KeyAttrDataFloat";
  array = Property();
  array.type = PropertyType::kArray;
  array.element = real ? 'd' : bits ? 'f' : 'l';
  array.encoding = bits ? ArrayEncoding::kTextBits : ArrayEncoding::kText;
  array.integer = static_cast<std::int64_t>(count);
  array.text = {start, num_chars};
  return true;
}

bool AsciiValues::take_number_list(Property& list) {
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
      const char* line_end = lexer_.position();
      lexer_.skip_lines();
      if (lexer_.peek() != ',') {
        lexer_.jump(line_end);
        break;
      }
    }
    if (lexer_.peek() != ',') break;
    lexer_.advance();
  }
  if (lexer_.peek() != '\n' && lexer_.peek() != '}' && !lexer_.done()) return false;
  return make_array(start, last, count, list);
}

bool AsciiValues::skip_value() {
  if (lexer_.peek() == '"') {
    std::string_view contents;
    return lexer_.take_string(contents);
  }
  const auto ends_value = [](char c) {
    return c == ',' || c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '{' || c == '}' || c == ';';
  };
  const char* start = lexer_.position();
  const char* at = start;
  while (at != lexer_.end() && !ends_value(*at)) ++at;
  lexer_.jump(at);
  // A value has at least one character: without this check the loop might not advance.
  if (at == start) return false;
  if (*start != '*') return true;
  lexer_.skip_lines();
  const char* close = lexer_.peek() == '{' ? find_closing_brace(lexer_.position() + 1, lexer_.end()) : nullptr;
  if (close == nullptr) return false;
  lexer_.jump(close + 1);
  return true;
}

}  // namespace zoe::io::fbx
