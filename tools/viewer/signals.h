// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Runs that end well: by a signal as by the window's cross, and with a word on the driver's complaints.
#pragma once

#include "zoe/render/context.h"
#include "zoe/scene/run.h"

namespace zoe::viewer {

// SIGINT and SIGTERM end the run as closing the window does: films are finished, layouts kept.
class InterruptibleHost final : public scene::Host {
 public:
  explicit InterruptibleHost(scene::Host& host);
  bool poll(std::vector<scene::InputEvent>& events) override;
  void draw(scene::Scene& scene) override { host_.draw(scene); }
  double now_s() override { return host_.now_s(); }

 private:
  scene::Host& host_;
};

// Fails where OpenGL reported errors (--debug).
Result<void> check_graphics(const render::Context& context);

}  // namespace zoe::viewer
