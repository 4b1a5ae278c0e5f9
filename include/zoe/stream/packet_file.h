// SPDX-License-Identifier: MIT
// Part of Zoetrope. Recorded packets (.zoep): what a link brought, of all subjects, one packet after another. A
// recording can be sent again as it was.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>

#include "zoe/core/file.h"
#include "zoe/core/output_file.h"
#include "zoe/stream/packet.h"

namespace zoe::stream {

class PacketRecorder {
 public:
  static Result<PacketRecorder> create(const std::filesystem::path& path);
  void add(const Frame& frame);
  std::uint64_t num_frames() const { return num_frames_; }
  // The file has its name only after it.
  Result<void> finish();

 private:
  PacketRecorder(StagedFile staged, std::ofstream out) : staged_(std::move(staged)), out_(std::move(out)) {}
  struct Written {
    SkeletonPtr skeleton;
    std::uint64_t hash = 0, sequence = 0;
  };
  StagedFile staged_;
  std::ofstream out_;
  std::map<std::uint32_t, Written> subjects_;
  std::vector<std::byte> packet_;
  std::uint64_t num_frames_ = 0;
};

// The whole file is checked by open(). Frames come in the order of the recording.
class PacketFile {
 public:
  static Result<PacketFile> open(const std::filesystem::path& path);
  const std::vector<Subject>& subjects() const { return subjects_; }
  std::uint64_t num_frames() const { return num_frames_; }
  bool next(Frame& out);
  void rewind();

 private:
  MappedFile file_;
  std::size_t at_ = 0;
  std::vector<Subject> subjects_;
  std::uint64_t num_frames_ = 0;
  PacketDecoder decoder_;
};

}  // namespace zoe::stream
