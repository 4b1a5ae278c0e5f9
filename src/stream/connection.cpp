// SPDX-License-Identifier: MIT
#include "stream/connection.h"

#include <array>
#include <cerrno>

#include <sys/socket.h>

#include "zoe/core/file.h"

namespace zoe::stream {
namespace {
constexpr std::size_t kMostBytesARead = 16 * 1024;  // Limits the cost of a client that floods the server.
}

bool Connection::read(const OnLine& on_line) {
  std::array<char, 4096> bytes;
  for (std::size_t total = 0; total < kMostBytesARead;) {
    const ssize_t got = ::recv(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return false;
    total += static_cast<std::size_t>(got);
    const std::string_view came(bytes.data(), static_cast<std::size_t>(got));
    if (closes_) continue;
    const bool goes_on = protocol_ == Protocol::kPlain ? read_plain(came, on_line)
                         : protocol_ == Protocol::kZmq ? read_messages(came, on_line)
                         : is_upgraded_                ? read_frames(came, on_line)
                                                       : read_head(came, on_line);
    if (!goes_on) return false;
  }
  return true;
}

bool Connection::read_plain(std::string_view bytes, const OnLine& on_line) {
  lines_.feed(
      bytes, [&](std::string_view line) { on_line(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line); },
      [&] { on_line(kTooLong); });
  return true;
}

bool Connection::read_head(std::string_view bytes, const OnLine& on_line) {
  head_ += bytes;
  const std::size_t end = head_.find("\r\n\r\n");
  if (end == std::string::npos && head_.size() < kMaxHttpHead) return true;
  Result<WebRequest> request = end == std::string::npos || end > kMaxHttpHead
                                   ? Error{ErrorCode::kLimit, "431 Request Header Fields Too Large", {}}
                                   : read_web_request(std::string_view(head_).substr(0, end + 4));
  if (request && !has_token_ && !is_local_origin(request->origin))
    request = Error{ErrorCode::kUsage, "403 Forbidden", {}};  // A page of another machine.
  if (!request) {
    unsent_ += web_refusal(request.error().message);
    closes_ = true;
    return true;
  }
  unsent_ += web_answer(*request);
  is_upgraded_ = true;
  if (!request->token.empty()) on_line("token " + request->token);
  const std::string rest = head_.substr(end + 4);
  head_ = {};
  return rest.empty() || read_frames(rest, on_line);
}

bool Connection::read_frames(std::string_view bytes, const OnLine& on_line) {
  frames_.feed(as_bytes(bytes));
  for (;;) {
    const auto message = frames_.next();
    if (!message || (*message && (*message)->op == WebOp::kClose)) {
      append_web_frame(WebOp::kClose, {}, {}, unsent_);
      closes_ = true;
      return true;
    }
    if (!*message) return true;
    // Answers to pings are bounded: a client that never reads gets none.
    if ((*message)->op == WebOp::kPing && queued_bytes() < 65536)
      append_web_frame(WebOp::kPong, (*message)->bytes, {}, unsent_);
    if ((*message)->op != WebOp::kText) continue;
    // One message may have several lines; its end is the end of a line.
    read_plain(as_text((*message)->bytes), on_line);
    read_plain("\n", on_line);
  }
}

// All packets begin with ZOEP: a longer topic gets all of them, and the subscriber's own filter does the rest.
bool Connection::read_messages(std::string_view bytes, const OnLine& on_line) {
  constexpr std::string_view kTopic = "ZOEP";
  messages_.feed(as_bytes(bytes));
  for (;;) {
    const auto item = messages_.next(true);
    if (!item) return false;
    if (!*item) return true;
    const std::string_view text = as_text((*item)->bytes);
    const bool is_ours = kTopic.starts_with(text) || text.starts_with(kTopic);
    switch ((*item)->type) {
      case ZmtpReader::Type::kGreeting:
        unsent_ += zmtp_ready("XPUB");
        break;
      case ZmtpReader::Type::kReady:
        if (text != "SUB" && text != "XSUB") return false;
        is_upgraded_ = true;
        break;
      case ZmtpReader::Type::kPing:
        if (queued_bytes() < 65536) unsent_ += zmtp_pong((*item)->bytes);
        break;
      case ZmtpReader::Type::kSubscribe:
        if (is_ours && is_upgraded_ && ++subscriptions_ == 1) on_line("packets");
        break;
      case ZmtpReader::Type::kCancel:
        if (is_ours && subscriptions_ > 0 && --subscriptions_ == 0) on_line(kNoPackets);
        break;
      default:
        break;
    }
  }
}

void Connection::queue_line(std::string_view line) {
  if (protocol_ == Protocol::kPlain) {
    unsent_ += line;
    unsent_ += '\n';
  } else if (protocol_ == Protocol::kWeb && is_upgraded_) {
    append_web_frame(WebOp::kText, as_bytes(line), {}, unsent_);
  }
}

void Connection::queue_packet(std::span<const std::byte> packet) {
  if (protocol_ == Protocol::kPlain) {
    unsent_ += as_text(packet);
  } else if (is_upgraded_ && protocol_ == Protocol::kWeb) {
    append_web_frame(WebOp::kBinary, packet, {}, unsent_);
  } else if (is_upgraded_) {
    append_zmtp_message(packet, unsent_);
  }
}

bool Connection::flush() {
  while (sent_ < unsent_.size()) {
    const ssize_t sent =
        ::send(socket_.fd(), unsent_.data() + sent_, unsent_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (sent < 0) break;
    sent_ += static_cast<std::size_t>(sent);
  }
  if (sent_ * 2 > unsent_.size()) {  // Moves each byte at most once.
    unsent_.erase(0, sent_);
    sent_ = 0;
  }
  return !closes_ || queued_bytes() > 0;
}

void Connection::drain(int wait_ms) {
  while (flush() && queued_bytes() > 0 && wait_writable(socket_, wait_ms)) continue;
}

}  // namespace zoe::stream
