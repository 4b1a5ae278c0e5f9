// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Reads TensorBoard's event files: whole records up to the first damaged one.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace zoe::train::test {

// By the polynomial, bit by bit.
inline std::uint32_t bitwise_crc32c(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1U) ^ 0x82F63B78U : crc >> 1U;
  }
  return ~crc;
}

struct Event {
  double wall_time_s = 0;
  std::int64_t step = 0;
  std::string version;
  std::vector<std::pair<std::string, float>> scalars;
};

// Reads one protobuf message: visit(field, number, bytes).
template <typename Visit>
void each_field(const std::string& message, Visit visit) {
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at < message.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(message[at++]);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) break;
    }
    return value;
  };
  while (at < message.size()) {
    const std::uint64_t key = varint();
    const unsigned wire = key & 7U;
    std::uint64_t number = 0;
    std::string bytes;
    if (wire == 0) {
      number = varint();
    } else {
      const std::size_t size = wire == 1 ? 8 : wire == 5 ? 4 : varint();
      bytes = message.substr(at, size);
      at += size;
    }
    visit(static_cast<int>(key >> 3U), number, bytes);
  }
}

inline Event parse_event(const std::string& payload) {
  Event event;
  each_field(payload, [&](int field, std::uint64_t number, const std::string& bytes) {
    if (field == 1) std::memcpy(&event.wall_time_s, bytes.data(), 8);
    if (field == 2) event.step = static_cast<std::int64_t>(number);
    if (field == 3) event.version = bytes;
    if (field != 5) return;
    each_field(bytes, [&](int, std::uint64_t, const std::string& value) {
      std::pair<std::string, float> scalar;
      each_field(value, [&](int part, std::uint64_t, const std::string& data) {
        if (part == 1) scalar.first = data;
        if (part == 2) std::memcpy(&scalar.second, data.data(), 4);
      });
      event.scalars.push_back(std::move(scalar));
    });
  });
  return event;
}

inline std::vector<Event> read_events(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto masked = [](const std::string& bytes) {
    const std::uint32_t crc = bitwise_crc32c(std::as_bytes(std::span(bytes)));
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
  };
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, all.data() + at, 4);
    return value;
  };
  std::vector<Event> events;
  for (std::size_t at = 0; at + 12 <= all.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, all.data() + at, 8);
    if (word(at + 8) != masked(all.substr(at, 8)) || at + 16 + size > all.size()) break;
    const std::string payload = all.substr(at + 12, size);
    if (word(at + 12 + size) != masked(payload)) break;
    events.push_back(parse_event(payload));
    at += 16 + size;
  }
  return events;
}

}  // namespace zoe::train::test
