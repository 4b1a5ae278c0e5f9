// SPDX-License-Identifier: MIT
// Part of Zoetrope. The three encodings of protobuf fields, all that an ONNX model needs.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace zoe::nn::onnx {

// A message under construction: fields are appended by number.
class Message {
 public:
  Message& integer(int field, std::int64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& real(int field, float value) {
    varint((static_cast<std::uint64_t>(field) << 3) | 5);
    char bytes[4];
    std::memcpy(bytes, &value, 4);  // Little-endian machines only, as everywhere in nn.
    bytes_.append(bytes, 4);
    return *this;
  }
  Message& text(int field, std::string_view value) {
    varint((static_cast<std::uint64_t>(field) << 3) | 2);
    varint(value.size());
    bytes_.append(value);
    return *this;
  }
  Message& message(int field, const Message& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  std::string bytes_;
};

}  // namespace zoe::nn::onnx
