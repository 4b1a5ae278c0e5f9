// SPDX-License-Identifier: MIT
// Part of Zoetrope. JSON text with an index of its values: 4 to 8 bytes per value and 8 per member name, so that a
// file's JSON costs about its own size while it is read. Numbers and strings are decoded on request.
//
//   ZOE_TRY_ASSIGN(const JsonTape tape, JsonTape::parse(text, 8));
//   const std::optional<JsonValue> steps = tape.root().member("steps");
//
// Writers: zoe/core/json_text.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe {

class JsonValue;

class JsonTape {
 public:
  // Checks the whole text (RFC 8259, valid UTF-8). `text` must outlive the tape. kSyntax with the byte offset; kLimit
  // for values nested deeper than max_depth, and for 2 GiB and more.
  static Result<JsonTape> parse(std::string_view text, std::size_t max_depth);

  JsonValue root() const;

 private:
  friend class JsonValue;
  friend class TapeWriter;
  std::string_view text_;
  // In the file's order. A value: twice its offset in the text, plus one for a list or object, which is followed by the
  // index after its last member. A member: offset of its name (behind the quote), length of the name with kEscaped,
  // value. So finding a member hardly reads the text.
  static constexpr std::uint32_t kEscaped = 0x80000000;  // A backslash is in the name.
  std::vector<std::uint32_t> entries_;
};

// One value of a tape. Copying costs as much as for a pointer.
class JsonValue {
 public:
  JsonValue() = default;

  bool is_object() const { return kind() == '{'; }
  bool is_array() const { return kind() == '['; }
  bool is_number() const { return kind() == '-' || static_cast<unsigned char>(kind() - '0') < 10; }
  // nullopt for values of another type. A string's bytes are in the text if it has no escape; otherwise they are
  // decoded into `storage`.
  std::optional<bool> boolean() const;
  // Infinity for numbers beyond a double.
  std::optional<double> number() const;
  // Written without point and exponent, and within 64 bits.
  std::optional<std::int64_t> integer() const;
  // Written without point and exponent, >= 0. Inline: a third of all values are indices and sizes.
  std::optional<std::uint64_t> whole_number() const {
    const char* start = text();
    const char* end = tape_->text_.data() + tape_->text_.size();
    const char* at = start;
    std::uint64_t value = 0;
    for (unsigned digit = 0; at != end && (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at)
      value = value * 10 + digit;
    const bool goes_on = at != end && (*at == '.' || (*at | 0x20) == 'e');
    if (at == start || at - start > 19 || goes_on) return std::nullopt;  // 19 digits always fit.
    return value;
  }
  std::optional<std::string_view> string(std::string& storage) const;

  // The value of the first member of that name. Inline, because the length of a literal key is then a constant and the
  // comparison takes two or three instructions. Reading a file is mostly this loop.
  [[gnu::always_inline]] std::optional<JsonValue> member(std::string_view key) const {
    if (!is_object()) return std::nullopt;
    const std::uint32_t* entries = tape_->entries_.data();
    const char* text = tape_->text_.data();
    for (std::uint32_t i = at_ + 2, last = entries[at_ + 1]; i < last;
         i = (entries[i + 2] & 1) != 0 ? entries[i + 3] : i + 3) {
      if (entries[i + 1] == key.size() && std::memcmp(text + entries[i], key.data(), key.size()) == 0)
        return JsonValue(tape_, i + 2);
      if ((entries[i + 1] & JsonTape::kEscaped) != 0 && escaped_name_is(i, key)) [[unlikely]]
        return JsonValue(tape_, i + 2);
    }
    return std::nullopt;
  }

  // Number of objects with at least `fields` members in a list; fewer when some have less, so that "{},{},{}" does not
  // reserve much memory.
  std::size_t room(std::size_t fields) const;

  // visit(JsonValue) for each element, visit(name, JsonValue) for each member, until one returns
  // false. Names with escapes are decoded into `storage`.
  template <typename Visit>
  void each_element(const Visit& visit) const {
    for (std::uint32_t i = at_ + 2; i < end(); i = after(i)) {
      if (!visit(JsonValue(tape_, i))) return;
    }
  }
  template <typename Visit>
  void each_member(std::string& storage, const Visit& visit) const {
    for (std::uint32_t i = at_ + 2; i < end(); i = after(i + 2)) {
      if (!visit(name_at(i, storage), JsonValue(tape_, i + 2))) return;
    }
  }

 private:
  friend class JsonTape;
  JsonValue(const JsonTape* tape, std::uint32_t at) : tape_(tape), at_(at) {}

  const char* text() const { return tape_->text_.data() + (tape_->entries_[at_] >> 1); }
  char kind() const { return *text(); }
  std::uint32_t end() const { return tape_->entries_[at_ + 1]; }  // Lists and objects only.
  std::uint32_t after(std::uint32_t index) const {
    return (tape_->entries_[index] & 1) != 0 ? tape_->entries_[index + 1] : index + 1;
  }
  std::string_view name_at(std::uint32_t index, std::string& storage) const;
  bool escaped_name_is(std::uint32_t index, std::string_view key) const;

  const JsonTape* tape_ = nullptr;
  std::uint32_t at_ = 0;
};

}  // namespace zoe
