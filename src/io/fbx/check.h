// SPDX-License-Identifier: MIT
// Part of Zoetrope. Shared by the checks of binary and ASCII files: memory limits of the parts, errors with their
// place, and the resulting Document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/fbx/document.h"

namespace zoe::io::fbx {

constexpr int kMaxDepth = 64;
// Pre-7000 records with more plain numbers than this become one array property; a 4x4 matrix stays
// scalars.
constexpr std::size_t kMaxScalars = 16;
constexpr int kMinVersion = 5800;
constexpr int kMaxVersion = 7700;
constexpr int kFirst64BitVersion = 7500;

// Length, in bytes, of ASCII that takes long to skip. Its end is recorded once.
constexpr std::ptrdiff_t kLongStretch = 256;

// Functions that return bool return false after recording error(); callers pass the false up.
class DocumentCheck {
 public:
  DocumentCheck(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings);

  // Counts the memory of an array's decoded form. `num_encoded` is the number of its encoded bytes.
  bool book_array(std::uint64_t num_elements, std::size_t element_size, std::size_t num_encoded,
                  ArrayEncoding encoding);
  // Checks that one record's properties can be decoded together within the same memory.
  bool check_property_count(std::uint64_t count);

  // ASCII: a stretch that takes long to skip. Opened before its content, closed after it.
  std::size_t open_stretch(const char* from);
  void close_stretch(std::size_t index, const char* to);
  // ASCII: a string's contents without the escapes.
  bool keep_unescaped(const char* contents, std::string text);

  bool fail(ErrorCode code, std::string message);  // At the place set by at().
  void at(std::int64_t byte_offset, std::int64_t line = -1) {
    byte_offset_ = byte_offset;
    line_ = line;
  }
  void warn(std::string message);  // At the place set by at().

  const Error& error() const { return error_; }
  // The content so far, for reading before the file is finished.
  const Document& document() const { return document_; }
  Result<Document> finish(int version);

  // Layout of the file. Set before document() or finish() is used.
  void set_layout(const char* first_record, bool binary, bool wide, bool big_endian);

 private:
  bool book(std::uint64_t num_bytes);
  bool too_large();

  Document document_;
  Warnings* warnings_;
  Error error_;
  std::int64_t byte_offset_ = -1;
  std::int64_t line_ = -1;
  std::uint64_t max_bytes_;  // For all decoded arrays.
  std::uint64_t booked_bytes_ = 0;
};

// Each checks the whole file after format detection. `source` starts with the binary magic, or with text.
Result<Document> parse_binary(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings);
Result<Document> parse_ascii(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings);

Error unsupported_version(std::int64_t version);

}  // namespace zoe::io::fbx
