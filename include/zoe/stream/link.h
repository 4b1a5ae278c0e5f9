// SPDX-License-Identifier: MIT
// Part of Zoetrope. Links that carry poses to and from other programs, by their address:
//
//   udp://HOST:PORT   packets in datagrams, cut into pieces above 1400 bytes; the receiver listens
//   tcp://HOST:PORT   packets one after another; the sender listens, as the steering port (port.h) does
//   ws://HOST:PORT    the same in the frames of a WebSocket, for browsers; the sender listens
//   zmq://HOST:PORT   ZeroMQ, one packet a message; the sender publishes, receivers subscribe
//   vmc://HOST:PORT   Virtual Motion Capture Protocol (OSC) of VTuber programs: people only; the receiver listens
//
//   const auto sender = open_sender("udp://127.0.0.1:7070").value();
//   sender->add({.id = 0, .name = "walker", .fps = 60, .skeleton = skeleton});
//   sender->send(0, time_ns, state->pose());
//
// Nothing waits for a slow receiver: it misses whole frames.
#pragma once

#include <memory>
#include <string>

#include "zoe/stream/packet.h"

namespace zoe::stream {

struct LinkCounts {
  std::uint64_t sent = 0;     // Packets.
  std::uint64_t dropped = 0;  // Packets that the system, or one of the receivers, did not take.
  std::uint64_t refused = 0;  // Lines of clients that are no command, or have the wrong token.
};

struct LinkOptions {
  // udp, tcp, ws: of the one that listens. Empty on 127.x only; 8 to 256 letters, digits or -._+/= (udp: 64).
  std::string token;
  std::string peer;  // vmc receivers: the one address that may send. Empty on 127.x only.
  int actors = 1;    // vmc receivers: the actors, on that many ports from the address's on.
};

class PoseSender {
 public:
  virtual ~PoseSender() = default;
  // Before its poses. Skeletons are sent again each second, so that receivers may come at any time.
  virtual Result<void> add(const Subject& subject) = 0;
  virtual void send(std::uint32_t subject, std::int64_t time_ns, const PoseView& pose) = 0;
  // Connects those that wait. The number of receivers, or -1 where a link cannot know.
  virtual int receivers() { return -1; }
  // Of a sender that listens; 0 for others.
  virtual int port() const { return 0; }
  // Tells receivers that nothing more comes. May wait for slow ones, 0.2 s each.
  virtual void end() = 0;
  virtual LinkCounts counts() const = 0;
};

class PoseReceiver {
 public:
  enum class Got : std::uint8_t { kNothing, kPose, kEnd };
  virtual ~PoseReceiver() = default;
  // Waits at most wait_ms.
  virtual Got receive(Frame& out, int wait_ms) = 0;
  virtual int port() const = 0;
  virtual DecodeCounts counts() const = 0;
};

// Port 0 of the one that listens: any free one. Refuses other schemes, and hosts that are no IPv4 address or
// "localhost".
Result<std::unique_ptr<PoseSender>> open_sender(const std::string& address, const LinkOptions& options = {});
Result<std::unique_ptr<PoseReceiver>> open_receiver(const std::string& address, const LinkOptions& options = {});

// Parts of an address.
struct LinkAddress {
  std::string scheme, host;
  int port = 0;
};
Result<LinkAddress> parse_link(const std::string& address);

}  // namespace zoe::stream
