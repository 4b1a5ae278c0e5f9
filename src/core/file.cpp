// SPDX-License-Identifier: MIT
#include "zoe/core/file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/output_file.h"

#include "core/system.h"

namespace zoe {
namespace {

Error system_error(const std::filesystem::path& path, const char* action) {
  return {ErrorCode::kIo, fmt::format("cannot {}: {}", action, std::strerror(errno)), {.file = path.string()}};
}

// Closes the file on every return.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) system::close_file(fd);
  }
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, Access access) {
  const Descriptor file{system::open_file(path, system::Purpose::kRead)};
  if (file.fd < 0) return system_error(path, "open");
  system::FileInfo info;
  if (!system::get_info(file.fd, info)) return system_error(path, "stat");
  if (info.is_folder) return Error{ErrorCode::kIo, "is a folder; name a file in it", {.file = path.string()}};
  if (!info.is_regular) {
    return Error{
        ErrorCode::kIo, "is a device or a pipe, not a file; save the data to a file first", {.file = path.string()}};
  }
  MappedFile mapped;
  mapped.size_ = static_cast<std::size_t>(info.size);
  if (mapped.size_ == 0) return mapped;
  // Readers read the whole file once, so one call is faster than a page fault every 4 KiB.
  mapped.data_ = system::map_file(file.fd, mapped.size_, access == Access::kWhole);
  if (mapped.data_ == nullptr) {
    mapped.size_ = 0;
    return system_error(path, "map");
  }
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) system::unmap_file(data_, size_);
}

Result<void> write_file_atomic(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts) {
  ZOE_TRY_ASSIGN(StagedFile staged, StagedFile::create(path));
  Descriptor file{system::open_file(staged.path(), system::Purpose::kWrite, staged.mode())};
  if (file.fd < 0) return system_error(path, "write");
  for (const std::span<const std::byte> part : parts) {
    if (!system::write_all(file.fd, part)) return system_error(path, "write");
  }
  if (!system::sync_file(file.fd)) return system_error(path, "sync");
  if (!system::close_file(std::exchange(file.fd, -1))) return system_error(path, "close");
  return staged.commit();
}

Result<void> write_file_atomic(const std::filesystem::path& path,
                               std::initializer_list<std::span<const std::byte>> parts) {
  return write_file_atomic(path, std::span(parts.begin(), parts.size()));
}

Result<void> write_file_atomic(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  return write_file_atomic(path, std::span(&bytes, 1));
}

Result<void> write_file_atomic(const std::filesystem::path& path, std::string_view text) {
  return write_file_atomic(path, as_bytes(text));
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  if (!system::sync_folder(folder)) return system_error(folder, "sync");
  return {};
}

}  // namespace zoe
