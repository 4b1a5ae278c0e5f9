// SPDX-License-Identifier: MIT
// Part of Zoetrope. People from VTuber programs by the Virtual Motion Capture Protocol, an actor a port.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/sockets.h"
#include "stream/token.h"
#include "stream/vmc_frames.h"

namespace zoe::stream {
namespace {

class VmcReceiver : public PoseReceiver {
 public:
  VmcReceiver(std::vector<Socket> sockets, const std::string& peer) : sockets_(std::move(sockets)), buffer_(65536) {
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      frames_.emplace_back(static_cast<std::uint32_t>(i));
      waiting_.push_back({.fd = sockets_[i].fd(), .events = POLLIN, .revents = 0});
    }
    if (!peer.empty()) ::inet_pton(AF_INET, peer.c_str(), &peer_);
  }
  int port() const override { return port_of(sockets_[0]); }

  Got receive(Frame& out, int wait_ms) override {
    const std::int64_t until_ns = steady_ns() + std::int64_t{wait_ms} * 1'000'000;
    for (;;) {
      std::size_t ended = 0;
      for (VmcFrames& frames : frames_) {
        if (frames.take(out)) return Got::kPose;
        ended += frames.has_ended() ? 1 : 0;
      }
      if (ended == frames_.size()) return Got::kEnd;
      if (read_datagrams()) continue;
      const std::int64_t left_ms = (until_ns - steady_ns()) / 1'000'000;
      if (left_ms <= 0) return Got::kNothing;
      ::poll(waiting_.data(), static_cast<nfds_t>(waiting_.size()), static_cast<int>(left_ms));
    }
  }

  DecodeCounts counts() const override {
    DecodeCounts sum;
    sum.refused = strangers_;
    for (const VmcFrames& frames : frames_) {
      sum.poses += frames.counts().poses;
      sum.skeletons += frames.counts().skeletons;
      sum.refused += frames.counts().refused;
    }
    return sum;
  }

 private:
  // One datagram a socket. False: none came.
  bool read_datagrams() {
    bool came = false;
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t got = ::recvfrom(sockets_[i].fd(), buffer_.data(), buffer_.size(), MSG_DONTWAIT,
                                     reinterpret_cast<sockaddr*>(&from), &size);
      if (got <= 0) continue;
      came = true;
      if (peer_.s_addr != 0 && from.sin_addr.s_addr != peer_.s_addr) {
        ++strangers_;
        continue;
      }
      frames_[i].add(std::span<const std::byte>(buffer_).first(static_cast<std::size_t>(got)), steady_ns());
    }
    return came;
  }

  std::vector<Socket> sockets_;
  std::vector<pollfd> waiting_;
  std::vector<VmcFrames> frames_;
  std::vector<std::byte> buffer_;
  in_addr peer_{};
  std::uint64_t strangers_ = 0;  // Datagrams of other addresses.
};

}  // namespace

Result<std::unique_ptr<PoseReceiver>> open_vmc_receiver(const LinkAddress& address, const LinkOptions& options) {
  in_addr peer{};
  if (!options.peer.empty() && ::inet_pton(AF_INET, options.peer.c_str(), &peer) != 1)
    return Error{ErrorCode::kUsage, fmt::format("'{}' is no IPv4 address, as 192.168.1.7 is", options.peer), {}};
  if (!is_loopback(address.host) && options.peer.empty()) {
    return Error{ErrorCode::kUsage,
                 "other machines can reach this address, and VMC has no token: name the sender (--peer), or listen on "
                 "127.0.0.1",
                 {}};
  }
  if (options.actors < 1 || options.actors > 64) return Error{ErrorCode::kUsage, "1 to 64 actors", {}};
  std::vector<Socket> sockets;
  for (int i = 0; i < options.actors; ++i) {
    LinkAddress at = address;
    at.port = (address.port != 0 || sockets.empty() ? address.port : port_of(sockets[0])) + (i > 0 ? i : 0);
    ZOE_TRY_ASSIGN(Socket socket, bound_udp(at));
    sockets.push_back(std::move(socket));
  }
  return std::unique_ptr<PoseReceiver>(std::make_unique<VmcReceiver>(std::move(sockets), options.peer));
}

}  // namespace zoe::stream
