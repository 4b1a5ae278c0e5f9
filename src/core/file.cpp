// SPDX-License-Identifier: MIT
#include "zoe/core/file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zoe/core/output_file.h"

namespace zoe {
namespace {

Error system_error(const std::filesystem::path& path, const char* action) {
  return {ErrorCode::kIo, fmt::format("cannot {}: {}", action, std::strerror(errno)), {.file = path.string()}};
}

// Closes the file on every return.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// Returns false with errno set when the system refuses.
bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, Access access) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return system_error(path, "open");
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return system_error(path, "stat");
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::kIo, "is a folder; name a file in it", {.file = path.string()}};
  if (!S_ISREG(info.st_mode)) {
    return Error{
        ErrorCode::kIo, "is a device or a pipe, not a file; save the data to a file first", {.file = path.string()}};
  }
  MappedFile mapped;
  mapped.size_ = static_cast<std::size_t>(info.st_size);
  if (mapped.size_ == 0) return mapped;
  // MAP_POPULATE: readers read the whole file once, so one call is faster than a page fault every 4 KiB.
  const int flags = MAP_PRIVATE | (access == Access::kWhole ? MAP_POPULATE : 0);
  void* data = ::mmap(nullptr, mapped.size_, PROT_READ, flags, file.fd, 0);
  if (data == MAP_FAILED) {
    mapped.size_ = 0;
    return system_error(path, "map");
  }
  mapped.data_ = static_cast<const std::byte*>(data);
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
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<void> write_file_atomic(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts) {
  ZOE_TRY_ASSIGN(StagedFile staged, StagedFile::create(path));
  Descriptor file{::open(staged.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, staged.mode())};
  if (file.fd < 0) return system_error(path, "write");
  for (const std::span<const std::byte> part : parts) {
    if (!write_all(file.fd, part)) return system_error(path, "write");
  }
  // Devices and read-only file systems know no fsync.
  if (::fsync(file.fd) != 0 && errno != EINVAL && errno != EROFS) return system_error(path, "sync");
  if (::close(std::exchange(file.fd, -1)) != 0) return system_error(path, "close");
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
  const Descriptor opened{::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (opened.fd < 0) return system_error(folder, "open");
  if (::fsync(opened.fd) != 0 && errno != EINVAL && errno != EROFS) return system_error(folder, "sync");
  return {};
}

}  // namespace zoe
