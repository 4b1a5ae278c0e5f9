// SPDX-License-Identifier: MIT
#include "io/fbx/record_writer.h"

#include <cstring>
#include <memory>

#include <libdeflate.h>

#include "zoe/core/check.h"
#include "zoe/core/file.h"

namespace zoe::io::fbx {
namespace {

constexpr std::size_t kHeaderBytes = 12;  // End offset, number of properties, their bytes.
constexpr std::size_t kNullRecordBytes = 13;
constexpr std::size_t kWorthCompressing = 128;
constexpr int kCompression = 6;

// Constants of the format at the end of every file. The first depends on the file's creation time, which is why all
// our files state the same time.
constexpr std::string_view kFooterId("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e", 16);
constexpr std::string_view kFooterEnd("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b", 16);

void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::size_t end = out.size();
  out.resize(end + bytes.size());
  std::memcpy(out.data() + end, bytes.data(), bytes.size());
}

std::vector<std::byte> compressed(std::span<const std::byte> bytes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(kCompression), &libdeflate_free_compressor);
  if (compressor == nullptr) return {};
  std::vector<std::byte> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  out.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

}  // namespace

RecordWriter::RecordWriter() {
  append(bytes_, as_bytes(std::string_view("Kaydara FBX Binary  \0\x1a\0", 23)));
  append_le(bytes_, kVersion);
}

void RecordWriter::close_properties() {
  Open& open = open_.back();
  if (open.nested) return;
  open.nested = true;
  open.property_bytes = static_cast<std::uint32_t>(bytes_.size() - open.properties);
}

void RecordWriter::begin(std::string_view name) {
  ZOE_CHECK(name.size() < 256, "names of records are short");
  if (!open_.empty()) close_properties();
  Open open{.start = bytes_.size()};
  bytes_.resize(bytes_.size() + kHeaderBytes);
  append_le(bytes_, static_cast<std::uint8_t>(name.size()));
  append(bytes_, as_bytes(name));
  open.properties = bytes_.size();
  open_.push_back(open);
}

void RecordWriter::end(bool block) {
  block = block || open_.back().nested || open_.back().num_properties == 0;
  close_properties();
  const Open open = open_.back();
  open_.pop_back();
  if (block) bytes_.resize(bytes_.size() + kNullRecordBytes);
  patch(open.start, static_cast<std::int32_t>(static_cast<std::uint32_t>(bytes_.size())));
  patch(open.start + 4, static_cast<std::int32_t>(open.num_properties));
  patch(open.start + 8, static_cast<std::int32_t>(open.property_bytes));
}

void RecordWriter::patch(std::size_t position, std::int32_t value) {
  std::memcpy(bytes_.data() + position, &value, sizeof value);
}

void RecordWriter::put_bytes(char type, std::span<const std::byte> bytes) {
  append_le(bytes_, type);
  append_le(bytes_, static_cast<std::uint32_t>(bytes.size()));
  append(bytes_, bytes);
  ++open_.back().num_properties;
}

void RecordWriter::put_array(char type, std::span<const std::byte> bytes, std::size_t count) {
  append_le(bytes_, type);
  append_le(bytes_, static_cast<std::uint32_t>(count));
  const std::vector<std::byte> packed =
      bytes.size() >= kWorthCompressing ? compressed(bytes) : std::vector<std::byte>();
  const bool pack = !packed.empty() && packed.size() < bytes.size();
  append_le(bytes_, static_cast<std::uint32_t>(pack ? 1 : 0));
  append_le(bytes_, static_cast<std::uint32_t>(pack ? packed.size() : bytes.size()));
  append(bytes_, pack ? std::span<const std::byte>(packed) : bytes);
  ++open_.back().num_properties;
}

Result<std::vector<std::byte>> RecordWriter::finish() && {
  ZOE_CHECK(open_.empty(), "every record is ended");
  bytes_.resize(bytes_.size() + kNullRecordBytes);
  if (bytes_.size() > UINT32_MAX) {
    return Error{ErrorCode::kLimit, "an FBX 7.4 file holds at most 4 GiB; write fewer clips", {}};
  }
  append(bytes_, as_bytes(kFooterId));
  bytes_.resize(bytes_.size() + 4);
  bytes_.resize((bytes_.size() / 16 + 1) * 16);
  append_le(bytes_, kVersion);
  bytes_.resize(bytes_.size() + 120);
  append(bytes_, as_bytes(kFooterEnd));
  return std::move(bytes_);
}

}  // namespace zoe::io::fbx
