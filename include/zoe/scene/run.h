// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ways to run a scene: without a window, in one, or by hand (Scene::advance). The results are the
// same.
#pragma once

#include <functional>
#include <vector>

#include "zoe/core/interrupt.h"
#include "zoe/scene/scene.h"

namespace zoe::scene {

struct HeadlessOptions {
  // Ends after `seconds`, with the recording that plays, or when on_frame says so: whichever is first.
  double seconds = 0;                    // 0: no limit; then there must be a recording or on_frame.
  double frame_s = 0;                    // Time a frame; 0: one fixed step.
  bool paced = false;                    // Waits for the real clock; else as fast as possible.
  std::function<bool(Scene&)> on_frame;  // After each frame; false ends the run.
};
struct RunReport {
  std::uint64_t steps = 0, frames = 0;
  double wall_s = 0;
};
RunReport run_headless(Scene& scene, const HeadlessOptions& options);

// Where frames are displayed and input comes from: a window, as the viewer has; a test's stand-in.
class Host {
 public:
  virtual ~Host() = default;
  // Appends what the user did since the last call. False: the window was closed.
  virtual bool poll(std::vector<InputEvent>& events) = 0;
  // Shows the frame; waits for the display, if it wants to.
  virtual void draw(Scene& scene) = 0;
  // Seconds on a clock that never goes back.
  virtual double now_s() = 0;
};
// Ends a run by Ctrl-C as by the window's cross: what is recorded is finished.
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
