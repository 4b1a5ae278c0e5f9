// SPDX-License-Identifier: MIT
#include "zoe/core/lock_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zoe {
namespace {

std::string machine_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? name : "an unknown machine";
}

// "process 4711 on node7", as the owner wrote it.
std::string owner_of(int fd) {
  char text[300] = {};
  const ssize_t count = ::pread(fd, text, sizeof(text) - 1, 0);
  const std::string owner(text, count > 0 ? static_cast<std::size_t>(count) : 0);
  const std::string line = owner.substr(0, owner.find('\n'));
  return line.empty() ? "another process" : line;
}

// The name may lead to a file that another process has created since: its former owner removed ours.
bool is_still(int fd, const std::filesystem::path& path) {
  struct stat ours {};
  struct stat named {};
  return ::fstat(fd, &ours) == 0 && ::stat(path.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
         ours.st_ino == named.st_ino;
}

}  // namespace

Result<LockFile> LockFile::take(const std::filesystem::path& path, const std::filesystem::path& subject) {
  const auto failed = [&](const char* what) {
    return Error{ErrorCode::kIo, fmt::format("cannot {}: {}", what, std::strerror(errno)), {.file = path.string()}};
  };
  for (;;) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return failed("write");
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const bool held = errno == EWOULDBLOCK;
      const std::string owner = owner_of(fd);
      const Error error = held ? Error{ErrorCode::kIo,
                                       fmt::format("{} is writing here; wait for it, or name another folder", owner),
                                       {.file = subject.string()}}
                               : failed("lock");
      ::close(fd);
      return error;
    }
    if (!is_still(fd, path)) {
      ::close(fd);
      continue;
    }
    LockFile lock(fd, path);
    const std::string owner = fmt::format("process {} on {}\n", ::getpid(), machine_name());
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size()))
      return failed("write");
    return lock;
  }
}

LockFile::LockFile(LockFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

LockFile::~LockFile() {
  if (fd_ < 0) return;
  ::unlink(path_.c_str());  // Before the release: a process that opened the file meanwhile notices, and opens again.
  ::close(fd_);
}

}  // namespace zoe
