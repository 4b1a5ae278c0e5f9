// SPDX-License-Identifier: MIT
// Part of Zoetrope. Splits the bytes of a connection into lines, for any division into packets. Fixed size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace zoe::stream {

class LineBuffer {
 public:
  static constexpr std::size_t kMaxLine = 512;  // Bytes; commands are short.

  // Calls on_line(std::string_view) for every complete line, without its end. Calls on_huge() once for each line that
  // is too long, which is skipped to its end.
  template <class OnLine, class OnHuge>
  void feed(std::string_view bytes, OnLine&& on_line, OnHuge&& on_huge) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (!skips_ && size_ + part.size() > kMaxLine) {
        skips_ = true;
        on_huge();
      }
      if (!skips_ && !part.empty()) {
        std::memcpy(bytes_ + size_, part.data(), part.size());
        size_ += part.size();
      }
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      if (!skips_) on_line(std::string_view(bytes_, size_));
      size_ = 0;
      skips_ = false;
    }
  }
  // True if there are bytes without a line end.
  bool holds_part() const { return size_ > 0; }

 private:
  char bytes_[kMaxLine];
  std::size_t size_ = 0;
  bool skips_ = false;
};

}  // namespace zoe::stream
