// SPDX-License-Identifier: MIT
// Part of Zoetrope. Progress of long work: one live line on a terminal, a plain line every few seconds elsewhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace zoe {

enum class ProgressMode : std::uint8_t {
  kAuto,   // kBar on a terminal, else kLines; ZOE_PROGRESS=bar|lines|off overrides.
  kBar,    // Redraws one line at most ten times per second.
  kLines,  // For logs: a line every five seconds, and one at the end.
  kSilent,
};

struct ProgressOptions {
  ProgressMode mode = ProgressMode::kAuto;
  std::string unit = "";  // Unit of one step, e.g. "files"; printed after counts and rates.
  std::FILE* stream = stderr;
  double (*now_s)() = nullptr;  // Clock; null: the steady clock. For tests.
};

// Counts steps from any number of threads. The destructor finishes the line.
class Progress {
 public:
  // total = 0: unknown; count and rate are printed, without percentage and time left.
  Progress(std::string title, std::uint64_t total, ProgressOptions options = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: an atomic add, and sometimes a redraw by whichever thread comes first.
  void advance(std::uint64_t steps = 1);

  // Text at the end of the line from the next redraw on, e.g. the loss or the current file.
  void set_note(std::string note);

  // Draws the last state; further calls do nothing.
  void finish();

  std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }

 private:
  void draw(double now_s, bool last);
  std::string describe(double now_s, bool last) const;

  const std::string title_;
  const std::uint64_t total_;
  const ProgressOptions options_;
  const ProgressMode mode_;  // Never kAuto.
  const double start_s_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<double> next_draw_s_{0};
  std::mutex mutex_;  // Guards the members below, and the stream.
  std::string note_;
  bool finished_ = false;
};

// "0:07", "12:40", "3:05:10".
std::string format_duration(double seconds);

}  // namespace zoe
