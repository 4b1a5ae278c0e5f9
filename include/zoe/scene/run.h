// SPDX-License-Identifier: MIT
// Part of Zoetrope. Modes to run a scene: without a window, in one, or by hand (Scene::advance). The results are the
// same.
#pragma once

#include <functional>
#include <vector>

#include "zoe/core/interrupt.h"
#include "zoe/scene/scene.h"

namespace zoe::scene {

struct HeadlessOptions {
  // Ends after `seconds`, at the end of the played recording, or when on_frame returns false, whichever is first.
  double seconds = 0;                    // 0: no limit. Then a recording or on_frame is required.
  double frame_s = 0;                    // Time per frame; 0: one fixed step.
  bool paced = false;                    // Waits for the real clock. Else as fast as possible.
  std::function<bool(Scene&)> on_frame;  // Called after each frame. False ends the run.
};
struct RunReport {
  std::uint64_t steps = 0, frames = 0;
  double wall_s = 0;
};
RunReport run_headless(Scene& scene, const HeadlessOptions& options);

// Displays frames and supplies input: the window of the viewer, or a test's substitute.
class Host {
 public:
  virtual ~Host() = default;
  // Appends the events since the last call. False: the window was closed.
  virtual bool poll(std::vector<InputEvent>& events) = 0;
  // Displays the frame; may wait for the display.
  virtual void draw(Scene& scene) = 0;
  // Seconds on a monotonic clock.
  virtual double now_s() = 0;
};
// Ends a run on Ctrl-C like closing the window: recordings are finished.
class InterruptibleHost final : public Host {
 public:
  explicit InterruptibleHost(Host& host) : host_(host) {}
  bool poll(std::vector<InputEvent>& events) override { return !guard_.interrupted() && host_.poll(events); }
  void draw(Scene& scene) override { host_.draw(scene); }
  double now_s() override { return host_.now_s(); }

 private:
  Host& host_;
  InterruptGuard guard_;
};

// Until the window is closed.
RunReport run_standalone(Scene& scene, Host& host);

}  // namespace zoe::scene
