// SPDX-License-Identifier: MIT
#include "zoe/stream/packet_file.h"

#include <algorithm>

namespace zoe::stream {

Result<PacketRecorder> PacketRecorder::create(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(StagedFile staged, StagedFile::create(path));
  std::ofstream out(staged.path(), std::ios::binary);
  if (!out) return Error{ErrorCode::kIo, "cannot be written", {.file = path.string()}};
  return PacketRecorder(std::move(staged), std::move(out));
}

void PacketRecorder::add(const Frame& frame) {
  const auto write = [&](std::span<const std::byte> bytes) {
    out_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  Written& written = subjects_[frame.subject.id];
  if (written.skeleton != frame.subject.skeleton) {
    written.skeleton = frame.subject.skeleton;
    written.hash = packet_hash(frame.subject);
    write(skeleton_packet(frame.subject));
  }
  write_pose_packet({.subject = frame.subject.id,
                     .skeleton_hash = written.hash,
                     .sequence = written.sequence++,
                     .time_ns = frame.time_ns,
                     .sent_ns = frame.sent_ns},
                    frame.pose.view(), packet_);
  write(packet_);
  ++num_frames_;
}

Result<void> PacketRecorder::finish() {
  out_.close();
  if (out_.fail()) return Error{ErrorCode::kIo, "the disk took not everything", {.file = staged_.path().string()}};
  return staged_.commit();
}

Result<PacketFile> PacketFile::open(const std::filesystem::path& path) {
  PacketFile out;
  ZOE_TRY_ASSIGN(out.file_, MappedFile::open(path));
  Frame frame;
  const std::span<const std::byte> bytes = out.file_.bytes();
  for (std::size_t at = 0; at < bytes.size();) {
    const Where where{.file = path.string(), .byte_offset = static_cast<std::int64_t>(at)};
    const Result<PacketHeader> header = read_header(bytes.subspan(at));
    if (!header) return Error{header.error().code, header.error().message, where};
    const std::size_t size = kHeaderBytes + header->payload_bytes;
    if (size > bytes.size() - at) return Error{ErrorCode::kSyntax, "the last packet is cut off", where};
    const bool is_pose = out.decoder_.decode(bytes.subspan(at, size), frame) == PacketDecoder::Got::kPose;
    if (out.decoder_.counts().refused > 0 || out.decoder_.counts().early > 0)
      return Error{ErrorCode::kInvalid, "a damaged packet", where};
    if (is_pose) {
      const auto is_same = [&](const Subject& one) { return one.id == frame.subject.id; };
      if (std::none_of(out.subjects_.begin(), out.subjects_.end(), is_same)) out.subjects_.push_back(frame.subject);
      ++out.num_frames_;
    }
    at += size;
  }
  if (out.subjects_.empty()) return Error{ErrorCode::kInvalid, "contains no poses", {.file = path.string()}};
  out.rewind();
  return out;
}

void PacketFile::rewind() {
  at_ = 0;
  decoder_ = {};
}

bool PacketFile::next(Frame& out) {
  const std::span<const std::byte> bytes = file_.bytes();
  while (at_ < bytes.size()) {
    const std::size_t size = kHeaderBytes + read_header(bytes.subspan(at_)).value().payload_bytes;
    const bool is_pose = decoder_.decode(bytes.subspan(at_, size), out) == PacketDecoder::Got::kPose;
    at_ += size;
    if (is_pose) return true;
  }
  return false;
}

}  // namespace zoe::stream
