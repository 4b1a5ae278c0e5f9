// SPDX-License-Identifier: MIT
// Compiled by mingw-w64 and run in Wine. Names are UTF-16; files are binary, not inherited, and may be removed or
// renamed while they are open, as in POSIX.
#include <algorithm>
#include <cerrno>
#include <cstring>

// The order matters to Windows.
// clang-format off
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <process.h>
#include <sys/stat.h>
// clang-format on

#include "core/system.h"

namespace zoe::system {
namespace {

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(_get_osfhandle(file)); }

// errno for the last error of Windows.
bool failed() {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
    case ERROR_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
      errno = ENOMEM;
      break;
    default:
      errno = EIO;
  }
  return false;
}

FileInfo info_of(const BY_HANDLE_FILE_INFORMATION& found) {
  const bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  const bool is_read_only = (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
  return {is_folder,
          !is_folder,
          (static_cast<std::uint64_t>(found.nFileSizeHigh) << 32) | found.nFileSizeLow,
          is_read_only ? 0444U : 0644U,
          found.dwVolumeSerialNumber,
          (static_cast<std::uint64_t>(found.nFileIndexHigh) << 32) | found.nFileIndexLow};
}

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

}  // namespace

int open_file(const std::filesystem::path& path, Purpose purpose, unsigned) {
  const bool reads = purpose == Purpose::kRead;
  const DWORD access = reads ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
  const DWORD creation = reads ? OPEN_EXISTING : purpose == Purpose::kWrite ? CREATE_ALWAYS : OPEN_ALWAYS;
  // With the flag for backups folders open too, so that the caller can say that the file is one.
  const DWORD flags = reads ? FILE_FLAG_BACKUP_SEMANTICS : FILE_ATTRIBUTE_NORMAL;
  HANDLE handle = CreateFileW(path.c_str(), access, kShared, nullptr, creation, flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return failed() ? 0 : -1;
  const int file = _open_osfhandle(reinterpret_cast<intptr_t>(handle), (reads ? _O_RDONLY : _O_RDWR) | _O_BINARY);
  if (file < 0) CloseHandle(handle);
  return file;
}

bool close_file(int file) { return _close(file) == 0; }

bool write_all(int file, std::span<const std::byte> bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const int written = _write(file, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), kMost)));
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool sync_file(int file) { return _commit(file) == 0; }
// Windows has no such call; NTFS keeps the order of changes in its journal.
bool sync_folder(const std::filesystem::path& folder) {
  FileInfo info;
  return get_info(folder.empty() ? "." : folder, info);
}

bool get_info(int file, FileInfo& info) {
  BY_HANDLE_FILE_INFORMATION found{};
  if (GetFileType(handle_of(file)) != FILE_TYPE_DISK) {  // A pipe or a console.
    info = {};
    return true;
  }
  if (GetFileInformationByHandle(handle_of(file), &found) == 0) return failed();
  info = info_of(found);
  return true;
}

bool get_info(const std::filesystem::path& path, FileInfo& info) {
  HANDLE handle = CreateFileW(path.c_str(), 0, kShared, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return failed();
  BY_HANDLE_FILE_INFORMATION found{};
  const bool done = GetFileInformationByHandle(handle, &found) != 0 || failed();
  CloseHandle(handle);
  if (done) info = info_of(found);
  return done;
}

bool can_write(const std::filesystem::path& path) { return _waccess(path.c_str(), 2) == 0; }

void set_mode(const std::filesystem::path& path, unsigned mode) {
  (void)_wchmod(path.c_str(), (mode & 0200U) != 0 ? _S_IREAD | _S_IWRITE : _S_IREAD);
}

const std::byte* map_file(int file, std::size_t, bool) {
  HANDLE mapping = CreateFileMappingW(handle_of(file), nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (mapping == nullptr) return failed(), nullptr;
  const void* data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
  if (data == nullptr) failed();
  CloseHandle(mapping);  // The view holds it.
  return static_cast<const std::byte*>(data);
}

void unmap_file(const std::byte* data, std::size_t) { UnmapViewOfFile(data); }

// Locks of Windows keep others from reading. So this one is on a byte far behind the end.
bool lock_file(int file) {
  OVERLAPPED at{};
  at.OffsetHigh = 0x40000000;
  if (LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at) != 0) return true;
  if (GetLastError() != ERROR_LOCK_VIOLATION && GetLastError() != ERROR_IO_PENDING) return failed();
  errno = EWOULDBLOCK;
  return false;
}

std::string read_start(int file, std::size_t max_bytes) {
  std::string text(max_bytes, '\0');
  const int count = _lseeki64(file, 0, SEEK_SET) == 0 ? _read(file, text.data(), static_cast<unsigned>(max_bytes)) : 0;
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

bool replace_content(int file, const std::string& text) {
  return _chsize_s(file, 0) == 0 && _lseeki64(file, 0, SEEK_SET) == 0 &&
         write_all(file, std::as_bytes(std::span(text)));
}

int process_id() { return _getpid(); }

void name_thread(const std::string& name) { pthread_setname_np(pthread_self(), name.c_str()); }

std::string machine_name() {
  char name[MAX_COMPUTERNAME_LENGTH + 1] = {};
  DWORD size = sizeof name;
  return GetComputerNameA(name, &size) != 0 ? name : "an unknown machine";
}

bool is_terminal(std::FILE* stream) { return _isatty(_fileno(stream)) != 0; }

std::size_t terminal_columns(std::FILE* stream) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (GetConsoleScreenBufferInfo(handle_of(_fileno(stream)), &info) == 0) return 0;
  return static_cast<std::size_t>(std::max(0, info.srWindow.Right - info.srWindow.Left + 1));
}

}  // namespace zoe::system
