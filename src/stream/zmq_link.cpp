// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets from a publisher of ZeroMQ, one a message.
#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <sys/socket.h>

#include "zoe/core/file.h"

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/sockets.h"
#include "stream/zmtp.h"

namespace zoe::stream {
namespace {

class ZmqReceiver : public PacketReceiver {
 public:
  explicit ZmqReceiver(Socket socket) : socket_(std::move(socket)) {}
  int port() const override { return port_of(socket_); }

  // Greets, and subscribes when the publisher is ready. The error is the reason.
  Result<void> subscribe(int wait_ms) {
    const std::int64_t until_ns = steady_ns() + std::int64_t{wait_ms} * 1'000'000;
    say(zmtp_greeting());
    for (;;) {
      ZOE_TRY_ASSIGN(const std::optional<ZmtpReader::Item> item, reader_.next(false));
      if (!item) {
        const std::int64_t left_ms = (until_ns - steady_ns()) / 1'000'000;
        bool is_over = false;
        const bool came = receive_bytes(static_cast<int>(std::max<std::int64_t>(left_ms, 0)), is_over);
        if (is_over) return Error{ErrorCode::kIo, "the publisher closed the connection", {}};
        if (!came && left_ms <= 0) return Error{ErrorCode::kIo, "no answer", {}};
      } else if (item->type == ZmtpReader::Type::kGreeting) {
        say(zmtp_ready("SUB"));
      } else if (item->type == ZmtpReader::Type::kReady) {
        const std::string_view type = as_text(item->bytes);
        if (type != "PUB" && type != "XPUB") return Error{ErrorCode::kIo, "it is no publisher of ZeroMQ", {}};
        say(zmtp_subscription("ZOEP"));
        return {};
      }
    }
  }

 protected:
  std::span<const std::byte> next_packet(int wait_ms, bool& is_over) override {
    for (;;) {
      const auto item = reader_.next(false);
      if (!item) return is_over = true, std::span<const std::byte>{};
      if (!*item) {
        if (!receive_bytes(wait_ms, is_over)) return {};
        wait_ms = 0;
        continue;
      }
      if ((*item)->type == ZmtpReader::Type::kPing) say(zmtp_pong((*item)->bytes));
      if ((*item)->type == ZmtpReader::Type::kMessage && !(*item)->bytes.empty()) return (*item)->bytes;
    }
  }

 private:
  // A few bytes, which the system's buffer always holds.
  void say(const std::string& bytes) { ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL); }
  // False: nothing came, or the connection is over.
  bool receive_bytes(int wait_ms, bool& is_over) {
    std::array<std::byte, 65536> bytes;
    for (;;) {
      const ssize_t got = ::recv(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got > 0) return reader_.feed(std::span(bytes).first(static_cast<std::size_t>(got))), true;
      if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return is_over = true, false;
      if (wait_ms <= 0 || !wait_readable(socket_, wait_ms)) return false;
      wait_ms = 0;
    }
  }

  Socket socket_;
  ZmtpReader reader_{kHeaderBytes + kMaxPayloadBytes};
};

}  // namespace

Result<std::unique_ptr<PoseReceiver>> open_zmq_receiver(const LinkAddress& address) {
  constexpr int kWait_ms = 30'000;
  ZOE_TRY_ASSIGN(Socket socket, connected_tcp(address));
  auto receiver = std::make_unique<ZmqReceiver>(std::move(socket));
  if (const Result<void> done = receiver->subscribe(kWait_ms); !done) {
    return Error{ErrorCode::kIo, fmt::format("zmq://{}:{}: {}", address.host, address.port, done.error().message), {}};
  }
  return std::unique_ptr<PoseReceiver>(std::move(receiver));
}

}  // namespace zoe::stream
