// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"

#include "io/npz/zip.h"

namespace zoe::io {
namespace {

Error damaged(const ZipEntry& entry, const char* what) {
  return {ErrorCode::kSyntax,
          fmt::format("'{}' is damaged: {}", entry.name, what),
          {.byte_offset = static_cast<std::int64_t>(entry.header_offset)}};
}

std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t start = 0) {
  // libdeflate reads a null pointer, which an empty span may hold, as "restart".
  return bytes.empty() ? start : libdeflate_crc32(start, bytes.data(), bytes.size());
}

void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// A deflate stream: `head` as it is, in a stored block, then `body`. So neither is copied to stand beside the other.
struct Deflated {
  std::vector<std::byte> head;
  std::unique_ptr<std::byte[]> body;
  std::size_t body_bytes = 0;

  std::size_t size() const { return head.size() + body_bytes; }
};
Result<Deflated> deflate_bytes(std::string_view head, std::span<const std::byte> body, int level) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
  if (compressor == nullptr) return Error{ErrorCode::kLimit, "no memory to compress"};
  Deflated out;
  constexpr std::size_t kMaxStored = 0xffff;  // Bytes of one block.
  for (std::size_t first = 0; first < head.size(); first += kMaxStored) {
    const std::string_view piece = head.substr(first, kMaxStored);
    out.head.push_back(std::byte{0});  // Stored, and not the last one.
    append_le<std::uint16_t>(out.head, static_cast<std::uint16_t>(piece.size()));
    append_le<std::uint16_t>(out.head, static_cast<std::uint16_t>(~piece.size()));
    append(out.head, as_bytes(piece));
  }
  const std::size_t bound = libdeflate_deflate_compress_bound(compressor.get(), body.size());
  out.body = std::make_unique_for_overwrite<std::byte[]>(bound);
  out.body_bytes = libdeflate_deflate_compress(compressor.get(), body.data(), body.size(), out.body.get(), bound);
  return out;
}

}  // namespace

Result<void> verify_entry(const ZipEntry& entry) {
  if (checksum(entry.stored) != entry.crc32) return damaged(entry, "its checksum is wrong");
  return {};
}

Result<void> decode_entry(const ZipEntry& entry, std::span<std::byte> out) {
  ZOE_CHECK(out.size() == entry.decoded_bytes, "the buffer must be as large as the entry");
  if (!entry.deflated) {
    if (!out.empty()) std::memcpy(out.data(), entry.stored.data(), out.size());
  } else {
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
        libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    if (decompressor == nullptr) return Error{ErrorCode::kLimit, "no memory to decompress"};
    // Without an output for the actual size, any size other than out.size() is an error.
    const libdeflate_result result = libdeflate_deflate_decompress(
        decompressor.get(), entry.stored.data(), entry.stored.size(), out.data(), out.size(), nullptr);
    if (result != LIBDEFLATE_SUCCESS) return damaged(entry, "it does not inflate to the size it states");
  }
  if (checksum(out) != entry.crc32) return damaged(entry, "its checksum is wrong");
  return {};
}

// zlib, because libdeflate cannot stop half-way.
Result<std::size_t> decode_entry_start(const ZipEntry& entry, std::span<std::byte> out) {
  const std::size_t wanted = std::min(out.size(), entry.decoded_bytes);
  if (!entry.deflated) {
    if (wanted > 0) std::memcpy(out.data(), entry.stored.data(), wanted);
    return wanted;
  }
  z_stream stream{};
  if (::inflateInit2(&stream, -15) != Z_OK) return Error{ErrorCode::kLimit, "no memory to decompress"};
  constexpr std::size_t kMaxInput = std::numeric_limits<uInt>::max();
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(entry.stored.data()));
  stream.avail_in = static_cast<uInt>(std::min(entry.stored.size(), kMaxInput));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(std::min(wanted, kMaxInput));
  const int status = ::inflate(&stream, Z_SYNC_FLUSH);
  const std::size_t decoded = stream.total_out;
  ::inflateEnd(&stream);
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return damaged(entry, "it does not inflate");
  return decoded;
}

// The common fields of a local header and a directory record, from "version needed" on.
void ZipWriter::append_common(const Record& record, std::uint16_t extra_bytes) {
  constexpr std::uint16_t kVersion = 20;
  constexpr std::uint16_t kUtf8Names = 0x0800;
  constexpr std::uint16_t kFirstDay = 0x0021;  // 1980-01-01: equal arrays give equal files.
  append_le<std::uint16_t>(out_, kVersion);
  append_le<std::uint16_t>(out_, kUtf8Names);
  append_le<std::uint16_t>(out_, record.method);
  append_le<std::uint16_t>(out_, 0);
  append_le<std::uint16_t>(out_, kFirstDay);
  append_le<std::uint32_t>(out_, record.crc32);
  append_le<std::uint32_t>(out_, record.stored_bytes);
  append_le<std::uint32_t>(out_, record.decoded_bytes);
  append_le<std::uint16_t>(out_, static_cast<std::uint16_t>(record.name.size()));
  append_le<std::uint16_t>(out_, extra_bytes);
}

Result<void> ZipWriter::add(std::string_view name, std::string_view head, std::span<const std::byte> body, int level) {
  constexpr std::size_t kMaxBytes = 0xfffffffe;
  const std::size_t decoded_bytes = head.size() + body.size();
  if (name.size() > 0xffff || decoded_bytes > kMaxBytes || out_.size() > kMaxBytes - decoded_bytes) {
    return Error{ErrorCode::kLimit,
                 fmt::format("'{}' does not fit: an npz is written up to 4 GiB; use npy files", name)};
  }
  Record record{std::string(name),
                0,
                checksum(body, checksum(as_bytes(head))),
                static_cast<std::uint32_t>(decoded_bytes),
                static_cast<std::uint32_t>(decoded_bytes),
                static_cast<std::uint32_t>(out_.size())};
  Deflated deflated;
  std::size_t padding = 0;
  if (level > 0) {
    ZOE_TRY_ASSIGN(deflated, deflate_bytes(head, body, level));
    record.method = 8;
    record.stored_bytes = static_cast<std::uint32_t>(deflated.size());
  } else {
    // An extra field of zeros, as Android's zipalign writes it, moves the bytes to a multiple of 64.
    constexpr std::size_t kAlignment = 64;
    constexpr std::size_t kExtraHeader = 4;
    const std::size_t begin = out_.size() + 30 + name.size() + kExtraHeader;
    padding = kExtraHeader + (kAlignment - begin % kAlignment) % kAlignment;
  }
  append_le<std::uint32_t>(out_, 0x04034b50);
  append_common(record, static_cast<std::uint16_t>(padding));
  append(out_, as_bytes(name));
  if (level > 0) {
    append(out_, deflated.head);
    append(out_, {deflated.body.get(), deflated.body_bytes});
  } else {
    append_le<std::uint16_t>(out_, 0xd935);
    append_le<std::uint16_t>(out_, static_cast<std::uint16_t>(padding - 4));
    out_.resize(out_.size() + padding - 4);
    append(out_, as_bytes(head));
    append(out_, body);
  }
  records_.push_back(std::move(record));
  return {};
}

Result<std::vector<std::byte>> ZipWriter::finish() {
  const std::size_t directory_offset = out_.size();
  for (const Record& record : records_) {
    append_le<std::uint32_t>(out_, 0x02014b50);
    append_le<std::uint16_t>(out_, 20);  // Made by: version 2.0, no particular system.
    append_common(record, 0);
    out_.resize(out_.size() + 10);  // No comment, first disk, no attributes.
    append_le<std::uint32_t>(out_, record.header_offset);
    append(out_, as_bytes(record.name));
  }
  if (records_.size() >= 0xffff || out_.size() >= 0xffffffff) {
    return Error{ErrorCode::kLimit, "an npz is written with up to 65534 arrays and 4 GiB"};
  }
  const auto count = static_cast<std::uint16_t>(records_.size());
  const std::size_t directory_bytes = out_.size() - directory_offset;
  append_le<std::uint32_t>(out_, 0x06054b50);
  append_le<std::uint32_t>(out_, 0);  // Disk numbers.
  append_le<std::uint16_t>(out_, count);
  append_le<std::uint16_t>(out_, count);
  append_le<std::uint32_t>(out_, static_cast<std::uint32_t>(directory_bytes));
  append_le<std::uint32_t>(out_, static_cast<std::uint32_t>(directory_offset));
  append_le<std::uint16_t>(out_, 0);
  return std::move(out_);
}

}  // namespace zoe::io
