// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets from a steering port or a TCP sender, and the choice of a link by its address.
#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <sys/socket.h>

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/sockets.h"

namespace zoe::stream {
namespace {

// The port begins with a line of JSON; packets follow the line `packets`. Refusals are lines as well.
class PortReceiver : public PacketReceiver {
 public:
  explicit PortReceiver(Socket socket) : socket_(std::move(socket)) {}
  int port() const override { return port_of(socket_); }

 protected:
  std::span<const std::byte> next_packet(int wait_ms, bool& is_over) override {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
    for (;;) {
      if (const std::span<const std::byte> packet = take(is_over); !packet.empty() || is_over) return packet;
      const std::size_t before = bytes_.size();
      bytes_.resize(before + 65536);
      const ssize_t got = ::recv(socket_.fd(), bytes_.data() + before, 65536, MSG_DONTWAIT);
      bytes_.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
      if (got == 0) is_over = true;
      if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        if (wait_ms <= 0 || !wait_readable(socket_, wait_ms)) return {};
        wait_ms = 0;
      } else if (got <= 0) {
        is_over = true;
        return {};
      }
    }
  }

 private:
  static constexpr std::size_t kMaxLine = 1 << 20;  // The greeting names all joints.

  // A whole packet at the front. Lines are skipped. is_over: the bytes are neither.
  std::span<const std::byte> take(bool& is_over) {
    while (!bytes_.empty() && bytes_[used_] == std::byte{'{'}) {
      const auto end = std::find(bytes_.begin() + static_cast<std::ptrdiff_t>(used_), bytes_.end(), std::byte{'\n'});
      if (end == bytes_.end()) {
        is_over = bytes_.size() > kMaxLine;
        return {};
      }
      bytes_.erase(bytes_.begin(), end + 1);
    }
    if (bytes_.size() < kHeaderBytes) return {};
    const Result<PacketHeader> header = read_header(bytes_);
    if (!header) return is_over = true, std::span<const std::byte>{};
    const std::size_t size = kHeaderBytes + header->payload_bytes;
    if (bytes_.size() < size) return {};
    used_ = size;
    return std::span<const std::byte>(bytes_).first(size);
  }

  Socket socket_;
  std::vector<std::byte> bytes_;
  std::size_t used_ = 0;
};

}  // namespace

Result<std::unique_ptr<PoseReceiver>> open_port_receiver(const LinkAddress& address, const LinkOptions& options) {
  ZOE_TRY_ASSIGN(Socket socket, connected_tcp(address));
  const std::string words = (options.token.empty() ? "" : "token " + options.token + "\n") + "packets\n";
  if (::send(socket.fd(), words.data(), words.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(words.size()))
    return Error{ErrorCode::kIo, fmt::format("{}:{} does not take a line", address.host, address.port), {}};
  return std::unique_ptr<PoseReceiver>(std::make_unique<PortReceiver>(std::move(socket)));
}

Result<std::unique_ptr<PoseSender>> open_sender(const std::string& address, const LinkOptions& options) {
  ZOE_TRY_ASSIGN(const LinkAddress to, parse_link(address));
  if (to.scheme == "udp") return open_udp_sender(to, options);
  if (to.scheme == "vmc") return open_vmc_sender(to);
  return open_server_sender(to, options);
}

Result<std::unique_ptr<PoseReceiver>> open_receiver(const std::string& address, const LinkOptions& options) {
  ZOE_TRY_ASSIGN(const LinkAddress from, parse_link(address));
  if (from.scheme == "udp") return open_udp_receiver(from, options);
  if (from.scheme == "zmq") return open_zmq_receiver(from);
  if (from.scheme == "vmc") return open_vmc_receiver(from, options);
  return from.scheme == "ws" ? open_web_receiver(from, options) : open_port_receiver(from, options);
}

}  // namespace zoe::stream
