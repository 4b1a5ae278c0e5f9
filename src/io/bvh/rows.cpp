// SPDX-License-Identifier: MIT
#include "io/bvh/rows.h"

#include <cmath>

#include <fmt/format.h>

#include "io/bvh/number.h"

namespace zoe::io::bvh {
namespace {

// Larger values are neither positions (float) nor angles.
constexpr double kMaxMagnitude = 1e30;

// Splits a line into words. `commas`: commas and semicolons also separate words.
class Words {
 public:
  Words(std::string_view line, bool commas) : line_(line), commas_(commas) {}

  // Empty at the end of the line.
  std::string_view next() {
    while (position_ < line_.size() && parts(line_[position_])) ++position_;
    const std::size_t start = position_;
    while (position_ < line_.size() && !parts(line_[position_])) ++position_;
    return line_.substr(start, position_ - start);
  }
  // End of the last word.
  std::size_t end() const { return position_; }

 private:
  bool parts(char c) const {
    // A comma or semicolon alone, or at the end of a word, always separates words.
    if (is_space(c)) return true;
    if (c != ',' && c != ';') return false;
    return commas_ || position_ + 1 >= line_.size() || is_space(line_[position_ + 1]);
  }

  std::string_view line_;
  bool commas_;
  std::size_t position_ = 0;
};

std::size_t count_words(std::string_view line, bool commas) {
  Words words(line, commas);
  std::size_t count = 0;
  while (!words.next().empty()) ++count;
  return count;
}

}  // namespace

// The fast path: plain decimals only, all of the row on one line. Leaves the cursor after the row, or where it was.
bool RowReader::scan_row(std::span<double> values) {
  const std::string_view text = cursor_.text();
  const char* p = text.data() + cursor_.position();
  const char* const end = text.data() + text.size();
  if (static_cast<std::size_t>(end - p) < kScanWindow) return false;
  const char* const last_start = end - kScanWindow;
  for (double& value : values) {
    while (p <= last_start && is_blank(*p)) ++p;
    if (p > last_start) return false;
    const char* next = scan_decimal(p, value);
    if (next == nullptr) [[unlikely]] {
      // Long or otherwise rare numbers. Commas need the whole row.
      next = p;
      while (next < end && !is_space(*next)) ++next;
      const std::string_view word(p, static_cast<std::size_t>(next - p));
      if (word.find_first_of(",;") != std::string_view::npos) return false;
      double number = 0;
      if (parse_number(word, number) != NumberKind::kNumber || std::abs(number) > kMaxMagnitude) return false;
      value = number;
    }
    p = next;
  }
  while (p < end && is_blank(*p)) ++p;
  if (p < end && !is_line_end(*p)) return false;
  cursor_.set_position(static_cast<std::size_t>(p - text.data()));
  return true;
}

Result<void> RowReader::store(std::string_view word, double& value, std::size_t position) {
  double number = 0;
  NumberKind kind = parse_number(word, number);
  if (kind == NumberKind::kNumber && std::abs(number) > kMaxMagnitude) kind = NumberKind::kNotFinite;
  if (kind == NumberKind::kNone) {
    return Error{ErrorCode::kSyntax, fmt::format("'{}' in frame {} is not a number", word.substr(0, 40), num_rows_),
                 cursor_.where_at(position)};
  }
  if (kind == NumberKind::kNumber) {
    value = number;
  } else if (!WarningLog::full(num_not_finite_)) {
    log_.add(num_not_finite_,
             fmt::format("'{}' in frame {} is not finite; kept the value before it", word.substr(0, 40), num_rows_),
             cursor_.where_at(position));
  }
  return {};
}

bool RowReader::words_fill_frames(std::size_t num_channels) const {
  if (stated_frames_ <= num_rows_) return false;
  const auto missing = static_cast<std::uint64_t>(stated_frames_ - num_rows_);
  const std::string_view text = cursor_.rest();
  if (missing > text.size() / num_channels) return false;
  return count_words(text, false) == missing * num_channels;
}

Result<bool> RowReader::read_wrapped_row(std::span<double> values) {
  const std::size_t base = cursor_.position();
  Words words(cursor_.rest(), false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view word = words.next();
    if (word.empty()) return false;  // Only before the first: words_fill_frames counted.
    ZOE_TRY(store(word, values[i], base + words.end() - word.size()));
  }
  cursor_.set_position(base + words.end());
  ++num_rows_;
  return true;
}

Result<bool> RowReader::read_damaged_row(std::span<double> values) {
  const std::size_t base = cursor_.position();
  const std::string_view rest = cursor_.rest();
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  const bool only_space_follows = rest.find_first_not_of(" \t\r\n\v\f\0", line.size(), 7) == std::string_view::npos;
  // "1,5 2,5" are two numbers with decimal commas, unless the row needs four.
  bool commas = false;
  const std::size_t count = count_words(line, false);
  if (count != values.size()) {
    commas = count_words(line, true) == values.size();
    if (!commas && words_fill_frames(values.size())) {
      log_.add("rows do not end with their lines; read the numbers one after the other", cursor_.where());
      wrapped_ = true;
      return read_wrapped_row(values);
    }
  }
  if (count != values.size() && !commas) {
    if (num_rows_ > 0 && num_rows_ >= stated_frames_ && stated_frames_ >= 0) {
      log_.add("ignored what follows the last frame", cursor_.where());
      return false;
    }
    if (num_rows_ > 0 && count < values.size() && only_space_follows) {
      log_.add(fmt::format("the file ends inside frame {}; dropped that frame", num_rows_), cursor_.where());
      return false;
    }
    return Error{
        ErrorCode::kSyntax,
        fmt::format("frame {} has {} numbers; the channels of the hierarchy need {}", num_rows_, count, values.size()),
        cursor_.where()};
  }
  Words words(line, commas);
  for (double& value : values) {
    const std::string_view word = words.next();
    ZOE_TRY(store(word, value, base + words.end() - word.size()));
  }
  cursor_.set_position(base + line.size());
  ++num_rows_;
  return true;
}

Result<bool> RowReader::next(std::span<double> values) {
  cursor_.skip_space();
  if (cursor_.at_end()) return false;
  if (wrapped_) return read_wrapped_row(values);
  if (scan_row(values)) {
    ++num_rows_;
    return true;
  }
  return read_damaged_row(values);
}

void RowReader::finish() {
  if (num_not_finite_ > WarningLog::kMaxOfAKind) {
    log_.add(fmt::format("{} numbers in all are not finite", num_not_finite_), cursor_.file_only());
  }
  if (stated_frames_ >= 0 && stated_frames_ != num_rows_) {
    log_.add(fmt::format("the file states {} frames, but contains {}; used those", stated_frames_, num_rows_),
             cursor_.file_only());
  }
}

}  // namespace zoe::io::bvh
