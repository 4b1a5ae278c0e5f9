// SPDX-License-Identifier: MIT
#include "stream/osc.h"

#include <algorithm>
#include <cstring>

#include "zoe/core/bytes.h"

namespace zoe::stream {
namespace {

constexpr std::string_view kBundle{"#bundle\0", 8};

template <typename T>
void append_be(std::vector<std::byte>& out, T value) {
  append_le(out, value);
  std::reverse(out.end() - sizeof(T), out.end());
}

void append_osc_string(std::vector<std::byte>& out, std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
  do {
    out.push_back(std::byte{0});
  } while (out.size() % 4 != 0);
}

// Reads from the front of `rest`. False: too short.
bool take_string(std::span<const std::byte>& rest, std::string_view& out) {
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return false;
  const auto size = static_cast<std::size_t>(end - rest.begin());
  out = {reinterpret_cast<const char*>(rest.data()), size};
  const std::size_t padded = (size + 4) / 4 * 4;
  if (padded > rest.size()) return false;
  rest = rest.subspan(padded);
  return true;
}

bool take_argument(std::span<const std::byte>& rest, OscArgument& out) {
  const auto skip = [&](std::size_t bytes) {
    if (rest.size() < bytes) return false;
    rest = rest.subspan(bytes);
    return true;
  };
  switch (out.type) {
    case 'i':
      if (rest.size() < 4) return false;
      out.integer = load_be<std::int32_t>(rest.data());
      return skip(4);
    case 'f':
      if (rest.size() < 4) return false;
      out.number = load_be<float>(rest.data());
      return skip(4);
    case 's':
    case 'S':
      return take_string(rest, out.text);
    case 'b': {
      if (rest.size() < 4) return false;
      const auto size = load_be<std::uint32_t>(rest.data());
      return size <= rest.size() && skip(4 + (std::size_t{size} + 3) / 4 * 4);
    }
    case 'c':
    case 'r':
    case 'm':
      return skip(4);
    case 'h':
    case 'd':
    case 't':
      return skip(8);
    default:
      return std::string_view("TFNI[]").find(out.type) != std::string_view::npos;
  }
}

bool read_one(std::span<const std::byte> bytes, const std::function<void(const OscMessage&)>& on_message) {
  OscMessage message;
  std::string_view types;
  if (!take_string(bytes, message.address) || !message.address.starts_with('/')) return false;
  if (!bytes.empty() && (!take_string(bytes, types) || !types.starts_with(','))) return false;
  for (std::size_t i = 1; i < types.size() && message.count < OscMessage::kMaxArguments; ++i) {
    OscArgument& argument = message.arguments[message.count];
    argument.type = types[i];
    if (!take_argument(bytes, argument)) return false;
    ++message.count;
  }
  on_message(message);
  return true;
}

bool read_nested(std::span<const std::byte> bytes, int depth,
                 const std::function<void(const OscMessage&)>& on_message) {
  const bool is_bundle = bytes.size() >= 16 && std::memcmp(bytes.data(), kBundle.data(), kBundle.size()) == 0;
  if (!is_bundle) return read_one(bytes, on_message);
  if (depth == 4) return false;
  bytes = bytes.subspan(16);
  while (!bytes.empty()) {
    if (bytes.size() < 4) return false;
    const auto size = load_be<std::uint32_t>(bytes.data());
    if (size > bytes.size() - 4) return false;
    if (!read_nested(bytes.subspan(4, size), depth + 1, on_message)) return false;
    bytes = bytes.subspan(4 + size);
  }
  return true;
}

}  // namespace

bool OscMessage::has(std::string_view types) const {
  if (count < types.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (arguments[i].type != types[i]) return false;
  return true;
}

bool read_osc(std::span<const std::byte> bytes, const std::function<void(const OscMessage&)>& on_message) {
  return read_nested(bytes, 0, on_message);
}

OscText& OscText::integer(std::int32_t value) {
  types_ += 'i';
  append_be(values_, value);
  return *this;
}
OscText& OscText::number(float value) {
  types_ += 'f';
  append_be(values_, value);
  return *this;
}
OscText& OscText::text(std::string_view value) {
  types_ += 's';
  append_osc_string(values_, value);
  return *this;
}
std::vector<std::byte> OscText::bytes() const {
  std::vector<std::byte> out;
  append_osc_string(out, address_);
  append_osc_string(out, types_);
  out.insert(out.end(), values_.begin(), values_.end());
  return out;
}

OscBundles::OscBundles(std::size_t max_bytes, Send send) : max_bytes_(max_bytes), send_(std::move(send)) {}

void OscBundles::add(std::span<const std::byte> message) {
  if (!bundle_.empty() && bundle_.size() + 4 + message.size() > max_bytes_) flush();
  if (bundle_.empty()) {
    const auto head = std::as_bytes(std::span(kBundle));
    bundle_.insert(bundle_.end(), head.begin(), head.end());
    append_be(bundle_, std::uint64_t{1});  // At once.
  }
  append_be(bundle_, static_cast<std::uint32_t>(message.size()));
  bundle_.insert(bundle_.end(), message.begin(), message.end());
}

void OscBundles::flush() {
  if (!bundle_.empty()) send_(bundle_);
  bundle_.clear();
}

}  // namespace zoe::stream
