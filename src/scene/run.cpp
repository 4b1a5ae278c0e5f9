// SPDX-License-Identifier: MIT
#include "zoe/scene/run.h"

#include <chrono>
#include <thread>

namespace zoe::scene {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

RunReport run_headless(Scene& scene, const HeadlessOptions& options) {
  ZOE_CHECK(options.seconds > 0 || options.on_frame || scene.playing(),
            "a headless run without an end: give it seconds, a recording or on_frame");
  const double frame_s = options.frame_s > 0 ? options.frame_s : scene.time().step_s;
  const bool until_recording_ends = scene.playing();
  const Clock::time_point start = Clock::now();
  RunReport report;
  // Half a frame of slack, so that rounding adds no frame.
  while (options.seconds <= 0 || static_cast<double>(report.frames) * frame_s < options.seconds - frame_s / 2) {
    if (until_recording_ends && !scene.playing()) break;
    report.steps += static_cast<std::uint64_t>(scene.advance(frame_s));
    ++report.frames;
    if (options.on_frame && !options.on_frame(scene)) break;
    if (options.paced) {
      std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                                static_cast<double>(report.frames) * frame_s)));
    }
  }
  report.wall_s = seconds_since(start);
  return report;
}

RunReport run_standalone(Scene& scene, Host& host) {
  const Clock::time_point start = Clock::now();
  RunReport report;
  std::vector<InputEvent> events;
  double last_s = host.now_s();
  while (host.poll(events)) {
    for (const InputEvent& event : events) scene.push(event);
    events.clear();
    const double now_s = host.now_s();
    report.steps += static_cast<std::uint64_t>(scene.advance(now_s - last_s));
    last_s = now_s;
    ++report.frames;
    host.draw(scene);
  }
  report.wall_s = seconds_since(start);
  return report;
}

}  // namespace zoe::scene
