// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"

#include "io/npz/zip.h"

namespace zoe::io {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kZip64EndSignature = 0x06064b50;
constexpr std::uint32_t kZip64LocatorSignature = 0x07064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kZip64EndBytes = 56;
constexpr std::size_t kZip64LocatorBytes = 20;
constexpr std::uint32_t kSeeZip64 = 0xffffffff;

// Deflate's densest code is 258 bytes in 2 bits: a ratio of 1032, plus a block's fixed cost.
constexpr std::uint64_t kMaxDeflateRatio = 1032;

Error broken(std::size_t offset, std::string message) {
  return {ErrorCode::kSyntax, std::move(message), {.byte_offset = static_cast<std::int64_t>(offset)}};
}

struct DirectoryPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t num_entries = 0;
  std::size_t end = 0;  // Start of the end record. No entry reaches past it.
};

class Directory {
 public:
  explicit Directory(std::span<const std::byte> archive) : archive_(archive) {}

  Result<std::vector<ZipEntry>> read() {
    ZOE_TRY_ASSIGN(const DirectoryPlace place, locate());
    // Each entry has at least its fixed part, so this also bounds the allocation.
    if (place.bytes > place.end || place.offset > place.end - place.bytes ||
        place.num_entries > place.bytes / kCentralBytes) {
      return broken(place.end, "the zip directory is outside the file");
    }
    std::vector<ZipEntry> entries;
    entries.reserve(place.num_entries);
    std::size_t at = place.offset;
    const std::size_t end = place.offset + place.bytes;
    for (std::uint64_t i = 0; i < place.num_entries; ++i) {
      ZOE_TRY_ASSIGN(ZipEntry entry, read_entry(at, end, place.offset));
      entries.push_back(entry);
    }
    ZOE_TRY(check_apart(entries));
    return entries;
  }

 private:
  template <typename T>
  T load(std::size_t offset) const {
    return load_le<T>(archive_.data() + offset);
  }
  bool fits(std::uint64_t offset, std::uint64_t bytes) const {
    return bytes <= archive_.size() && offset <= archive_.size() - bytes;
  }

  // The end record is the last part of the file, before a comment of known length.
  std::optional<std::size_t> find_end() const {
    if (archive_.size() < kEndBytes) return std::nullopt;
    const std::size_t last = archive_.size() - kEndBytes;
    const std::size_t first = last > 0xffff ? last - 0xffff : 0;
    for (std::size_t at = last + 1; at-- > first;) {
      if (load<std::uint32_t>(at) == kEndSignature && load<std::uint16_t>(at + 20) == last - at) return at;
    }
    return std::nullopt;
  }

  Result<DirectoryPlace> locate() const {
    const std::optional<std::size_t> end = find_end();
    if (!end) return broken(archive_.size(), "not a zip file, or cut off: it has no end record");
    DirectoryPlace place{load<std::uint32_t>(*end + 16), load<std::uint32_t>(*end + 12), load<std::uint16_t>(*end + 10),
                         *end};
    const bool zip64 = place.offset == kSeeZip64 || place.bytes == kSeeZip64 || place.num_entries == 0xffff;
    if (!zip64 || *end < kZip64LocatorBytes) return place;
    const std::size_t locator = *end - kZip64LocatorBytes;
    if (load<std::uint32_t>(locator) != kZip64LocatorSignature) return place;
    const auto record = load<std::uint64_t>(locator + 8);
    if (!fits(record, kZip64EndBytes) || load<std::uint32_t>(record) != kZip64EndSignature) {
      return broken(locator, "the zip64 end record is missing");
    }
    return DirectoryPlace{load<std::uint64_t>(record + 48), load<std::uint64_t>(record + 40),
                          load<std::uint64_t>(record + 32), static_cast<std::size_t>(record)};
  }

  // Replaces sizes that refer to zip64. They come in this order, each only if needed (APPNOTE 4.5.3).
  bool read_zip64_extra(std::size_t at, std::size_t end, std::span<std::uint64_t* const> fields) const {
    while (end - at >= 4) {
      const auto id = load<std::uint16_t>(at);
      const std::size_t bytes = load<std::uint16_t>(at + 2);
      at += 4;
      if (bytes > end - at) return false;
      if (id == 1) {
        std::size_t value = at;
        for (std::uint64_t* field : fields) {
          if (*field != kSeeZip64) continue;
          if (value + 8 > at + bytes) return false;
          *field = load<std::uint64_t>(value);
          value += 8;
        }
        return true;
      }
      at += bytes;
    }
    return false;
  }

  // Reads the directory's record at `at` and advances. Entries must end before `entries_end`.
  Result<ZipEntry> read_entry(std::size_t& at, std::size_t end, std::size_t entries_end) const {
    const std::size_t start = at;
    if (end - start < kCentralBytes || load<std::uint32_t>(start) != kCentralSignature) {
      return broken(start, "the zip directory is damaged");
    }
    const auto flags = load<std::uint16_t>(start + 8);
    const auto method = load<std::uint16_t>(start + 10);
    std::uint64_t stored_bytes = load<std::uint32_t>(start + 20);
    std::uint64_t decoded_bytes = load<std::uint32_t>(start + 24);
    const std::size_t name_bytes = load<std::uint16_t>(start + 28);
    const std::size_t extra_bytes = load<std::uint16_t>(start + 30);
    const std::size_t comment_bytes = load<std::uint16_t>(start + 32);
    std::uint64_t header_offset = load<std::uint32_t>(start + 42);
    if (end - start - kCentralBytes < name_bytes + extra_bytes + comment_bytes) {
      return broken(start, "the zip directory is cut off");
    }
    const std::size_t extra = start + kCentralBytes + name_bytes;
    at = extra + extra_bytes + comment_bytes;
    std::uint64_t* const fields[] = {&decoded_bytes, &stored_bytes, &header_offset};
    const bool zip64 =
        std::any_of(std::begin(fields), std::end(fields), [](auto* field) { return *field == kSeeZip64; });
    if (zip64 && !read_zip64_extra(extra, extra + extra_bytes, fields)) {
      return broken(start, "a zip64 entry lacks its sizes");
    }

    ZipEntry entry;
    entry.name = as_text(archive_).substr(start + kCentralBytes, name_bytes);
    if ((flags & 1) != 0) return Error{ErrorCode::kUnsupported, fmt::format("'{}' is encrypted", entry.name)};
    if (method != 0 && method != 8) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("'{}' uses zip method {}; only stored and deflated are read", entry.name, method)};
    }
    entry.deflated = method == 8;
    entry.crc32 = load<std::uint32_t>(start + 16);
    entry.decoded_bytes = decoded_bytes;
    entry.header_offset = header_offset;
    ZOE_TRY_ASSIGN(entry.stored, stored_part(entry.name, header_offset, stored_bytes, entries_end));
    const bool possible =
        entry.deflated ? decoded_bytes / kMaxDeflateRatio <= stored_bytes : decoded_bytes == stored_bytes;
    if (!possible) return broken(start, fmt::format("'{}' claims a size that its bytes cannot have", entry.name));
    return entry;
  }

  // The local header repeats the name. Its own extra field determines the start of the bytes.
  Result<std::span<const std::byte>> stored_part(std::string_view name, std::uint64_t header_offset,
                                                 std::uint64_t stored_bytes, std::size_t entries_end) const {
    const auto outside = [&] {
      return broken(std::min<std::uint64_t>(header_offset, archive_.size()),
                    fmt::format("'{}' is outside the file", name));
    };
    if (entries_end < kLocalBytes || header_offset > entries_end - kLocalBytes) return outside();
    const std::size_t header = header_offset;
    if (load<std::uint32_t>(header) != kLocalSignature) return broken(header, fmt::format("'{}' has no header", name));
    const std::size_t name_bytes = load<std::uint16_t>(header + 26);
    const std::size_t extra_bytes = load<std::uint16_t>(header + 28);
    const std::size_t room = entries_end - header - kLocalBytes;
    if (name_bytes + extra_bytes > room || stored_bytes > room - name_bytes - extra_bytes) return outside();
    if (as_text(archive_).substr(header + kLocalBytes, name_bytes) != name) {
      return broken(header, fmt::format("'{}' has another name in its own header", name));
    }
    return archive_.subspan(header + kLocalBytes + name_bytes + extra_bytes, stored_bytes);
  }

  // Small archives can unpack to petabytes through overlapping entries.
  Result<void> check_apart(std::vector<ZipEntry> entries) const {
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.header_offset < b.header_offset; });
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const ZipEntry& before = entries[i - 1];
      const auto end_before = static_cast<std::size_t>(before.stored.data() + before.stored.size() - archive_.data());
      if (end_before > entries[i].header_offset) {
        return broken(entries[i].header_offset, fmt::format("'{}' and '{}' overlap", before.name, entries[i].name));
      }
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < entries.size(); ++i) {
      if (entries[i].name == entries[i - 1].name) {
        return Error{ErrorCode::kInvalid, fmt::format("the archive contains '{}' twice", entries[i].name)};
      }
    }
    return {};
  }

  std::span<const std::byte> archive_;
};

}  // namespace

Result<std::vector<ZipEntry>> read_zip_directory(std::span<const std::byte> archive) {
  return Directory(archive).read();
}

}  // namespace zoe::io
