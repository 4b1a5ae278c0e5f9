// SPDX-License-Identifier: MIT
// Part of Zoetrope. NumPy's .npy files, versions 1 to 3: one array. Format: numpy.lib.format's documentation (NEP 1).
//
// Numbers, bools and fixed-width strings are read and written. Object arrays are refused: they are Python pickles, and
// unpickling runs code that the file's author chose.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "zoe/core/file.h"
#include "zoe/core/result.h"
#include "zoe/store/array.h"

namespace zoe {

// The array inside an .npy file's bytes, without a copy; the bytes must outlive it. Errors hold the offset only.
Result<ArrayView> parse_npy(std::span<const std::byte> file);

// Type and shape from the file's first bytes, for callers who do not have the rest yet.
struct NpyHeader {
  ArrayView array;  // Its bytes are empty.
  std::size_t header_bytes = 0;
  std::size_t payload_bytes = 0;  // As the shape says; may be more than memory holds.
};
// Longest header accepted, and so the most bytes worth handing over.
inline constexpr std::size_t kMaxNpyHeaderBytes = 65536;
Result<NpyHeader> parse_npy_header(std::span<const std::byte> start_of_file);

// A mapped .npy file. Movable; the view lives as long as the object.
class NpyFile {
 public:
  static Result<NpyFile> open(const std::filesystem::path& path,
                              MappedFile::Access access = MappedFile::Access::kWhole);
  const ArrayView& array() const { return array_; }

 private:
  MappedFile file_;
  ArrayView array_;
};

// What precedes the payload; its length is a multiple of 64, so that a mapped payload is aligned. Refuses bfloat16,
// which NumPy does not know. The view's bytes may be empty, for payloads that are written piece by piece.
Result<std::string> encode_npy_header(const ArrayView& array);

Result<void> write_npy(const std::filesystem::path& path, const ArrayView& array);

}  // namespace zoe
