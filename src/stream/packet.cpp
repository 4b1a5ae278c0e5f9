// SPDX-License-Identifier: MIT
#include "zoe/stream/packet.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/core/hash64.h"

#include "stream/skeleton_text.h"

namespace zoe::stream {
namespace {

constexpr std::uint32_t kMagic = 0x50454F5A;  // "ZOEP"
constexpr std::uint8_t kVersion = 1;
constexpr std::uint16_t kAllTranslations = 1, kScales = 2;  // Flags.

Error damaged(std::string what) { return {ErrorCode::kSyntax, "pose packet: " + std::move(what), {}}; }

void append_header(const PacketHeader& header, std::vector<std::byte>& out) {
  append_le(out, kMagic);
  append_le(out, kVersion);
  append_le(out, static_cast<std::uint8_t>(header.kind));
  append_le(out, header.flags);
  append_le(out, header.subject);
  append_le(out, header.num_joints);
  append_le(out, header.skeleton_hash);
  append_le(out, header.sequence);
  append_le(out, header.time_ns);
  append_le(out, header.sent_ns);
  append_le(out, header.payload_bytes);
  append_le(out, std::uint32_t{0});
}

std::size_t pose_bytes(std::uint16_t flags, std::size_t joints) {
  const std::size_t translations = (flags & kAllTranslations) != 0 ? joints : 1;
  return sizeof(float) * (3 * translations + 4 * joints + ((flags & kScales) != 0 ? 3 * joints : 0));
}

void append_bytes(std::span<const std::byte> bytes, std::vector<std::byte>& out) {
  out.insert(out.end(), bytes.begin(), bytes.end());  // Not memcpy, whose pointer must not be null: no scales.
}

template <typename T>
const std::byte* copy_floats(const std::byte* from, std::span<T> to) {
  std::memcpy(to.data(), from, to.size_bytes());
  return from + to.size_bytes();
}

bool all_finite(const Pose& pose) {
  float sum = 0;
  for (const Vec3& t : pose.translations) sum += 0 * (t.x + t.y + t.z);
  for (const Vec3& s : pose.scales) sum += 0 * (s.x + s.y + s.z);
  return sum == 0;  // Not a number where one was infinite or none.
}

// False: a rotation has no direction.
bool normalise_rotations(Pose& pose) {
  for (Quat& q : pose.rotations) {
    const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0.5F && length < 2)) return false;
    q = {q.x / length, q.y / length, q.z / length, q.w / length};
  }
  return true;
}

bool read_pose(const PacketHeader& header, std::span<const std::byte> payload, const Skeleton& skeleton, Pose& pose) {
  if (pose.rotations.size() != header.num_joints) pose = make_pose(skeleton);
  const std::byte* at = payload.data();
  if ((header.flags & kAllTranslations) != 0) {
    at = copy_floats(at, std::span(pose.translations));
  } else {
    for (std::size_t j = 1; j < pose.translations.size(); ++j)
      pose.translations[j] = skeleton.rest_local(static_cast<int>(j)).translation;
    at = copy_floats(at, std::span(pose.translations).first(1));
  }
  at = copy_floats(at, std::span(pose.rotations));
  pose.scales.assign(header.num_joints, Vec3{1, 1, 1});
  if ((header.flags & kScales) != 0) copy_floats(at, std::span(pose.scales));
  return all_finite(pose) && normalise_rotations(pose);
}

}  // namespace

Result<PacketHeader> read_header(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) return damaged(fmt::format("{} bytes, less than a header", bytes.size()));
  const std::byte* at = bytes.data();
  if (load_le<std::uint32_t>(at) != kMagic) return damaged("does not start with ZOEP");
  if (const auto version = load_le<std::uint8_t>(at + 4); version != kVersion) {
    return Error{ErrorCode::kUnsupported, fmt::format("pose packet: version {}, not {}", version, kVersion), {}};
  }
  PacketHeader header;
  const auto kind = load_le<std::uint8_t>(at + 5);
  if (kind < 1 || kind > 3) return damaged(fmt::format("unknown type {}", kind));
  header.kind = static_cast<PacketKind>(kind);
  header.flags = load_le<std::uint16_t>(at + 6);
  header.subject = load_le<std::uint32_t>(at + 8);
  header.num_joints = load_le<std::uint32_t>(at + 12);
  header.skeleton_hash = load_le<std::uint64_t>(at + 16);
  header.sequence = load_le<std::uint64_t>(at + 24);
  header.time_ns = load_le<std::int64_t>(at + 32);
  header.sent_ns = load_le<std::int64_t>(at + 40);
  header.payload_bytes = load_le<std::uint32_t>(at + 48);
  if (header.num_joints > kMaxPacketJoints) return damaged(fmt::format("{} joints", header.num_joints));
  if (header.payload_bytes > kMaxPayloadBytes) return damaged(fmt::format("{} bytes", header.payload_bytes));
  if (header.kind == PacketKind::kPose &&
      (header.num_joints == 0 || header.payload_bytes != pose_bytes(header.flags, header.num_joints))) {
    return damaged(fmt::format("{} bytes for {} joints", header.payload_bytes, header.num_joints));
  }
  return header;
}

std::uint64_t packet_hash(const Subject& subject) {
  const std::string text = skeleton_text(subject);
  return hash64(std::as_bytes(std::span(text)));
}

std::vector<std::byte> skeleton_packet(const Subject& subject) {
  const std::string text = skeleton_text(subject);
  std::vector<std::byte> out;
  append_header({.kind = PacketKind::kSkeleton,
                 .subject = subject.id,
                 .num_joints = static_cast<std::uint32_t>(subject.skeleton->num_joints()),
                 .skeleton_hash = hash64(std::as_bytes(std::span(text))),
                 .payload_bytes = static_cast<std::uint32_t>(text.size())},
                out);
  append_bytes(std::as_bytes(std::span(text)), out);
  return out;
}

void write_pose_packet(PacketHeader header, const PoseView& pose, std::vector<std::byte>& out) {
  header.kind = PacketKind::kPose;
  header.num_joints = static_cast<std::uint32_t>(pose.rotations.size());
  header.flags = static_cast<std::uint16_t>(kAllTranslations | (pose.scales.empty() ? 0 : kScales));
  header.payload_bytes = static_cast<std::uint32_t>(pose_bytes(header.flags, header.num_joints));
  out.clear();
  append_header(header, out);
  append_bytes(std::as_bytes(pose.translations), out);
  append_bytes(std::as_bytes(pose.rotations), out);
  append_bytes(std::as_bytes(pose.scales), out);
}

void write_end_packet(std::uint32_t subject, std::vector<std::byte>& out) {
  out.clear();
  append_header({.kind = PacketKind::kEnd, .subject = subject}, out);
}

PacketDecoder::Got PacketDecoder::decode(std::span<const std::byte> packet, Frame& out) {
  const Result<PacketHeader> header = read_header(packet);
  if (!header || packet.size() != kHeaderBytes + header->payload_bytes) {
    ++counts_.refused;
    return Got::kNothing;
  }
  const std::span<const std::byte> payload = packet.subspan(kHeaderBytes);
  if (header->kind == PacketKind::kEnd) return Got::kEnd;
  const auto found = known_.find(header->subject);
  if (header->kind == PacketKind::kSkeleton) {
    if (found != known_.end() && found->second.hash == header->skeleton_hash) return Got::kNothing;  // Sent again.
    Result<Subject> subject = hash64(payload) == header->skeleton_hash && known_.size() < kMaxSubjects
                                  ? read_skeleton_text(payload, header->subject)
                                  : damaged("the skeleton does not fit its hash");
    if (!subject || static_cast<std::uint32_t>(subject->skeleton->num_joints()) != header->num_joints) {
      ++counts_.refused;
      return Got::kNothing;
    }
    known_[header->subject] = {.subject = std::move(*subject), .hash = header->skeleton_hash};
    ++counts_.skeletons;
    return Got::kNothing;
  }
  if (found == known_.end() || found->second.hash != header->skeleton_hash) {
    ++counts_.early;
    return Got::kNothing;
  }
  Known& known = found->second;
  if (known.has_pose && header->sequence <= known.last_sequence) {
    ++counts_.late;
    return Got::kNothing;
  }
  if (header->num_joints != static_cast<std::uint32_t>(known.subject.skeleton->num_joints()) ||
      !read_pose(*header, payload, *known.subject.skeleton, out.pose)) {
    ++counts_.refused;
    return Got::kNothing;
  }
  known.has_pose = true;
  known.last_sequence = header->sequence;
  if (out.subject.skeleton != known.subject.skeleton || out.subject.id != known.subject.id) out.subject = known.subject;
  out.sequence = header->sequence;
  out.time_ns = header->time_ns;
  out.sent_ns = header->sent_ns;
  ++counts_.poses;
  return Got::kPose;
}

}  // namespace zoe::stream
