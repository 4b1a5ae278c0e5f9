// SPDX-License-Identifier: MIT
// Part of Zoetrope. Files: memory-mapped reading, and atomic writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe {

// A file's bytes, mapped read-only. Movable. The span is valid as long as the object. An empty file maps to an empty
// span.
class MappedFile {
 public:
  enum class Access : unsigned char {
    kWhole,   // Sequential access: everything is read at once.
    kSparse,  // Random access, for data larger than memory: pages are read on first access.
  };
  static Result<MappedFile> open(const std::filesystem::path& path, Access access = Access::kWhole);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// Writes beside the target under a temporary name, syncs, then renames. Readers see the old file or the new one, never
// a part. Creates missing parent folders.
Result<void> write_file_atomic(const std::filesystem::path& path, std::span<const std::byte> bytes);
Result<void> write_file_atomic(const std::filesystem::path& path, std::string_view text);
// Writes the parts one after another, without joining them in memory.
Result<void> write_file_atomic(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts);
Result<void> write_file_atomic(const std::filesystem::path& path,
                               std::initializer_list<std::span<const std::byte>> parts);

// Makes names in the folder, such as those of a rename, survive a power loss. Does nothing on systems that cannot do
// this.
Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace zoe
