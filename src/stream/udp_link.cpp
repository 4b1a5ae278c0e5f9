// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets in datagrams.
#include <algorithm>

#include <sys/socket.h>

#include "zoe/core/file.h"

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/pieces.h"
#include "stream/sockets.h"
#include "stream/token.h"

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

// Datagrams with a token: "ZOET", number of letters (u16), letters, then the datagram. It is sent in the clear.
constexpr std::size_t kMaxUdpToken = 64;  // 1400 bytes and it fit into a datagram that no router cuts.

std::vector<std::byte> token_prefix(const std::string& token) {
  std::vector<std::byte> out;
  if (token.empty()) return out;
  append_le(out, std::uint32_t{0x54454F5A});
  append_le(out, static_cast<std::uint16_t>(token.size()));
  const auto letters = std::as_bytes(std::span(token));
  out.insert(out.end(), letters.begin(), letters.end());
  return out;
}

Result<void> check_udp_token(const std::string& host, const std::string& token) {
  ZOE_TRY(check_token(host, token));
  if (token.size() > kMaxUdpToken) return Error{ErrorCode::kUsage, "a token over UDP has at most 64 letters", {}};
  return {};
}

class UdpSender : public PacketSender {
 public:
  UdpSender(Socket socket, const std::string& token) : socket_(std::move(socket)), prefix_(token_prefix(token)) {}
  LinkCounts counts() const override { return counts_; }

 protected:
  void transmit(std::span<const std::byte> packet) override {
    bool is_sent = true;
    cut_into_pieces(packet, message_++, scratch_, [&](std::span<const std::byte> datagram) {
      if (!prefix_.empty()) {
        with_token_ = prefix_;
        with_token_.insert(with_token_.end(), datagram.begin(), datagram.end());
        datagram = with_token_;
      }
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
  std::vector<std::byte> scratch_, prefix_, with_token_;
  LinkCounts counts_;
};

class UdpReceiver : public PacketReceiver {
 public:
  UdpReceiver(Socket socket, const std::string& token)
      : socket_(std::move(socket)), buffer_(65536), prefix_(token_prefix(token)) {}
  DecodeCounts counts() const override {
    DecodeCounts counts = PacketReceiver::counts();
    counts.refused += refused_;
    return counts;
  }
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
      std::span<const std::byte> datagram = std::span<const std::byte>(buffer_).first(static_cast<std::size_t>(got));
      if (!prefix_.empty()) {
        const std::size_t head = std::min(prefix_.size(), datagram.size());
        if (!same_token(as_text(datagram.first(head)), as_text(prefix_))) {
          ++refused_;
          continue;
        }
        datagram = datagram.subspan(head);
      }
      const auto packet = joiner_.add(datagram);
      if (!packet.empty()) return packet;
    }
  }

 private:
  Socket socket_;
  std::vector<std::byte> buffer_, prefix_;
  std::uint64_t refused_ = 0;  // Datagrams without the token.
  PieceJoiner joiner_;
};

}  // namespace

Result<std::unique_ptr<PoseSender>> open_udp_sender(const LinkAddress& address, const LinkOptions& options) {
  ZOE_TRY(check_udp_token("127.0.0.1", options.token));  // The receiver decides whether it wants one.
  ZOE_TRY_ASSIGN(Socket socket, udp_sender(address));
  return std::unique_ptr<PoseSender>(std::make_unique<UdpSender>(std::move(socket), options.token));
}

Result<std::unique_ptr<PoseReceiver>> open_udp_receiver(const LinkAddress& address, const LinkOptions& options) {
  ZOE_TRY(check_udp_token(address.host, options.token));
  ZOE_TRY_ASSIGN(Socket socket, bound_udp(address));
  return std::unique_ptr<PoseReceiver>(std::make_unique<UdpReceiver>(std::move(socket), options.token));
}

}  // namespace zoe::stream
