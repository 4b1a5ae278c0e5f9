// SPDX-License-Identifier: MIT
#include "zoe/store/json.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <fmt/format.h>

#include "zoe/core/utf8.h"

#include "store/decimal.h"

namespace zoe {
namespace {

constexpr bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Four hex digits, or -1.
int hex4(const char* at) {
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_value(at[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// Bytes that end the fast scan of a string: quote, backslash, control characters, bytes above ASCII.
constexpr std::array<bool, 256> make_stop_table() {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) table[c] = c < 0x20 || c == '"' || c == '\\' || c >= 0x80;
  return table;
}
constexpr std::array<bool, 256> kStops = make_stop_table();

// The first byte at or after `at` that kStops marks, or `end`.
const char* find_stop(const char* at, const char* end) {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // Compared as signed numbers, bytes above ASCII are below the blank too.
    const __m128i stops = _mm_or_si128(
        _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    if (const auto marks = static_cast<unsigned>(_mm_movemask_epi8(stops)); marks != 0)
      return at + std::countr_zero(marks);
  }
#endif
  while (at != end && !kStops[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

// The first byte at or after `at` that is no digit, or `end`.
const char* skip_digits(const char* at, const char* end) {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    if (const auto marks = static_cast<unsigned>(_mm_movemask_epi8(digits)); marks != 0xFFFF)
      return at + std::countr_one(marks);
  }
#endif
  while (at != end && is_digit(*at)) ++at;
  return at;
}

// The closing quote of a checked string whose contents start at `at`.
const char* closing_quote(const char* at) {
  while (*at != '"') at += *at == '\\' ? 2 : 1;
  return at;
}

// Contents of a checked string with its escapes resolved.
void unescape(std::string_view raw, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    switch (const char c = raw[++i]; c) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        auto code = static_cast<std::uint32_t>(hex4(&raw[i + 1]));
        i += 4;
        if (code >= 0xD800 && code < 0xDC00) {  // The other half follows, as checked before.
          code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<std::uint32_t>(hex4(&raw[i + 3])) - 0xDC00);
          i += 6;
        }
        append_utf8(out, code);
        break;
      }
      default:
        out += c;
    }
  }
}

}  // namespace

// Checks the text and writes the entries. Functions take a position in the text and return the position after the part
// they read, or null after recording the error and its position.
class TapeWriter {
 public:
  TapeWriter(std::string_view text, std::size_t max_depth, std::vector<std::uint32_t>& entries)
      : begin_(text.data()), end_(begin_ + text.size()), max_depth_(max_depth), entries_(entries) {
    open_.reserve(max_depth);
  }

  bool run() {
    const char* at = skip_blanks(begin_);
    do {
      at = value(at);
      if (at != nullptr) at = next(at);
    } while (at != nullptr && !open_.empty());
    if (at == nullptr) return false;
    return at == end_ || fail(at, "there is text after the end of the JSON") != nullptr;
  }

  bool too_deep() const { return too_deep_; }
  const char* what() const { return what_; }
  std::size_t offset() const { return static_cast<std::size_t>(place_ - begin_); }

 private:
  const char* fail(const char* place, const char* what) {
    place_ = place;
    what_ = what;
    return nullptr;
  }

  const char* skip_blanks(const char* at) const {
    if (at != end_ && static_cast<unsigned char>(*at) > ' ') [[likely]]
      return at;
    while (at != end_ && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
    return at;
  }

  std::uint32_t offset_of(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }

  // A scalar, or the opening of a list or object.
  const char* value(const char* at) {
    if (at == end_) return fail(at, "the text ends where a value should be");
    const bool opens = *at == '{' || *at == '[';
    entries_.push_back(offset_of(at) << 1 | static_cast<std::uint32_t>(opens));
    switch (*at) {
      case '{':
      case '[':
        if (open_.size() == max_depth_) {
          too_deep_ = true;
          return fail(at, "values are nested too deep");
        }
        open_.push_back(static_cast<std::uint32_t>(entries_.size() - 1));
        entries_.push_back(0);  // The end, filled in later.
        fresh_ = true;
        object_ = *at == '{';
        return at + 1;
      case '"':
        return string(at);
      case 't':
        return word(at, "true");
      case 'f':
        return word(at, "false");
      case 'n':
        return word(at, "null");
      default:
        return number(at);
    }
  }

  // From the end of a value to the next one, or to the text after the last.
  const char* next(const char* at) {
    for (;;) {
      at = skip_blanks(at);
      if (open_.empty()) return at;
      if (at == end_) return fail(at, "the text ends inside a list or object");
      if (*at != (object_ ? '}' : ']')) break;
      entries_[open_.back() + 1] = static_cast<std::uint32_t>(entries_.size());
      open_.pop_back();
      object_ = !open_.empty() && begin_[entries_[open_.back()] >> 1] == '{';
      fresh_ = false;
      ++at;
    }
    if (!fresh_) {
      if (*at != ',') return fail(at, "a comma or the end of the list or object is missing");
      at = skip_blanks(at + 1);
    }
    fresh_ = false;
    return object_ ? name(at) : at;
  }

  // A member's name with its colon.
  const char* name(const char* at) {
    if (at == end_ || *at != '"') return fail(at, "a member's name is missing");
    const std::uint32_t start = offset_of(at) + 1;
    escaped_ = 0;
    at = string(at);
    if (at == nullptr) return nullptr;
    entries_.push_back(start);
    entries_.push_back((offset_of(at) - 1 - start) | escaped_);
    at = skip_blanks(at);
    if (at == end_ || *at != ':') return fail(at, "a colon is missing");
    return skip_blanks(at + 1);
  }

  const char* word(const char* at, std::string_view expected) {
    if (!std::string_view(at, static_cast<std::size_t>(end_ - at)).starts_with(expected))
      return fail(at, "not a value");
    return at + expected.size();
  }

  const char* digits(const char* at) {
    const char* behind = skip_digits(at, end_);
    return behind != at ? behind : fail(at, "not a value");
  }

  const char* number(const char* at) {
    if (*at == '-') ++at;
    const char* start = at;
    at = digits(at);
    if (at == nullptr) return nullptr;
    if (*start == '0' && at - start > 1) return fail(at, "a number has a leading zero");
    if (at != end_ && *at == '.') {
      at = digits(at + 1);
      if (at == nullptr) return nullptr;
    }
    if (at != end_ && (*at | 0x20) == 'e') {
      ++at;
      if (at != end_ && (*at == '+' || *at == '-')) ++at;
      at = digits(at);
    }
    return at;
  }

  const char* string(const char* at) {
    ++at;
    for (;;) {
      at = find_stop(at, end_);
      if (at == end_) return fail(at, "a string is never closed");
      if (*at == '"') return at + 1;
      if (*at == '\\') {
        at = escape(at);
        if (at == nullptr) return nullptr;
        escaped_ = JsonTape::kEscaped;
      } else if (static_cast<unsigned char>(*at) < 0x20) {
        return fail(at, "a control character is in a string");
      } else {
        const std::size_t length = utf8_length({at, static_cast<std::size_t>(end_ - at)});
        if (length == 0) return fail(at, "a string is not UTF-8");
        at += length;
      }
    }
  }

  const char* escape(const char* at) {
    const auto left = static_cast<std::size_t>(end_ - at);
    if (left < 2) return fail(at, "a string is never closed");
    if (at[1] != 'u') {
      if (at[1] == '\0' || std::strchr("\"\\/bfnrt", at[1]) == nullptr)
        return fail(at, "an escape that does not exist");
      return at + 2;
    }
    const int code = left >= 6 ? hex4(at + 2) : -1;
    if (code < 0 || (code >= 0xDC00 && code < 0xE000)) return fail(at, "a malformed \\u escape");
    if (code < 0xD800 || code >= 0xDC00) return at + 6;
    const int low = left >= 12 && at[6] == '\\' && at[7] == 'u' ? hex4(at + 8) : -1;
    if (low < 0xDC00 || low >= 0xE000) return fail(at, "half of a surrogate pair");
    return at + 12;
  }

  const char* begin_;
  const char* end_;
  std::size_t max_depth_;
  bool too_deep_ = false;
  std::vector<std::uint32_t>& entries_;
  std::vector<std::uint32_t> open_;  // Entries of the enclosing lists and objects.
  bool object_ = false;              // The innermost one is an object.
  bool fresh_ = false;               // It has no member yet.
  std::uint32_t escaped_ = 0;        // kEscaped once the last string has an escape.
  const char* what_ = "";
  const char* place_ = begin_;
};

Result<JsonTape> JsonTape::parse(std::string_view text, std::size_t max_depth) {
  if (text.size() > INT32_MAX) return Error{ErrorCode::kLimit, "the JSON is larger than 2 GiB", {}};
  JsonTape tape;
  tape.text_ = text;
  tape.entries_.reserve(16 + text.size() / 5);  // The density of the densest real files.
  TapeWriter writer(text, max_depth, tape.entries_);
  if (!writer.run()) {
    return Error{writer.too_deep() ? ErrorCode::kLimit : ErrorCode::kSyntax,
                 fmt::format("not valid JSON: {}", writer.what()),
                 {.byte_offset = static_cast<std::int64_t>(writer.offset())}};
  }
  return tape;
}

JsonValue JsonTape::root() const { return {this, 0}; }

std::size_t JsonValue::room(std::size_t fields) const {
  std::size_t count = 0;
  each_element([&](JsonValue) {
    ++count;
    return true;
  });
  // An object has two entries, a member three.
  return std::min(count, static_cast<std::size_t>(end() - at_) / (2 + 3 * fields));
}

std::optional<bool> JsonValue::boolean() const {
  if (kind() != 't' && kind() != 'f') return std::nullopt;
  return kind() == 't';
}

std::optional<double> JsonValue::number() const {
  if (!is_number()) return std::nullopt;
  const char* end = tape_->text_.data() + tape_->text_.size();
  return decimal_to_double({text(), static_cast<std::size_t>(end - text())});
}

std::optional<std::int64_t> JsonValue::integer() const {
  if (!is_number()) return std::nullopt;
  std::int64_t value = 0;
  const char* end = tape_->text_.data() + tape_->text_.size();
  const auto read = std::from_chars(text(), end, value);
  const bool goes_on = read.ptr != end && (*read.ptr == '.' || (*read.ptr | 0x20) == 'e');
  if (read.ec != std::errc() || goes_on) return std::nullopt;
  return value;
}

std::optional<std::string_view> JsonValue::string(std::string& storage) const {
  if (kind() != '"') return std::nullopt;
  const char* start = text() + 1;
  const std::string_view raw(start, static_cast<std::size_t>(closing_quote(start) - start));
  if (raw.find('\\') == std::string_view::npos) return raw;
  unescape(raw, storage);
  return std::string_view(storage);
}

std::string_view JsonValue::name_at(std::uint32_t index, std::string& storage) const {
  const std::uint32_t length = tape_->entries_[index + 1];
  const std::string_view raw(tape_->text_.data() + tape_->entries_[index], length & ~JsonTape::kEscaped);
  if ((length & JsonTape::kEscaped) == 0) return raw;
  unescape(raw, storage);
  return storage;
}

bool JsonValue::escaped_name_is(std::uint32_t index, std::string_view key) const {
  std::string storage;
  return name_at(index, storage) == key;
}

}  // namespace zoe
