// SPDX-License-Identifier: MIT
// Part of Zoetrope. The frames of WebSockets.
#include <algorithm>
#include <cstring>

#include "zoe/core/bytes.h"

#include "stream/web_socket.h"

namespace zoe::stream {
namespace {

Error broken_frame(const char* what) { return {ErrorCode::kSyntax, std::string("WebSocket: ") + what, {}}; }

void unmask(std::span<std::byte> bytes, const std::byte* mask) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] ^= mask[i % 4];
}

}  // namespace

void append_web_frame(WebOp op, std::span<const std::byte> payload, std::optional<std::uint32_t> mask,
                      std::string& out) {
  out += static_cast<char>(0x80 | static_cast<int>(op));
  const int masked = mask ? 0x80 : 0;
  const std::uint64_t size = payload.size();
  const int length_bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
  out += static_cast<char>(masked | (length_bytes == 0 ? static_cast<int>(size) : length_bytes == 2 ? 126 : 127));
  for (int i = length_bytes - 1; i >= 0; --i) out += static_cast<char>(size >> (8 * i));
  const std::size_t begin = out.size() + (mask ? 4 : 0);
  if (mask) out.append(reinterpret_cast<const char*>(&*mask), 4);
  out.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  if (mask) {
    std::byte key[4];
    std::memcpy(key, &*mask, 4);
    unmask({reinterpret_cast<std::byte*>(out.data()) + begin, payload.size()}, key);
  }
}

void WebFrameReader::feed(std::span<const std::byte> bytes) {
  in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ = 0;
  in_.insert(in_.end(), bytes.begin(), bytes.end());
}

Result<std::optional<WebFrameReader::Message>> WebFrameReader::next() {
  using Found = std::optional<Message>;
  if (is_returned_) message_.clear();
  is_returned_ = false;
  for (;;) {
    const std::span<std::byte> rest = std::span(in_).subspan(used_);
    if (rest.size() < 2) return Found();
    const auto first = static_cast<unsigned>(rest[0]), second = static_cast<unsigned>(rest[1]);
    const bool is_final = (first & 0x80) != 0, is_masked = (second & 0x80) != 0;
    const unsigned op = first & 15;
    if ((first & 0x70) != 0) return broken_frame("reserved bits are set");
    if (op > 10 || (op > 2 && op < 8)) return broken_frame("unknown type of frame");
    if (is_masked != is_server_) return broken_frame(is_server_ ? "a client masks its frames" : "a server never masks");
    std::uint64_t size = second & 127;
    const std::size_t length_bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
    const std::size_t head = 2 + length_bytes + (is_masked ? 4 : 0);
    if (rest.size() < head) return Found();
    if (length_bytes == 2) size = load_be<std::uint16_t>(rest.data() + 2);
    if (length_bytes == 8) size = load_be<std::uint64_t>(rest.data() + 2);
    const bool is_control = op >= 8;
    if (is_control && (!is_final || size > 125)) return broken_frame("a control frame is cut or too long");
    if (!is_control && (op == 0) != is_inside_) return broken_frame("a message begins within another");
    if (size > max_message_ || (!is_control && message_.size() + size > max_message_))
      return broken_frame("a message is too long");
    if (rest.size() - head < size) return Found();
    const std::span<std::byte> payload = rest.subspan(head, static_cast<std::size_t>(size));
    if (is_masked) unmask(payload, rest.data() + head - 4);
    used_ += head + payload.size();
    if (is_control) {
      control_.assign(payload.begin(), payload.end());
      return Found(Message{static_cast<WebOp>(op), control_});
    }
    if (op != 0) op_ = static_cast<WebOp>(op);
    message_.insert(message_.end(), payload.begin(), payload.end());
    is_inside_ = !is_final;
    if (!is_final) continue;
    is_returned_ = true;
    return Found(Message{op_, message_});
  }
}

}  // namespace zoe::stream
