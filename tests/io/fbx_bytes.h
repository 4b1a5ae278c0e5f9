// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Builds binary FBX files record by record, right or deliberately wrong.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/file.h"

namespace zoe::test {

class FbxBytes {
 public:
  explicit FbxBytes(std::uint32_t version = 7400, bool big_endian = false)
      : big_endian_(big_endian), wide_(version >= 7500) {
    bytes_ = std::string("Kaydara FBX Binary  \0\x1a", 22);
    bytes_ += big_endian ? '\1' : '\0';
    put(version);
  }

  template <typename T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_endian_ != (std::endian::native == std::endian::big)) std::reverse(std::begin(raw), std::end(raw));
    bytes_.append(raw, sizeof(T));
  }
  void put_text(std::string_view text) { bytes_ += text; }

  void begin(std::string_view name) {
    open_.push_back({bytes_.size(), 0, 0});
    for (int i = 0; i < 3; ++i) put_word(0);
    bytes_ += static_cast<char>(name.size());
    bytes_ += name;
    open_.back().properties = bytes_.size();
  }
  template <typename T>
  void property(char type, T value) {
    bytes_ += type;
    put(value);
    ++open_.back().num_properties;
  }
  void text(char type, std::string_view value) {
    property(type, static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  // `payload` is written as it is; count and length are what the header claims.
  void array(char type, std::uint32_t count, std::uint32_t encoding, std::string_view payload,
             std::uint32_t claimed_size) {
    property(type, count);
    put(encoding);
    put(claimed_size);
    bytes_ += payload;
  }
  template <typename T>
  void raw_array(char type, const std::vector<T>& values) {
    property(type, static_cast<std::uint32_t>(values.size()));
    put(std::uint32_t{0});
    put(static_cast<std::uint32_t>(values.size() * sizeof(T)));
    for (const T value : values) put(value);
  }
  void end_properties() { open_.back().property_bytes = bytes_.size() - open_.back().properties; }
  void null_record() { bytes_.append(wide_ ? 25 : 13, '\0'); }
  // Call end_properties() first when children follow the properties.
  void end() {
    Open& open = open_.back();
    if (open.property_bytes == 0) end_properties();
    const std::string tail = std::exchange(bytes_, bytes_.substr(0, open.start));
    put_word(tail.size());
    put_word(open.num_properties);
    put_word(open.property_bytes);
    bytes_ += tail.substr(bytes_.size());
    open_.pop_back();
  }

  std::string& raw() { return bytes_; }
  std::span<const std::byte> bytes() const { return as_bytes(bytes_); }
  std::size_t size() const { return bytes_.size(); }

 private:
  struct Open {
    std::size_t start = 0;
    std::size_t properties = 0;
    std::size_t num_properties = 0;
    std::size_t property_bytes = 0;
  };
  void put_word(std::uint64_t value) { wide_ ? put(value) : put(static_cast<std::uint32_t>(value)); }

  std::string bytes_;
  std::vector<Open> open_;
  bool big_endian_;
  bool wide_;
};

}  // namespace zoe::test
