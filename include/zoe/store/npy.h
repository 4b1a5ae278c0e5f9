// SPDX-License-Identifier: MIT
// Part of Zoetrope. NumPy's .npy files, versions 1 to 3: one array. Format: numpy.lib.format's documentation (NEP 1).
// Numbers, bools and fixed-width strings are read and written. Object arrays are refused: they are Python pickles, and
// unpickling runs code from the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "zoe/core/file.h"
#include "zoe/core/result.h"
#include "zoe/store/array.h"

namespace zoe {

// The array inside an .npy file's bytes, without a copy. The bytes must outlive it. Errors have the offset only.
Result<ArrayView> parse_npy(std::span<const std::byte> file);

// Type and shape from the file's first bytes, when the rest is not available yet.
struct NpyHeader {
  ArrayView array;  // Its bytes are empty.
  std::size_t header_bytes = 0;
  std::size_t payload_bytes = 0;  // According to the shape; may exceed the memory.
};
// Longest accepted header, and so the most bytes to pass.
inline constexpr std::size_t kMaxNpyHeaderBytes = 65536;
Result<NpyHeader> parse_npy_header(std::span<const std::byte> start_of_file);

// A mapped .npy file. Movable. The view is valid as long as the object.
class NpyFile {
 public:
  static Result<NpyFile> open(const std::filesystem::path& path,
                              MappedFile::Access access = MappedFile::Access::kWhole);
  const ArrayView& array() const { return array_; }

 private:
  MappedFile file_;
  ArrayView array_;
};

// The bytes before the payload. Their number is a multiple of 64, so that a mapped payload is aligned. Refuses
// bfloat16, which NumPy does not have. The view's bytes may be empty, for payloads that are written piece by piece.
Result<std::string> encode_npy_header(const ArrayView& array);

Result<void> write_npy(const std::filesystem::path& path, const ArrayView& array);

}  // namespace zoe
