// SPDX-License-Identifier: MIT
#include "eval/clip_names.h"

#include <cctype>

namespace zoe::eval {

std::string words_without_numbers(std::string_view name) {
  if (const std::size_t bar = name.rfind('|'); bar != std::string_view::npos) name.remove_prefix(bar + 1);
  std::string out, word;
  bool has_digit = false;
  const auto flush = [&] {
    if (!word.empty() && !has_digit) out += (out.empty() ? "" : "_") + word;
    word.clear();
    has_digit = false;
  };
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) {
      has_digit = has_digit || std::isdigit(byte) != 0;
      word += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    } else {
      flush();
    }
  }
  flush();
  return out;
}

std::string folder_of(std::string_view source) {
  const std::size_t end = source.rfind('/');
  if (end == std::string_view::npos) return {};
  const std::string_view folders = source.substr(0, end);
  const std::size_t before = folders.rfind('/');
  return std::string(before == std::string_view::npos ? folders : folders.substr(before + 1));
}

std::string stem_of(std::string_view source) {
  if (const std::size_t slash = source.rfind('/'); slash != std::string_view::npos) source.remove_prefix(slash + 1);
  return std::string(source.substr(0, source.rfind('.')));
}

}  // namespace zoe::eval
