// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Plots below the ruler: measures along the selected clip, with the present value and the
// one under the pointer.
#pragma once

#include <memory>

#include "session.h"

namespace zoe::viewer {

// Frames of the time line to pixels of the window.
struct TimeAxis {
  float x = 0, width = 1;
  int num_frames = 1;
  float scale = 1;
  float at(double frame) const { return x + width * static_cast<float>(frame / std::max(num_frames - 1, 1)); }
  double frame_at(float px) const {
    return std::clamp(static_cast<double>((px - x) / width), 0.0, 1.0) * std::max(num_frames - 1, 1);
  }
};

// The time follows the pointer while it is dragged along the axis. `ends`: it was released.
void axis_scrub(Session& session, const TimeAxis& axis, bool drags, bool ends);

class PlotView {
 public:
  PlotView();
  ~PlotView();
  // A button with a list of the available plots.
  void draw_chooser(Session& session, float width);
  void draw(Session& session, const TimeAxis& axis, float x, float y, float width, float height);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::viewer
