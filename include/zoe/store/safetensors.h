// SPDX-License-Identifier: MIT
// Part of Zoetrope. safetensors files: named arrays and string metadata, mapped without a copy.
//
// Layout: u64 length N of the header, N bytes of JSON (padded with spaces), then the tensors' bytes:
//   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …, "__metadata__": {"key": "text", …}}
// Offsets count from the end of the header. Every byte belongs to exactly one tensor.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/file.h"
#include "zoe/core/result.h"
#include "zoe/store/array.h"
#include "zoe/store/metadata.h"

namespace zoe {

// A file whose header has been checked in full. Movable. The tensors' views are valid as long as the object.
class Safetensors {
 public:
  static Result<Safetensors> open(const std::filesystem::path& path);
  // The bytes must outlive the object. `name` is the file name in errors.
  static Result<Safetensors> from_bytes(std::span<const std::byte> bytes, std::string name = {});

  // In the order of their bytes in the file.
  const std::vector<NamedArray>& tensors() const { return tensors_; }
  const Metadata& metadata() const { return metadata_; }

  // Refuses an unknown name with a suggestion.
  Result<ArrayView> find(std::string_view name) const;

  // For errors: the path, or the name that was given with the bytes.
  const std::string& file_name() const { return file_name_; }

  // The tensors and metadata whose names begin with `prefix`, without the prefix: a file within the file. It views this
  // object's bytes, which must outlive it. Empty where nothing has the prefix.
  Safetensors part(std::string_view prefix) const;

 private:
  MappedFile file_;
  std::string file_name_;
  std::vector<NamedArray> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_of_;
  Metadata metadata_;
};

// Written atomically, widest elements first so that every tensor is aligned. Names must be unique and not
// "__metadata__". Strings, uint16, uint32, uint64 and arrays that are not little-endian row-major are refused.
Result<void> write_safetensors(const std::filesystem::path& path, std::span<const NamedArray> tensors,
                               const Metadata& metadata = {});

// Checksum of all tensors and metadata, independent of their order in the file, except kChecksumKey itself. Store it
// under that key to detect damage.
constexpr const char* kChecksumKey = "zoe.checksum";
std::string content_checksum(std::span<const NamedArray> tensors, const Metadata& metadata);
// True where the file has no checksum, or the right one.
bool matches_its_checksum(const Safetensors& file);

}  // namespace zoe
