// SPDX-License-Identifier: MIT
// Part of Zoetrope. What core asks of the operating system: files by number, memory maps, locks, terminals. One file
// for POSIX and one for Windows implement it. Functions that return false or -1 leave the reason in errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

namespace zoe::system {

enum class Purpose : unsigned char {
  kRead,
  kWrite,  // Creates the file, or empties it.
  kLock,   // Read and write. Creates the file; keeps what is in it.
};
// A file number, or -1. `mode`: access rights of a new file, as in POSIX.
int open_file(const std::filesystem::path& path, Purpose purpose, unsigned mode = 0644);
bool close_file(int file);
bool write_all(int file, std::span<const std::byte> bytes);
// Waits until the bytes are on the disk. Devices and read-only file systems, which know no such thing, are right.
bool sync_file(int file);
bool sync_folder(const std::filesystem::path& folder);

struct FileInfo {
  bool is_folder = false, is_regular = false;
  std::uint64_t size = 0;
  unsigned mode = 0;                   // Access rights, as in POSIX.
  std::uint64_t device = 0, node = 0;  // Equal for two names of one file.
};
bool get_info(int file, FileInfo& info);
bool get_info(const std::filesystem::path& path, FileInfo& info);
bool can_write(const std::filesystem::path& path);
void set_mode(const std::filesystem::path& path, unsigned mode);

// The whole file, size > 0, or null. `read_now`: one read instead of one for each page.
const std::byte* map_file(int file, std::size_t size, bool read_now);
void unmap_file(const std::byte* data, std::size_t size);

// False at once, with errno EWOULDBLOCK, where another process has the lock. Closing the file releases it.
bool lock_file(int file);
std::string read_start(int file, std::size_t max_bytes);
bool replace_content(int file, const std::string& text);

int process_id();
void name_thread(const std::string& name);  // The calling one, for debuggers; at most 15 characters.
std::string machine_name();
bool is_terminal(std::FILE* stream);
std::size_t terminal_columns(std::FILE* stream);  // 0: unknown.

}  // namespace zoe::system
