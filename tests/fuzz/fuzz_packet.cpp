// SPDX-License-Identifier: MIT
// Datagrams from a network: pieces are joined, packets decoded. A length byte precedes each datagram.
#include <cstddef>
#include <cstdint>
#include <span>

#include "zoe/core/check.h"
#include "zoe/stream/packet.h"

#include "stream/pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::byte> rest = std::as_bytes(std::span(data, size));
  zoe::stream::PieceJoiner joiner;
  zoe::stream::PacketDecoder decoder;
  zoe::stream::Frame frame;
  while (rest.size() > 2) {
    const std::size_t wanted = static_cast<std::size_t>(rest[0]) * 256 + static_cast<std::size_t>(rest[1]);
    rest = rest.subspan(2);
    const std::span<const std::byte> datagram = rest.first(wanted < rest.size() ? wanted : rest.size());
    rest = rest.subspan(datagram.size());
    const std::span<const std::byte> packet = joiner.add(datagram);
    if (packet.empty() || decoder.decode(packet, frame) != zoe::stream::PacketDecoder::Got::kPose) continue;
    ZOE_CHECK(frame.pose.rotations.size() == static_cast<std::size_t>(frame.subject.skeleton->num_joints()),
              "a pose does not fit its skeleton");
  }
  return 0;
}
