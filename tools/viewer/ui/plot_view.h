// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Plots below the ruler: what is measured along the chosen clip, with its value now and
// under the pointer.
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

// Time follows the pointer while it is dragged along the axis; `ends`: it was let go.
void axis_scrub(Session& session, const TimeAxis& axis, bool drags, bool ends);

class PlotView {
 public:
  PlotView();
  ~PlotView();
  // A button with a list of what can be plotted.
  void draw_chooser(Session& session, float width);
  void draw(Session& session, const TimeAxis& axis, float x, float y, float width, float height);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::viewer
