// SPDX-License-Identifier: MIT
// Part of Zoetrope. The rows of numbers of a BVH file's MOTION part, with recovery of damaged ones.
#pragma once

#include <cstdint>
#include <span>

#include "io/bvh/text.h"

namespace zoe::io::bvh {

class RowReader {
 public:
  // The cursor is at the start of the first row. `stated_frames` is the file's own count, or -1.
  RowReader(const Cursor& cursor, std::int64_t stated_frames, WarningLog& log)
      : cursor_(cursor), stated_frames_(stated_frames), log_(log) {}

  // Reads the next row. `values` must hold the row before (or the rest pose): numbers that are not finite keep that
  // value. Returns false at the end of the rows.
  Result<bool> next(std::span<double> values);

  std::int64_t num_rows() const { return num_rows_; }
  // Number of bytes after the rows read so far.
  std::size_t remaining_bytes() const { return cursor_.text().size() - cursor_.position(); }
  // Summarises the recoveries. Call once, after the last row.
  void finish();

 private:
  bool scan_row(std::span<double> values);
  Result<bool> read_damaged_row(std::span<double> values);
  Result<bool> read_wrapped_row(std::span<double> values);
  // True if the remaining words are exactly the missing frames, for any line breaks.
  bool words_fill_frames(std::size_t num_channels) const;
  Result<void> store(std::string_view word, double& value, std::size_t position);

  Cursor cursor_;
  std::int64_t stated_frames_;
  WarningLog& log_;
  std::int64_t num_rows_ = 0;
  bool wrapped_ = false;  // Line ends have no meaning in this file.
  int num_not_finite_ = 0;
};

}  // namespace zoe::io::bvh
