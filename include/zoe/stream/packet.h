// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pose packets: the bytes of characters on every transport (UDP, TCP, WebSocket, ZeroMQ) and in files
// of recorded packets. docs/stream.md has the layout. Right-handed, Y up, metres, little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/stream/subject.h"

namespace zoe::stream {

enum class PacketKind : std::uint8_t {
  kSkeleton = 1,  // JSON: name, fps, joints, parents, rest pose.
  kPose = 2,
  kEnd = 3,  // The sender stops.
};

struct PacketHeader {
  PacketKind kind = PacketKind::kPose;
  std::uint16_t flags = 0;
  std::uint32_t subject = 0;  // The character.
  std::uint32_t num_joints = 0;
  std::uint64_t skeleton_hash = 0;
  std::uint64_t sequence = 0;  // Of the subject; counts poses, so that gaps are lost ones.
  std::int64_t time_ns = 0;    // Of the motion.
  std::int64_t sent_ns = 0;    // The sender's steady clock.
  std::uint32_t payload_bytes = 0;
};
constexpr std::size_t kHeaderBytes = 56;
constexpr std::size_t kMaxPayloadBytes = std::size_t{4} << 20;

// Needs kHeaderBytes. Refuses other magic numbers, versions and sizes beyond the limits.
Result<PacketHeader> read_header(std::span<const std::byte> bytes);

std::vector<std::byte> skeleton_packet(const Subject& subject);
// Names the skeletons of pose packets.
std::uint64_t packet_hash(const Subject& subject);

// `out` keeps its memory. Sizes, flags and kind of `header` are filled in.
void write_pose_packet(PacketHeader header, const PoseView& pose, std::vector<std::byte>& out);
void write_end_packet(std::uint32_t subject, std::vector<std::byte>& out);

// One pose that came over a link.
struct Frame {
  Subject subject;
  std::uint64_t sequence = 0;
  std::int64_t time_ns = 0, sent_ns = 0;
  Pose pose;
};

struct DecodeCounts {
  std::uint64_t poses = 0, skeletons = 0;
  std::uint64_t refused = 0;  // Damaged packets.
  std::uint64_t early = 0;    // Poses before their skeleton.
  std::uint64_t late = 0;     // Poses older than one that came before, or twice.
};

// Packets of any subjects, in any order, trusted or not.
class PacketDecoder {
 public:
  enum class Got : std::uint8_t { kNothing, kPose, kEnd };
  // `packet` is a whole one. kPose: `out` is filled.
  Got decode(std::span<const std::byte> packet, Frame& out);
  const DecodeCounts& counts() const { return counts_; }

 private:
  static constexpr std::size_t kMaxSubjects = 1024;
  struct Known {
    Subject subject;
    std::uint64_t hash = 0, last_sequence = 0;
    bool has_pose = false;
  };
  std::map<std::uint32_t, Known> known_;
  DecodeCounts counts_;
};

}  // namespace zoe::stream
