// SPDX-License-Identifier: MIT
#include "features/row_reads.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::features {
namespace {

// A gap of a few numbers costs less than another range.
constexpr int kShortGap = 8;

// Which numbers of the rows around now, from -past to future, gathering a block reads. The same rule as RowReader in
// gather_job.cpp.
class ReadMarks {
 public:
  explicit ReadMarks(const RowWindow& window)
      : past_(window.past_frames),
        num_rows_(past_ + 1 + window.future_frames),
        width_(window.width),
        marks_(idx(num_rows_) * idx(width_), 0) {}

  void add(double frame, int begin, int end) {
    const double whole = std::floor(frame + 1e-6);
    const int index = static_cast<int>(whole);
    add_row(index, begin, end);
    if (frame - whole > 5e-7) add_row(index + 1, begin, end);
  }
  void add_all() { std::fill(marks_.begin(), marks_.end(), 1); }

  template <class Take>
  void for_each_range(Take&& take) const {
    for (int k = 0; k < num_rows_; ++k) {
      const char* row = marks_.data() + idx(k) * idx(width_);
      for (int begin = 0; begin < width_;) {
        if (row[begin] == 0) {
          ++begin;
          continue;
        }
        int end = begin;
        for (int i = begin; i < width_ && i - end < kShortGap; ++i) {
          if (row[i] != 0) end = i + 1;
        }
        take(k - past_, begin, end);
        begin = end;
      }
    }
  }

 private:
  void add_row(int frame, int begin, int end) {
    const int k = std::clamp(frame + past_, 0, num_rows_ - 1);
    std::fill(marks_.begin() + k * width_ + begin, marks_.begin() + k * width_ + end, 1);
  }

  int past_, num_rows_, width_;
  std::vector<char> marks_;  // [rows × frame_width]
};

}  // namespace

std::vector<RowRead> find_reads(std::span<const GatherOp> ops, const SampleTimes& steps, const RowWindow& window) {
  ReadMarks marks(window);
  marks.add(0, 0, row::kRootWidth);
  for (const GatherOp& op : ops) {
    const bool is_plain = op.kind <= GatherOp::Kind::kTurnSpeed && op.goal_offset < 0;
    if (!is_plain) {  // Deltas, phases, terrain, goals, gating: everything.
      marks.add_all();
      break;
    }
    const bool copies = op.kind == GatherOp::Kind::kCopy;
    const int begin = copies ? op.row_offset : 0, end = copies ? op.row_offset + op.width : int{row::kRootWidth};
    for (int s = 0; s < steps.count; ++s) {
      const double step = steps.at(s) * window.fps;
      marks.add(step + op.now_frame, 0, row::kRootWidth);
      marks.add(op.now_frame, 0, row::kRootWidth);
      for (int i = 0; i < op.count; ++i) marks.add(step + op.frame + i * op.frame_step, begin, end);
    }
  }
  std::vector<RowRead> reads;
  marks.for_each_range([&](int frame, int begin, int end) { reads.push_back({frame, begin, end}); });
  return reads;
}

}  // namespace zoe::features
