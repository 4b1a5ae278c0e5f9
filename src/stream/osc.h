// SPDX-License-Identifier: MIT
// Part of Zoetrope. Open Sound Control 1.0: messages and bundles. Big-endian; strings end with zeros up to four bytes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoe::stream {

struct OscArgument {
  char type = 'N';  // i f s; other types are present without a value.
  std::int32_t integer = 0;
  float number = 0;
  std::string_view text;
};

struct OscMessage {
  static constexpr std::size_t kMaxArguments = 16;  // Further ones are ignored.
  std::string_view address;
  std::array<OscArgument, kMaxArguments> arguments;
  std::size_t count = 0;
  // True if the types begin with these.
  bool has(std::string_view types) const;
};

// A datagram: a message, or a bundle of them, at most four deep. False where bytes are damaged; messages before the
// damage were delivered. Texts point into `bytes`.
bool read_osc(std::span<const std::byte> bytes, const std::function<void(const OscMessage&)>& on_message);

// A message, built up: OscText("/VMC/Ext/T").number(1.5F).bytes().
class OscText {
 public:
  explicit OscText(std::string_view address) : address_(address) {}
  OscText& integer(std::int32_t value);
  OscText& number(float value);
  OscText& text(std::string_view value);
  std::vector<std::byte> bytes() const;

 private:
  std::string address_, types_ = ",";
  std::vector<std::byte> values_;
};

// Messages to datagrams of at most max_bytes, each a bundle to be applied at once.
class OscBundles {
 public:
  using Send = std::function<void(std::span<const std::byte>)>;
  OscBundles(std::size_t max_bytes, Send send);
  void add(std::span<const std::byte> message);
  void flush();

 private:
  std::size_t max_bytes_;
  Send send_;
  std::vector<std::byte> bundle_;
};

}  // namespace zoe::stream
