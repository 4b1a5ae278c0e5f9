// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A synthetic character with a walk, and what tests look for in frames.
#pragma once

#include <set>

#include "zoe/core/thread_pool.h"
#include "zoe/sprite/make_frames.h"
#include "zoe/synth/clip.h"

namespace zoe::sprite::test {

// One second of a walk, 64 pixels, one direction.
inline Request walker(Style style, BodyFamily family = BodyFamily::kBiped) {
  const synth::Body body = synth::make_body(family, Random(3));
  const synth::Clip clip = synth::make_clip(body, {.gait = synth::Gait::kWalk, .seconds = 1}, Random(1)).value();
  Request request{.character = body.character,
                  .body = analyse(*body.character->skeleton, {&clip.motion, 1}, body.character.get()),
                  .size_px = 64};
  request.look.style = style;
  auto motion = std::make_shared<const Motion>(clip.motion);
  request.clips.push_back({"walk", motion, even_exposures(*motion, 8, 0, false), false});
  return request;
}

inline FrameSet draw(const Request& request) {
  ThreadPool pool(1);
  Warnings warnings;
  return make_frames(request, pool, warnings).value();
}

inline bool same_pictures(const Cel& a, const Cel& b) {
  return a.x == b.x && a.y == b.y && a.picture.width == b.picture.width && a.picture.rgba == b.picture.rgba;
}

}  // namespace zoe::sprite::test
