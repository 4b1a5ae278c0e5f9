// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets from a WebSocket server.
#include <array>
#include <cerrno>
#include <random>

#include <fmt/format.h>
#include <sys/socket.h>

#include "zoe/core/file.h"

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/sockets.h"
#include "stream/web_socket.h"

namespace zoe::stream {
namespace {

class WebReceiver : public PacketReceiver {
 public:
  WebReceiver(Socket socket, std::string_view first_bytes) : socket_(std::move(socket)) {
    frames_.feed(as_bytes(first_bytes));
  }
  int port() const override { return port_of(socket_); }

 protected:
  std::span<const std::byte> next_packet(int wait_ms, bool& is_over) override {
    for (;;) {
      const auto message = frames_.next();
      if (!message) return is_over = true, std::span<const std::byte>{};
      if (!*message) {
        if (!receive_bytes(wait_ms, is_over)) return {};
        wait_ms = 0;
        continue;
      }
      if ((*message)->op == WebOp::kClose) return is_over = true, std::span<const std::byte>{};
      if ((*message)->op == WebOp::kPing) answer(**message);
      if ((*message)->op == WebOp::kBinary && !(*message)->bytes.empty()) return (*message)->bytes;
    }
  }

 private:
  // False: nothing came, or the connection is over.
  bool receive_bytes(int wait_ms, bool& is_over) {
    std::array<std::byte, 65536> bytes;
    for (;;) {
      const ssize_t got = ::recv(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got > 0) return frames_.feed(std::span(bytes).first(static_cast<std::size_t>(got))), true;
      if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return is_over = true, false;
      if (wait_ms <= 0 || !wait_readable(socket_, wait_ms)) return false;
      wait_ms = 0;
    }
  }
  void answer(const WebFrameReader::Message& ping) {
    std::string out;
    append_web_frame(WebOp::kPong, ping.bytes, 0x5A17C3E9U, out);
    ::send(socket_.fd(), out.data(), out.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  Socket socket_;
  WebFrameReader frames_{false, kHeaderBytes + kMaxPayloadBytes};
};

}  // namespace

Result<std::unique_ptr<PoseReceiver>> open_web_receiver(const LinkAddress& address, const LinkOptions& options) {
  ZOE_TRY_ASSIGN(Socket socket, connected_tcp(address));
  // Any 16 bytes; masks and keys keep caches from mistaking frames for requests.
  std::random_device random;
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string key;
  for (int i = 0; i < 21; ++i) key += kLetters[random() % 64];
  key += "A==";
  std::string words = web_question(address.host, address.port, key, options.token);
  append_web_frame(WebOp::kText, as_bytes("packets"), static_cast<std::uint32_t>(random()), words);
  const auto failed = [&](const std::string& why) {
    return Error{ErrorCode::kIo, fmt::format("ws://{}:{}: {}", address.host, address.port, why), {}};
  };
  if (::send(socket.fd(), words.data(), words.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(words.size()))
    return failed("does not take a request");
  std::string head;
  for (;;) {
    std::array<char, 4096> bytes;
    const ssize_t got = ::recv(socket.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0) head.append(bytes.data(), static_cast<std::size_t>(got));
    const std::size_t end = head.find("\r\n\r\n");
    if (end != std::string::npos) {
      if (const auto checked = check_web_answer(std::string_view(head).substr(0, end + 4), key); !checked)
        return failed(checked.error().message);
      return std::unique_ptr<PoseReceiver>(
          std::make_unique<WebReceiver>(std::move(socket), std::string_view(head).substr(end + 4)));
    }
    if (head.size() > kMaxHttpHead) return failed("the answer is too long");
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
      return failed("the server closed the connection");
    if (got < 0 && !wait_readable(socket, 30'000)) return failed("no answer within 30 s");
  }
}

}  // namespace zoe::stream
