// SPDX-License-Identifier: MIT
#include "io/fbx/ascii_lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "io/fbx/ascii_number.h"

namespace zoe::io::fbx {
namespace {

constexpr bool is_word_part(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '|' || c == '.' || c == '(' || c == ')' ||
         c == '/' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<bool, 256> make_word_table() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) table[static_cast<std::size_t>(c)] = is_word_part(static_cast<char>(c));
  return table;
}
constexpr std::array<bool, 256> kWordPart = make_word_table();

constexpr std::array<std::int8_t, 256> make_base64_table() {
  std::array<std::int8_t, 256> table{};
  for (auto& value : table) value = -1;
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return table;
}
constexpr std::array<std::int8_t, 256> kBase64 = make_base64_table();

constexpr std::array<bool, 256> make_block_table() {
  std::array<bool, 256> table{};
  for (const char c : {'{', '}', '"', ';'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kBlockParts = make_block_table();

}  // namespace

void AsciiLexer::skip_comment() {
  const void* line_end = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
  at_ = line_end != nullptr ? static_cast<const char*>(line_end) : end_;
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

std::int64_t line_of(std::string_view text, const char* place) { return 1 + std::count(text.data(), place, '\n'); }

const char* find_block_end(const char* at, const char* end) {
  const auto behind = [&](const char* from, char c) {
    const void* found = std::memchr(from, c, static_cast<std::size_t>(end - from));
    return found != nullptr ? static_cast<const char*>(found) + 1 : end;
  };
  int depth = 0;
  while (at != end) {
    while (at != end && !kBlockParts[static_cast<unsigned char>(*at)]) ++at;
    if (at == end) break;
    const char c = *at;
    if (c == '}' && depth-- == 0) return at;
    if (c == '{') ++depth;
    at = c == '"' ? behind(at + 1, '"') : c == ';' ? behind(at, '\n') : at + 1;
  }
  return end;
}

const char* find_closing_brace(const char* at, const char* end) {
  for (;;) {
    const auto* close = static_cast<const char*>(std::memchr(at, '}', static_cast<std::size_t>(end - at)));
    if (close == nullptr) return nullptr;
    const auto* comment = static_cast<const char*>(std::memchr(at, ';', static_cast<std::size_t>(close - at)));
    if (comment == nullptr) return close;
    const auto* line_end =
        static_cast<const char*>(std::memchr(comment, '\n', static_cast<std::size_t>(end - comment)));
    if (line_end == nullptr) return nullptr;
    at = line_end;
  }
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
    const auto* entity = std::find_if(std::begin(kEntities), std::end(kEntities),
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

void append_base64(std::string_view text, std::vector<std::byte>& bytes) {
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
      bytes.push_back(static_cast<std::byte>(bits >> num_bits & 0xff));
    }
  }
}

}  // namespace zoe::io::fbx
