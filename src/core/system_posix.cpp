// SPDX-License-Identifier: MIT
#include <cerrno>

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system.h"

namespace zoe::system {
namespace {

FileInfo info_of(const struct stat& found) {
  return {S_ISDIR(found.st_mode),
          S_ISREG(found.st_mode),
          static_cast<std::uint64_t>(found.st_size),
          static_cast<unsigned>(found.st_mode) & 07777U,
          static_cast<std::uint64_t>(found.st_dev),
          static_cast<std::uint64_t>(found.st_ino)};
}

}  // namespace

int open_file(const std::filesystem::path& path, Purpose purpose, unsigned mode) {
  const int flags = purpose == Purpose::kRead    ? O_RDONLY
                    : purpose == Purpose::kWrite ? O_WRONLY | O_CREAT | O_TRUNC
                                                 : O_RDWR | O_CREAT;
  return ::open(path.c_str(), flags | O_CLOEXEC, mode);
}

bool close_file(int file) { return ::close(file) == 0; }

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool sync_file(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS; }

bool sync_folder(const std::filesystem::path& folder) {
  const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool done = sync_file(opened);
  const int reason = errno;
  ::close(opened);
  errno = reason;
  return done;
}

bool get_info(int file, FileInfo& info) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return false;
  info = info_of(found);
  return true;
}

bool get_info(const std::filesystem::path& path, FileInfo& info) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return false;
  info = info_of(found);
  return true;
}

bool can_write(const std::filesystem::path& path) { return ::access(path.c_str(), W_OK) == 0; }

void set_mode(const std::filesystem::path& path, unsigned mode) {
  (void)::chmod(path.c_str(), static_cast<mode_t>(mode));
}

const std::byte* map_file(int file, std::size_t size, bool read_now) {
  int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
  if (read_now) flags |= MAP_POPULATE;
#else
  (void)read_now;
#endif
  void* data = ::mmap(nullptr, size, PROT_READ, flags, file, 0);
  return data == MAP_FAILED ? nullptr : static_cast<const std::byte*>(data);
}

void unmap_file(const std::byte* data, std::size_t size) { ::munmap(const_cast<std::byte*>(data), size); }

bool lock_file(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

std::string read_start(int file, std::size_t max_bytes) {
  std::string text(max_bytes, '\0');
  const ssize_t count = ::pread(file, text.data(), max_bytes, 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

bool replace_content(int file, const std::string& text) {
  return ::ftruncate(file, 0) == 0 && ::pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

int process_id() { return static_cast<int>(::getpid()); }

void name_thread(const std::string& name) {
#ifdef __EMSCRIPTEN__
  (void)name;  // There is one.
#else
  ::pthread_setname_np(::pthread_self(), name.c_str());
#endif
}

std::string machine_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? name : "an unknown machine";
}

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

std::size_t terminal_columns(std::FILE* stream) {
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace zoe::system
