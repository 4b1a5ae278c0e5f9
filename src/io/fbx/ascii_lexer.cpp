// SPDX-License-Identifier: MIT
#include "io/fbx/ascii_lexer.h"

#include <algorithm>
#include <cstring>

#include "io/fbx/ascii_number.h"

namespace zoe::io::fbx {
namespace {

constexpr bool is_word_part(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '|' || c == '.' || c == '(' ||
         c == ')' || c == '/' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<bool, 256> make_word_table() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c)
    table[static_cast<std::size_t>(c)] = is_word_part(static_cast<char>(c));
  return table;
}
constexpr std::array<bool, 256> kWordPart = make_word_table();

constexpr std::array<std::int8_t, 256> make_base64_table() {
  std::array<std::int8_t, 256> table{};
  for (auto& value : table) value = -1;
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return table;
}
constexpr std::array<std::int8_t, 256> kBase64 = make_base64_table();

}  // namespace

void AsciiLexer::jump(const char* to) {
  line_ += std::count(at_, to, '\n');
  at_ = to;
}

void AsciiLexer::skip_blanks() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  if (at_ != end_ && *at_ == ';') [[unlikely]] {
    const void* line_end = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    at_ = line_end != nullptr ? static_cast<const char*>(line_end) : end_;
  }
}

void AsciiLexer::skip_lines() {
  skip_blanks();
  while (at_ != end_ && *at_ == '\n') {
    ++at_;
    ++line_;
    skip_blanks();
  }
}

std::string_view AsciiLexer::take_word() {
  const char* start = at_;
  while (at_ != end_ && kWordPart[static_cast<unsigned char>(*at_)]) ++at_;
  return {start, static_cast<std::size_t>(at_ - start)};
}

bool AsciiLexer::take_string(std::string_view& contents) {
  const char* start = at_ + 1;
  const void* close = std::memchr(start, '"', static_cast<std::size_t>(end_ - start));
  if (close == nullptr) return false;
  contents = {start, static_cast<std::size_t>(static_cast<const char*>(close) - start)};
  jump(static_cast<const char*>(close) + 1);
  return true;
}

std::string unescape(std::string_view contents) {
  struct Entity {
    std::string_view code;
    char character;
  };
  constexpr Entity kEntities[] = {{"&quot;", '"'}, {"&lf;", '\n'}, {"&cr;", '\r'}};
  std::string result;
  result.reserve(contents.size());
  while (!contents.empty()) {
    const auto* entity =
        std::find_if(std::begin(kEntities), std::end(kEntities),
                     [&](const Entity& e) { return contents.starts_with(e.code); });
    if (entity != std::end(kEntities)) {
      result += entity->character;
      contents.remove_prefix(entity->code.size());
    } else {
      result += contents.front();
      contents.remove_prefix(1);
    }
  }
  return result;
}

void append_base64(std::string_view text, std::string& bytes) {
  bytes.reserve(bytes.size() + text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::int8_t value = kBase64[static_cast<unsigned char>(c)];
    if (value < 0) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    num_bits += 6;
    if (num_bits >= 8) {
      num_bits -= 8;
      bytes += static_cast<char>(bits >> num_bits & 0xff);
    }
  }
}

}  // namespace zoe::io::fbx
