// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes scalars for TensorBoard (events.out.tfevents.*). A record is u64 length, u32 masked CRC of
// it, the payload, u32 masked CRC of that. The payload is an Event in protobuf's encoding: 1 wall_time (double), 2 step
// (varint), 3 file_version (text), 5 summary{1 value{1 tag, 2 simple_value}}.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::train {

using Scalars = std::vector<std::pair<std::string, double>>;

class EventFile {
 public:
  // A new file in the folder. Its name contains the time and the process, so that resumed runs have separate files.
  static Result<EventFile> create(const std::filesystem::path& folder);

  EventFile(EventFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}
  EventFile& operator=(EventFile&& other) noexcept;
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;
  ~EventFile();

  Result<void> add(std::int64_t step, const Scalars& scalars);
  const std::filesystem::path& path() const { return path_; }

 private:
  EventFile(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  Result<void> append(const std::string& event);

  int fd_ = -1;
  std::filesystem::path path_;
};

}  // namespace zoe::train
