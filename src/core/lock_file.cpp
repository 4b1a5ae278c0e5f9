// SPDX-License-Identifier: MIT
#include "zoe/core/lock_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/system.h"

namespace zoe {
namespace {

// "process 4711 on node7", as the owner wrote it.
std::string owner_of(int fd) {
  const std::string owner = system::read_start(fd, 299);
  const std::string line = owner.substr(0, owner.find('\n'));
  return line.empty() ? "another process" : line;
}

// The name may lead to a file that another process has created since: its former owner removed ours.
bool is_still(int fd, const std::filesystem::path& path) {
  system::FileInfo ours, named;
  return system::get_info(fd, ours) && system::get_info(path, named) && ours.device == named.device &&
         ours.node == named.node;
}

}  // namespace

Result<LockFile> LockFile::take(const std::filesystem::path& path, const std::filesystem::path& subject) {
  const auto failed = [&](const char* what) {
    return Error{ErrorCode::kIo, fmt::format("cannot {}: {}", what, std::strerror(errno)), {.file = path.string()}};
  };
  for (;;) {
    const int fd = system::open_file(path, system::Purpose::kLock);
    if (fd < 0) return failed("write");
    if (!system::lock_file(fd)) {
      const bool held = errno == EWOULDBLOCK;
      const std::string owner = owner_of(fd);
      const Error error = held ? Error{ErrorCode::kIo,
                                       fmt::format("{} is writing here; wait for it, or name another folder", owner),
                                       {.file = subject.string()}}
                               : failed("lock");
      system::close_file(fd);
      return error;
    }
    if (!is_still(fd, path)) {
      system::close_file(fd);
      continue;
    }
    LockFile lock(fd, path);
    const std::string owner = fmt::format("process {} on {}\n", system::process_id(), system::machine_name());
    if (!system::replace_content(fd, owner)) return failed("write");
    return lock;
  }
}

LockFile::LockFile(LockFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

LockFile::~LockFile() {
  if (fd_ < 0) return;
  std::error_code ignored;
  // Before the release: a process that opened the file meanwhile notices, and opens again.
  std::filesystem::remove(path_, ignored);
  system::close_file(fd_);
}

}  // namespace zoe
