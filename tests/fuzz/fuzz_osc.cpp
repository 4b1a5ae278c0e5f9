// SPDX-License-Identifier: MIT
// Datagrams of a VTuber program: OSC, and the frames of an actor. Two bytes with its length precede each datagram.
#include <cstddef>
#include <cstdint>
#include <span>

#include "zoe/core/check.h"

#include "stream/vmc_frames.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::byte> rest = std::as_bytes(std::span(data, size));
  zoe::stream::VmcFrames frames(0);
  zoe::stream::Frame frame;
  while (rest.size() > 2) {
    const std::size_t wanted = static_cast<std::size_t>(rest[0]) * 256 + static_cast<std::size_t>(rest[1]);
    rest = rest.subspan(2);
    const std::span<const std::byte> datagram = rest.first(wanted < rest.size() ? wanted : rest.size());
    rest = rest.subspan(datagram.size());
    frames.add(datagram, 0);
    if (!frames.take(frame)) continue;
    ZOE_CHECK(frame.pose.rotations.size() == static_cast<std::size_t>(frame.subject.skeleton->num_joints()),
              "a pose does not fit its skeleton");
  }
  return 0;
}
