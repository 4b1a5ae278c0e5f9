// SPDX-License-Identifier: MIT
#include "io/usd/cursor.h"

#include <algorithm>
#include <array>

namespace zoe::io::usd {
namespace {

constexpr std::size_t kMaxNesting = 64;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
         c == '.' || c == '[' || c == ']' || c == '!' || c == '-' || c == '+';
}

}  // namespace

void Cursor::skip() {
  while (at_ != end_) {
    if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n') {
      ++at_;
    } else if (*at_ == '#') {
      at_ = std::find(at_, end_, '\n');
    } else {
      return;
    }
  }
}

bool Cursor::accept(char c) {
  skip();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

std::string_view Cursor::word() {
  skip();
  const char* begin = at_;
  while (at_ != end_ && is_word(*at_)) ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

bool Cursor::string(std::string_view& contents) {
  skip();
  if (at_ == end_ || (*at_ != '"' && *at_ != '\'')) return false;
  const char quote = *at_;
  const std::string three(3, quote);
  const auto left = std::string_view(at_, static_cast<std::size_t>(end_ - at_));
  const std::size_t width = left.starts_with(three) ? 3 : 1;
  for (const char* p = at_ + width; p != end_; ++p) {
    if (*p == '\\') {
      if (++p == end_) return false;
    } else if (*p == quote &&
               (width == 1 || std::string_view(p, static_cast<std::size_t>(end_ - p)).starts_with(three))) {
      contents = {at_ + width, static_cast<std::size_t>(p - at_) - width};
      at_ = p + width;
      return true;
    } else if (*p == '\n' && width == 1) {
      return false;
    }
  }
  return false;
}

// A string, an asset or a path.
bool Cursor::skip_quoted() {
  if (*at_ == '"' || *at_ == '\'') {
    std::string_view ignored;
    return string(ignored);
  }
  const auto left = std::string_view(at_, static_cast<std::size_t>(end_ - at_));
  const std::string_view close = *at_ == '<' ? ">" : left.starts_with("@@@") ? "@@@" : "@";
  const std::size_t end = left.find(close, close.size());
  if (end == std::string_view::npos) return false;
  at_ += end + close.size();
  return true;
}

bool Cursor::value(std::string_view& text) {
  skip();
  const char* begin = at_;
  std::array<char, kMaxNesting> closers{};
  std::size_t depth = 0;
  do {
    if (depth > 0) skip();
    if (at_ == end_) return false;
    const char c = *at_;
    if (c == '"' || c == '\'' || c == '@' || c == '<') {
      if (!skip_quoted()) return false;
    } else if (c == '[' || c == '(' || c == '{') {
      if (depth == kMaxNesting) return false;
      closers[depth++] = c == '[' ? ']' : c == '(' ? ')' : '}';
      ++at_;
    } else if (c == ']' || c == ')' || c == '}') {
      if (depth == 0 || closers[depth - 1] != c) return false;
      --depth;
      ++at_;
    } else if (depth == 0) {
      while (at_ != end_ && is_word(*at_) && *at_ != ']' && *at_ != '[') ++at_;
      if (at_ == begin) return false;
    } else {
      ++at_;
    }
  } while (depth > 0);
  text = {begin, static_cast<std::size_t>(at_ - begin)};
  return true;
}

std::int64_t line_at(std::string_view text, const char* position) {
  return 1 + std::count(text.data(), std::clamp(position, text.data(), text.data() + text.size()), '\n');
}

std::string unescaped(std::string_view contents) {
  std::string out;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i] != '\\' || i + 1 == contents.size()) {
      out += contents[i];
      continue;
    }
    const char c = contents[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return out;
}

}  // namespace zoe::io::usd
