// SPDX-License-Identifier: MIT
// Part of Zoetrope. Zip archives as far as .npz needs them (PKWARE APPNOTE 6.3): stored and deflated entries, zip64 on
// reading; no encryption, no split archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::io {

struct ZipEntry {
  std::string_view name;  // A view into the archive.
  bool deflated = false;
  std::uint32_t crc32 = 0;
  std::size_t decoded_bytes = 0;  // As the directory claims. decode_entry checks it.
  std::size_t header_offset = 0;
  std::span<const std::byte> stored;  // The entry's bytes in the archive.
};

// All entries in directory order. Guaranteed: entries are inside the archive, none overlaps another, names are unique,
// a stored entry's sizes agree, and no claim exceeds the maximum ratio of deflate.
Result<std::vector<ZipEntry>> read_zip_directory(std::span<const std::byte> archive);

// Fills `out` (decoded_bytes long) and verifies length and checksum.
Result<void> decode_entry(const ZipEntry& entry, std::span<std::byte> out);
// The checksum of a stored entry.
Result<void> verify_entry(const ZipEntry& entry);
// Inflates the first bytes only, at most out.size(). Returns their number.
Result<std::size_t> decode_entry_start(const ZipEntry& entry, std::span<std::byte> out);

class ZipWriter {
 public:
  // Appends `head` and `body` as one entry. level 0: stored, with the body 64-byte aligned if head is; else deflated.
  Result<void> add(std::string_view name, std::string_view head, std::span<const std::byte> body, int level);
  Result<std::vector<std::byte>> finish();

 private:
  struct Record {
    std::string name;
    std::uint16_t method = 0;
    std::uint32_t crc32 = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t decoded_bytes = 0;
    std::uint32_t header_offset = 0;
  };
  void append_common(const Record& record, std::uint16_t extra_bytes);

  std::vector<std::byte> out_;
  std::vector<Record> records_;
};

}  // namespace zoe::io
