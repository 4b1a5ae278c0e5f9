// SPDX-License-Identifier: MIT
// Part of Zoetrope. ZMTP 3, the protocol of ZeroMQ over TCP, without sockets: what publishers and subscribers without
// encryption (mechanism NULL) send. Our own code instead of libzmq: a packet goes straight into the socket, while
// libzmq hands it to a thread on either side, and each of them must be scheduled.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::stream {

std::string zmtp_greeting();                             // The first 64 bytes of either side.
std::string zmtp_ready(std::string_view socket_type);    // The handshake after it: PUB, SUB, ….
std::string zmtp_subscription(std::string_view topic);   // Of a subscriber: messages that begin with the topic.
std::string zmtp_pong(std::span<const std::byte> ping);  // The answer to a PING command's data.
void append_zmtp_message(std::span<const std::byte> message, std::string& out);

// Bytes of a peer to what they mean.
class ZmtpReader {
 public:
  explicit ZmtpReader(std::size_t max_message) : max_message_(max_message) {}
  enum class Type { kGreeting, kReady, kPing, kMessage, kSubscribe, kCancel, kOther };
  struct Item {
    Type type = Type::kOther;
    // Of a message, the data of a ping, the topic of a subscription, the socket type of kReady. A message in several
    // parts is kOther.
    std::span<const std::byte> bytes;
  };
  void feed(std::span<const std::byte> bytes);
  // The next item, valid until the next call. is_publisher: messages of subscribers are subscriptions. An error ends
  // the connection.
  Result<std::optional<Item>> next(bool is_publisher);

 private:
  std::size_t max_message_;
  std::vector<std::byte> in_;
  std::size_t used_ = 0;
  bool is_greeted_ = false, is_inside_ = false;  // Inside: more parts of a message follow.
};

}  // namespace zoe::stream
