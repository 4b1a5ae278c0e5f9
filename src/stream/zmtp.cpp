// SPDX-License-Identifier: MIT
#include "stream/zmtp.h"

#include <algorithm>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"

namespace zoe::stream {
namespace {

using Bytes = std::span<const std::byte>;
using Item = ZmtpReader::Item;
using Type = ZmtpReader::Type;

// Signature 10, version 2, mechanism 20, as-server 1, filler 31.
constexpr std::size_t kGreetingBytes = 64, kMechanismBytes = 20;
constexpr unsigned kMore = 1, kLong = 2, kCommand = 4;
constexpr std::size_t kMaxCommand = 4096, kMaxPing = 16;

Error broken(const char* what) { return {ErrorCode::kSyntax, std::string("ZeroMQ: ") + what, {}}; }

void append_frame(unsigned flags, Bytes body, std::string& out) {
  const bool is_long = body.size() > 255;
  out += static_cast<char>(flags | (is_long ? kLong : 0));
  for (int i = is_long ? 7 : 0; i >= 0; --i) out += static_cast<char>(std::uint64_t{body.size()} >> (8 * i));
  out += as_text(body);
}

std::string command(std::string_view name, std::string_view data) {
  std::string body(1, static_cast<char>(name.size())), out;
  body.append(name).append(data);
  append_frame(kCommand, as_bytes(body), out);
  return out;
}

Result<void> check_greeting(Bytes greeting) {
  if (greeting[0] != std::byte{0xFF} || (greeting[9] & std::byte{1}) == std::byte{0}) return broken("no greeting");
  if (greeting[10] < std::byte{3}) return broken("the peer is older than version 4 of libzmq (ZMTP 3)");
  std::string mechanism("NULL");
  mechanism.resize(kMechanismBytes, '\0');
  if (as_text(greeting.subspan(12, kMechanismBytes)) != mechanism) return broken("the peer wants encryption");
  return {};
}

// The value of Socket-Type among the properties of READY.
Result<Bytes> socket_type(Bytes properties) {
  while (!properties.empty()) {
    const auto name_size = static_cast<std::size_t>(properties[0]);
    if (properties.size() < 1 + name_size + 4) return broken("a property is cut off");
    const std::string_view name = as_text(properties.subspan(1, name_size));
    const std::size_t size = load_be<std::uint32_t>(properties.data() + 1 + name_size);
    properties = properties.subspan(1 + name_size + 4);
    if (properties.size() < size) return broken("a property is cut off");
    if (name == "Socket-Type") return properties.first(size);
    properties = properties.subspan(size);
  }
  return Bytes{};
}

Result<Item> read_command(Bytes body) {
  const std::size_t name_size = body.empty() ? 0 : static_cast<std::size_t>(body[0]);
  if (body.empty() || body.size() < 1 + name_size) return broken("a command is cut off");
  const std::string_view name = as_text(body.subspan(1, name_size));
  const Bytes data = body.subspan(1 + name_size);
  if (name == "READY") {
    ZOE_TRY_ASSIGN(const Bytes type, socket_type(data));
    return Item{Type::kReady, type};
  }
  if (name == "ERROR") return broken("the peer refused the connection");
  if (name == "SUBSCRIBE") return Item{Type::kSubscribe, data};
  if (name == "CANCEL") return Item{Type::kCancel, data};
  if (name == "PING" && data.size() >= 2) {  // The first two bytes are a time to live.
    if (data.size() - 2 > kMaxPing) return broken("a ping is too long");
    return Item{Type::kPing, data.subspan(2)};
  }
  return Item{};
}

}  // namespace

std::string zmtp_greeting() {
  std::string out(kGreetingBytes, '\0');
  out[0] = '\xFF', out[9] = '\x7F', out[10] = 3;
  out.replace(12, 4, "NULL");
  return out;
}

std::string zmtp_ready(std::string_view type) {
  constexpr std::string_view kName = "Socket-Type";
  std::string data(1, static_cast<char>(kName.size()));
  data.append(kName).append(3, '\0').append(1, static_cast<char>(type.size())).append(type);
  return command("READY", data);
}

std::string zmtp_subscription(std::string_view topic) {
  std::string out;
  append_frame(0, as_bytes("\x01" + std::string(topic)), out);
  return out;
}

std::string zmtp_pong(Bytes ping) { return command("PONG", as_text(ping)); }

void append_zmtp_message(Bytes message, std::string& out) { append_frame(0, message, out); }

void ZmtpReader::feed(Bytes bytes) {
  in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ = 0;
  in_.insert(in_.end(), bytes.begin(), bytes.end());
}

Result<std::optional<Item>> ZmtpReader::next(bool is_publisher) {
  using Found = std::optional<Item>;
  const Bytes rest = Bytes(in_).subspan(used_);
  if (!is_greeted_) {
    if (!rest.empty() && rest[0] != std::byte{0xFF}) return broken("no greeting");
    if (rest.size() < kGreetingBytes) return Found();
    ZOE_TRY(check_greeting(rest.first(kGreetingBytes)));
    used_ += kGreetingBytes;
    is_greeted_ = true;
    return Found(Item{Type::kGreeting, {}});
  }
  if (rest.size() < 2) return Found();
  const auto flags = static_cast<unsigned>(rest[0]);
  if (flags > (kMore | kLong | kCommand) || ((flags & kCommand) != 0 && (flags & kMore) != 0))
    return broken("unknown type of frame");
  const std::size_t head = (flags & kLong) != 0 ? 9 : 2;
  if (rest.size() < head) return Found();
  const std::uint64_t size = head == 9 ? load_be<std::uint64_t>(rest.data() + 1) : static_cast<std::uint64_t>(rest[1]);
  const bool is_command = (flags & kCommand) != 0;
  if (size > (is_command ? std::min(kMaxCommand, max_message_) : max_message_)) return broken("a message is too long");
  if (rest.size() - head < size) return Found();
  const Bytes body = rest.subspan(head, static_cast<std::size_t>(size));
  used_ += head + body.size();
  if (is_command) {
    ZOE_TRY_ASSIGN(const Item item, read_command(body));
    return Found(item);
  }
  const bool is_part = is_inside_ || (flags & kMore) != 0;
  is_inside_ = (flags & kMore) != 0;
  if (is_part) return Found(Item{});
  if (!is_publisher) return Found(Item{Type::kMessage, body});
  if (body.empty() || body[0] > std::byte{1}) return Found(Item{});
  return Found(Item{body[0] == std::byte{1} ? Type::kSubscribe : Type::kCancel, body.subspan(1)});
}

}  // namespace zoe::stream
