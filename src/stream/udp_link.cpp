// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets in datagrams.
#include <algorithm>

#include <sys/socket.h>

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/pieces.h"
#include "stream/sockets.h"

namespace zoe::stream {

std::span<const std::byte> PieceJoiner::add(std::span<const std::byte> datagram) {
  if (datagram.size() < kPieceHeaderBytes || load_le<std::uint32_t>(datagram.data()) != kPieceMagic) return datagram;
  const auto id = load_le<std::uint32_t>(datagram.data() + 4);
  const auto index = load_le<std::uint16_t>(datagram.data() + 8), count = load_le<std::uint16_t>(datagram.data() + 10);
  const std::span<const std::byte> part = datagram.subspan(kPieceHeaderBytes);
  const bool is_last = index + 1 == count;
  if (count < 2 || index >= count || count * kPieceBytes > kMaxPayloadBytes + 2 * kPieceBytes || part.empty() ||
      part.size() > kPieceBytes || (!is_last && part.size() != kPieceBytes)) {
    return {};
  }
  Message* message = nullptr;
  for (Message& one : open_)
    if (one.count == count && one.id == id) message = &one;
  if (message == nullptr) {
    message = &*std::min_element(open_.begin(), open_.end(),
                                 [](const Message& a, const Message& b) { return a.age < b.age; });
    message->id = id;
    message->count = count;
    message->got = 0;
    message->has.assign(count, 0);
    message->bytes.resize(count * kPieceBytes);
  }
  message->age = ++now_;
  if (message->has[index] != 0) return {};
  message->has[index] = 1;
  std::copy(part.begin(), part.end(), message->bytes.begin() + static_cast<std::ptrdiff_t>(index * kPieceBytes));
  if (is_last) message->last_bytes = part.size();
  if (++message->got < count) return {};
  message->count = 0;  // Free; its bytes stay until the next call.
  message->age = 0;
  return std::span<const std::byte>(message->bytes).first((count - 1U) * kPieceBytes + message->last_bytes);
}

namespace {

class UdpSender : public PacketSender {
 public:
  explicit UdpSender(Socket socket) : socket_(std::move(socket)) {}
  LinkCounts counts() const override { return counts_; }

 protected:
  void transmit(std::span<const std::byte> packet) override {
    bool is_sent = true;
    cut_into_pieces(packet, message_++, scratch_, [&](std::span<const std::byte> datagram) {
      // Without a listener send() reports the error of an earlier datagram: try once more.
      for (int attempt = 0; attempt < 2; ++attempt)
        if (::send(socket_.fd(), datagram.data(), datagram.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return;
      is_sent = false;
    });
    ++(is_sent ? counts_.sent : counts_.dropped);
  }

 private:
  Socket socket_;
  std::uint32_t message_ = 0;
  std::vector<std::byte> scratch_;
  LinkCounts counts_;
};

class UdpReceiver : public PacketReceiver {
 public:
  explicit UdpReceiver(Socket socket) : socket_(std::move(socket)), buffer_(65536) {}
  int port() const override { return port_of(socket_); }

 protected:
  std::span<const std::byte> next_packet(int wait_ms, bool&) override {
    for (;;) {
      const ssize_t got = ::recv(socket_.fd(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (got <= 0) {
        if (!wait_readable(socket_, wait_ms)) return {};
        wait_ms = 0;
        continue;
      }
      const auto packet = joiner_.add(std::span<const std::byte>(buffer_).first(static_cast<std::size_t>(got)));
      if (!packet.empty()) return packet;
    }
  }

 private:
  Socket socket_;
  std::vector<std::byte> buffer_;
  PieceJoiner joiner_;
};

}  // namespace

Result<std::unique_ptr<PoseSender>> open_udp_sender(const LinkAddress& address) {
  ZOE_TRY_ASSIGN(Socket socket, udp_sender(address));
  return std::unique_ptr<PoseSender>(std::make_unique<UdpSender>(std::move(socket)));
}

Result<std::unique_ptr<PoseReceiver>> open_udp_receiver(const LinkAddress& address) {
  ZOE_TRY_ASSIGN(Socket socket, bound_udp(address));
  return std::unique_ptr<PoseReceiver>(std::make_unique<UdpReceiver>(std::move(socket)));
}

}  // namespace zoe::stream
