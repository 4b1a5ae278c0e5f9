// SPDX-License-Identifier: MIT
// Part of Zoetrope. WebSocket (RFC 6455) without sockets: the handshake and the frames. Bytes come from a network.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::stream {

constexpr std::size_t kMaxHttpHead = 8192;  // Bytes of a request or an answer, with the blank line.

// What a browser or a program asks for.
struct WebRequest {
  std::string key;     // Sec-WebSocket-Key.
  std::string origin;  // Of the page; empty for programs.
  std::string token;   // Of the query, ?token=TEXT.
};
// `head` ends with a blank line. The error's text begins with the status of the answer: "400 …", "405 …", "426 …".
Result<WebRequest> read_web_request(std::string_view head);
// A page of this machine, or no page. Other pages must not read a local character unless they have its token.
bool is_local_origin(std::string_view origin);

std::string web_accept_key(std::string_view key);
std::string web_answer(const WebRequest& request);         // 101.
std::string web_refusal(std::string_view status_and_why);  // As in the errors above.
// The client's side.
std::string web_question(const std::string& host, int port, const std::string& key, const std::string& token);
Result<void> check_web_answer(std::string_view head, std::string_view key);

enum class WebOp : std::uint8_t { kContinue = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };
// Clients mask what they send.
void append_web_frame(WebOp op, std::span<const std::byte> payload, std::optional<std::uint32_t> mask,
                      std::string& out);

// Frames to messages. Feeds of at most 64 KiB and one message are kept.
class WebFrameReader {
 public:
  // is_server: frames must be masked; else they must not be.
  WebFrameReader(bool is_server, std::size_t max_message) : is_server_(is_server), max_message_(max_message) {}
  struct Message {
    WebOp op = WebOp::kText;  // Never kContinue.
    std::span<const std::byte> bytes;
  };
  void feed(std::span<const std::byte> bytes);
  // The next whole message, valid until the next call. An error ends the connection.
  Result<std::optional<Message>> next();

 private:
  bool is_server_;
  std::size_t max_message_;
  std::vector<std::byte> in_, message_, control_;
  std::size_t used_ = 0;
  bool is_inside_ = false;    // Of a message in several frames.
  bool is_returned_ = false;  // message_ was handed out.
  WebOp op_ = WebOp::kText;
};

}  // namespace zoe::stream
