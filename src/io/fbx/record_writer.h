// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes binary FBX 7.4 record by record: names, typed properties, nested records, footer.
//
//   RecordWriter out;
//   out.begin("Objects");
//   out.record("Version", 100);
//   out.end();
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "zoe/core/bytes.h"
#include "zoe/core/result.h"

namespace zoe::io::fbx {

struct RawBytes {
  std::span<const std::byte> bytes;
};

class RecordWriter {
 public:
  static constexpr std::uint32_t kVersion = 7400;

  RecordWriter();

  void begin(std::string_view name);
  // `block`: the record ends like one with nested records, which animation stacks and layers need.
  void end(bool block = false);

  void put(std::int32_t value) { put_scalar('I', value); }
  void put(std::int64_t value) { put_scalar('L', value); }
  void put(double value) { put_scalar('D', value); }
  void put(bool value) { put_scalar('C', static_cast<std::uint8_t>(value ? 1 : 0)); }
  void put(std::string_view text) { put_bytes('S', std::as_bytes(std::span(text))); }
  void put(const char* text) { put(std::string_view(text)); }
  void put(RawBytes raw) { put_bytes('R', raw.bytes); }
  // Arrays are compressed where that is smaller.
  void put(std::span<const std::int32_t> values) { put_array('i', std::as_bytes(values), values.size()); }
  void put(std::span<const std::int64_t> values) { put_array('l', std::as_bytes(values), values.size()); }
  void put(std::span<const float> values) { put_array('f', std::as_bytes(values), values.size()); }
  void put(std::span<const double> values) { put_array('d', std::as_bytes(values), values.size()); }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }

  // A record without nested records.
  template <typename... Values>
  void record(std::string_view name, const Values&... values) {
    begin(name);
    (put(values), ...);
    end();
  }
  // An entry of a property list.
  template <typename... Values>
  void property(std::string_view name, const char* type, const char* label, const char* flags,
                const Values&... values) {
    record("P", name, type, label, flags, values...);
  }

  // Position of the integer that the next put(std::int32_t) writes; patch() changes it later.
  std::size_t next_integer() const { return bytes_.size() + 1; }
  void patch(std::size_t position, std::int32_t value);

  // Adds the end of the file. Fails above 4 GiB, which the 32-bit records of 7.4 cannot address.
  Result<std::vector<std::byte>> finish() &&;

 private:
  struct Open {
    std::size_t start = 0, properties = 0;
    std::uint32_t num_properties = 0, property_bytes = 0;
    bool nested = false;
  };
  void close_properties();
  template <typename T>
  void put_scalar(char type, T value) {
    append_le(bytes_, type);
    append_le(bytes_, value);
    ++open_.back().num_properties;
  }
  void put_bytes(char type, std::span<const std::byte> bytes);
  void put_array(char type, std::span<const std::byte> bytes, std::size_t count);

  std::vector<std::byte> bytes_;
  std::vector<Open> open_;
};

}  // namespace zoe::io::fbx
