// SPDX-License-Identifier: MIT
// Part of Zoetrope. Effects of a clip, timed to its events: dust, sparks, flashes, fireballs, speed lines.
#pragma once

#include <vector>

#include "zoe/sprite/events.h"

#include "sprite/effect_canvas.h"
#include "sprite/slash.h"

namespace zoe::sprite {

class ClipEffects {
 public:
  // The stage and the clip must outlive this.
  ClipEffects(const Request& request, const Clip& clip, const ClipStage& stage, float height);

  const std::vector<Event>& events() const { return events_; }
  // Tones that may occur.
  std::vector<Tone> tones() const;
  // What the effects of one exposure look like from one direction.
  void draw(std::size_t exposure, const SlashView& view, EffectCanvas& canvas) const;

 private:
  double age_s(const Event& event, std::size_t exposure) const;
  void draw_dust(const Event& event, double age_s, const SlashView& view, EffectCanvas& canvas) const;
  void draw_hit(const Event& event, double age_s, const SlashView& view, EffectCanvas& canvas) const;
  void draw_cast(const Event& event, double age_s, std::size_t exposure, const SlashView& view,
                 EffectCanvas& canvas) const;
  void draw_speed_lines(std::size_t exposure, const SlashView& view, EffectCanvas& canvas) const;

  const Clip& clip_;
  const ClipStage& stage_;
  int hips_;
  float height_, speed_;  // Model units; heights per second over the ground.
  std::vector<Event> events_;
  std::vector<double> displayed_s_;  // [exposures] when each begins.
  double total_s_ = 0;
};

}  // namespace zoe::sprite
