// SPDX-License-Identifier: MIT
// Writes rows into an .npy file piece by piece, under a temporary name until it is complete.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "zoe/core/hash64.h"
#include "zoe/core/result.h"

namespace zoe::dataset {

class RowFile {
 public:
  static Result<RowFile> create(const std::filesystem::path& path, int width);
  RowFile(RowFile&&) = default;
  RowFile& operator=(RowFile&&) = default;
  ~RowFile();

  // rows: [any × width].
  Result<void> append(std::span<const float> rows);
  std::int64_t num_rows() const { return num_rows_; }
  // Of all rows so far, as row_checksum() of the finished file.
  std::string checksum() const;
  // Writes the header, syncs to disk, and renames the file.
  Result<void> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  RowFile() = default;
  Error error(const char* action) const;
  Result<std::string> header(std::int64_t rows) const;

  std::unique_ptr<std::FILE, Close> file_;
  std::filesystem::path path_, temporary_;
  std::size_t width_ = 0, header_bytes_ = 0;
  std::int64_t num_rows_ = 0;
  Hash64 hash_;
};

// 16 hexadecimal digits of the XXH64 of an array's values.
std::string row_checksum(std::span<const std::byte> rows);

}  // namespace zoe::dataset
