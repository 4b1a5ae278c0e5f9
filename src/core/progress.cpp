// SPDX-License-Identifier: MIT
#include "zoe/core/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/system.h"
#include "core/terminal_line.h"

namespace zoe {
namespace {

constexpr double kBarInterval_s = 0.1;
constexpr double kLineInterval_s = 5.0;
constexpr int kBarCells = 24;

double steady_now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgressOptions with_clock(ProgressOptions options) {
  if (options.now_s == nullptr) options.now_s = &steady_now_s;
  return options;
}

ProgressMode resolve(const ProgressOptions& options) {
  if (options.mode != ProgressMode::kAuto) return options.mode;
  const char* variable = std::getenv("ZOE_PROGRESS");
  const std::string_view wanted = variable != nullptr ? variable : "";
  if (wanted == "off") return ProgressMode::kSilent;
  if (wanted == "bar") return ProgressMode::kBar;
  if (wanted == "lines") return ProgressMode::kLines;
  return system::is_terminal(options.stream) ? ProgressMode::kBar : ProgressMode::kLines;
}

// Columns of the terminal, so that the line is cut instead of wrapped (a wrapped one cannot be redrawn).
std::size_t terminal_columns(std::FILE* stream) {
  const std::size_t columns = system::terminal_columns(stream);
  return columns > 0 ? columns : 100;
}

// Cuts between UTF-8 characters.
void cut(std::string& text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return;
  while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xc0) == 0x80) --max_bytes;
  text.resize(max_bytes);
}

std::string format_rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f} M", per_second * 1e-6);
  if (per_second >= 1e4) return fmt::format("{:.1f} k", per_second * 1e-3);
  return fmt::format("{:.{}f}", per_second, per_second < 10 ? 2 : 0);
}

}  // namespace

std::string format_duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::clamp(std::round(seconds), 0.0, 3.6e9));
  const std::int64_t minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

Progress::Progress(std::string title, std::uint64_t total, ProgressOptions options)
    : title_(std::move(title)),
      total_(total),
      options_(with_clock(std::move(options))),
      mode_(resolve(options_)),
      start_s_(options_.now_s()) {
  next_draw_s_ = start_s_ + (mode_ == ProgressMode::kBar ? kBarInterval_s : kLineInterval_s);
}

Progress::~Progress() { finish(); }

void Progress::advance(std::uint64_t steps) {
  done_.fetch_add(steps, std::memory_order_relaxed);
  if (mode_ == ProgressMode::kSilent) return;
  const double now_s = options_.now_s();
  if (now_s < next_draw_s_.load(std::memory_order_relaxed)) return;
  // The thread that holds the lock draws for all.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock() && !finished_ && now_s >= next_draw_s_.load(std::memory_order_relaxed)) draw(now_s, false);
}

void Progress::set_note(std::string note) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(note);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(finished_, true) || mode_ == ProgressMode::kSilent) return;
  draw(options_.now_s(), true);
}

std::string Progress::describe(double now_s, bool last) const {
  const std::uint64_t done = this->done();
  const double elapsed_s = std::max(now_s - start_s_, 1e-9);
  const double rate = static_cast<double>(done) / elapsed_s;
  const double share = total_ > 0 ? std::min(1.0, static_cast<double>(done) / static_cast<double>(total_)) : 0;
  std::string text = title_ + " ";
  if (total_ > 0) {
    if (mode_ == ProgressMode::kBar) {
      const int filled = static_cast<int>(share * kBarCells);
      text += fmt::format("[{:#<{}}{:.<{}}] ", "", filled, "", kBarCells - filled);
    }
    text += fmt::format("{:3.0f} % {}/{}", std::floor(share * 100), done, total_);
  } else {
    text += fmt::format("{}", done);
  }
  if (!options_.unit.empty()) text += " " + options_.unit;
  text += fmt::format(", {}{}{}/s", format_rate(rate), options_.unit.empty() ? "" : " ", options_.unit);
  if (last) {
    text += fmt::format(", took {}", format_duration(elapsed_s));
  } else if (total_ > 0 && done > 0) {
    text += fmt::format(", {} left", format_duration(static_cast<double>(total_ - std::min(done, total_)) / rate));
  }
  if (!note_.empty()) text += ", " + note_;
  return text;
}

void Progress::draw(double now_s, bool last) {
  std::string text = describe(now_s, last);
  if (mode_ == ProgressMode::kBar) {
    cut(text, terminal_columns(options_.stream) - 1);
    text.insert(0, kClearLine);
    if (last) text += '\n';
    if (options_.stream == stderr) g_bar_on_stderr = !last;
  } else {
    text += '\n';
  }
  std::fwrite(text.data(), 1, text.size(), options_.stream);
  std::fflush(options_.stream);
  next_draw_s_ = now_s + (mode_ == ProgressMode::kBar ? kBarInterval_s : kLineInterval_s);
}

}  // namespace zoe
