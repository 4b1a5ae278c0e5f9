// SPDX-License-Identifier: MIT
#include "io/gltf/time_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace zoe::io::gltf {
namespace {

using KeyLists = std::span<const std::span<const float>>;

// In order of preference where several fit (sparse keys at whole seconds fit them all).
constexpr std::array kCommonRates{24.0,  30.0,           25.0,           60.0,           50.0,
                                  48.0,  120.0,          100.0,          90.0,           144.0,
                                  240.0, 24000.0 / 1001, 30000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001};
constexpr double kDefaultFps = 30.0, kFallbackFps = 60.0;
// Rates below this are derived from the keys only when they are common ones: two keys ten seconds apart do not make a
// 0.1 fps clip.
constexpr std::array kSlowRates{10.0, 12.0, 15.0, 20.0};
// Fractions of a frame: exporters that write exact floats, and those that round to milliseconds.
constexpr double kStrict = 1e-3, kLoose = 2e-2;

struct Span {
  double first = 0, last = 0, min_step = std::numeric_limits<double>::infinity();
};

Span measure(KeyLists lists) {
  Span span{lists[0].front(), lists[0].front()};
  for (const auto& times : lists) {
    span.first = std::min<double>(span.first, times.front());
    span.last = std::max<double>(span.last, times.back());
    for (std::size_t i = 1; i < times.size(); ++i) {
      const double step = double(times[i]) - double(times[i - 1]);
      if (step > 0) span.min_step = std::min(span.min_step, step);
    }
  }
  return span;
}

// Distance to the nearest whole number for values >= 0; std::nearbyint is a library call on plain
// x86-64.
double offset_from_whole(double value) {
  if (!(value < 1e15)) return 0;  // All doubles of this size are whole.
  return std::abs(value - static_cast<double>(static_cast<std::int64_t>(value + 0.5)));
}

double offset_in_frames(double time_s, double first_s, double fps) {
  return offset_from_whole((time_s - first_s) * fps);
}

// A float's own rounding, in frames.
double rounding(double time_s, double fps) { return 2.4e-7 * std::abs(time_s) * fps; }

bool fits(KeyLists lists, double first_s, double fps, double tolerance) {
  for (const auto& times : lists) {
    for (const float time : times) {
      if (offset_in_frames(time, first_s, fps) > std::min(tolerance + rounding(time, fps), 0.25)) return false;
    }
  }
  return true;
}

double detect_rate(KeyLists lists, const Span& span, const GridOptions& options, double tolerance) {
  const auto good = [&](double fps) { return fps >= options.min_fps && fits(lists, span.first, fps, tolerance); };
  const auto near_step = [&](double fps) { return std::abs(span.min_step * fps - 1.0) < 0.005; };
  for (const double fps : kCommonRates) {
    if (near_step(fps) && good(fps)) return fps;
  }
  for (const double fps : kSlowRates) {
    if (near_step(fps) && good(fps)) return fps;
  }
  for (const double fps : kCommonRates) {
    if (good(fps)) return fps;
  }
  // Another regular rate: its step is most accurate over the whole length.
  const double steps = std::nearbyint((span.last - span.first) / span.min_step);
  if (steps >= 2 && std::isfinite(steps)) {
    const double fps = steps / (span.last - span.first);
    if (fps >= 1 && fps <= 1000 && good(fps)) return fps;
  }
  return 0;
}

}  // namespace

TimeGrid find_time_grid(KeyLists lists, const GridOptions& options) {
  TimeGrid grid;
  grid.fps = options.fps > 0 ? options.fps : options.hint_fps > 0 ? options.hint_fps : kDefaultFps;
  if (lists.empty()) return grid;
  const Span span = measure(lists);
  grid.start_s = span.first;
  if (span.last > span.first && !(options.fps > 0)) {
    double fps = options.hint_fps > 0 && fits(lists, span.first, options.hint_fps, kLoose) ? options.hint_fps : 0;
    if (fps == 0) fps = detect_rate(lists, span, options, kStrict);
    if (fps == 0) fps = detect_rate(lists, span, options, kLoose);
    grid.fps = fps > 0 ? fps : kFallbackFps;
  }
  double worst = 0;
  for (const auto& times : lists) {
    for (const float time : times) worst = std::max(worst, offset_in_frames(time, span.first, grid.fps));
  }
  grid.worst_offset_s = worst / grid.fps;
  grid.keys_on_frames = fits(lists, span.first, grid.fps, kLoose);
  const double frames = (span.last - span.first) * grid.fps;
  const double whole = grid.keys_on_frames ? std::nearbyint(frames) : std::ceil(frames);
  grid.num_frames = whole < 9e15 ? static_cast<std::size_t>(whole) + 1 : SIZE_MAX;
  return grid;
}

}  // namespace zoe::io::gltf
