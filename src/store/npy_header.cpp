// SPDX-License-Identifier: MIT
#include "store/npy_header.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace zoe {
namespace {

// NumPy itself allows 32 axes (64 since 2.0).
constexpr std::size_t kMaxAxes = 64;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<NpyDict> parse() {
    NpyDict dict;
    bool seen_descr = false, seen_order = false, seen_shape = false;
    if (!take('{')) return fail("'{'");
    while (!take('}')) {
      ZOE_TRY_ASSIGN(const std::string key, parse_string());
      if (!take(':')) return fail("':'");
      bool* seen = key == "descr"           ? &seen_descr
                   : key == "fortran_order" ? &seen_order
                   : key == "shape"         ? &seen_shape
                                            : nullptr;
      if (seen == nullptr || *seen) return fail("one each of the keys descr, fortran_order and shape");
      *seen = true;
      if (key == "descr") {
        if (peek() == '[') {
          return Error{ErrorCode::kUnsupported, "structured arrays are not read: save one array for each field",
                       here()};
        }
        ZOE_TRY_ASSIGN(dict.descr, parse_string());
      } else if (key == "fortran_order") {
        ZOE_TRY_ASSIGN(dict.fortran_order, parse_bool());
      } else {
        ZOE_TRY_ASSIGN(dict.shape, parse_shape());
      }
      if (!take(',') && peek() != '}') return fail("',' or '}'");
    }
    skip_space();
    if (at_ != text_.size()) return fail("the end of the header");
    if (!seen_descr || !seen_order || !seen_shape) return fail("descr, fortran_order and shape");
    return dict;
  }

 private:
  Where here() const { return {.byte_offset = static_cast<std::int64_t>(at_)}; }
  Error fail(const char* wanted) const {
    return {ErrorCode::kSyntax, fmt::format("broken npy header: expected {}", wanted), here()};
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  Result<std::string> parse_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return fail("a quoted word");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return fail("a closing quote");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  Result<bool> parse_bool() {
    skip_space();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    return fail("True or False");
  }

  Result<std::vector<std::size_t>> parse_shape() {
    std::vector<std::size_t> shape;
    if (!take('(')) return fail("'('");
    while (!take(')')) {
      skip_space();
      std::size_t length = 0;
      const char* end = text_.data() + text_.size();
      const auto [rest, error] = std::from_chars(text_.data() + at_, end, length);
      if (error != std::errc()) return fail("an axis length below 2^64");
      at_ = static_cast<std::size_t>(rest - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers with this suffix.
      if (shape.size() == kMaxAxes) return fail("at most 64 axes");
      shape.push_back(length);
      if (!take(',') && peek() != ')') return fail("',' or ')'");
    }
    return shape;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<NpyDict> parse_npy_dict(std::string_view text) { return Parser(text).parse(); }

}  // namespace zoe
