// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips painted by the video transformer (zoe/paint/video_painter.h): from a drawing, a sentence, or
// both.
//
//   const paint::VideoPainter painter = paint::VideoPainter::load("models/sprite_video/model.safetensors").value();
//   Result<FrameSet> moved = make_painted(request, painter, "", {}, executor, warnings);   // A drawing.
//   Result<void> done = repaint(set, {&stand, "e"}, painter, {"a fat green goblin"}, {}, executor);  // Words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/paint/painter.h"
#include "zoe/paint/video_painter.h"
#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/puppet/request.h"

namespace zoe::sprite {

struct VideoLook {
  int steps = 0;          // Of the sampler, 1 to 50; 0: one with guesses, else the model's own number.
  float guidance = 1.0F;  // How much the caption counts, 1 to 10; above 1 takes twice the time.
  std::uint64_t seed = 1;
  // Paints the guesses that a network with begins_painted() reads; such a network refuses clips with guesses without.
  const paint::Painter* first = nullptr;
};

// One clip. Long clips are painted in pieces of at most 16 frames.
struct VideoClip {
  std::vector<paint::Pose> poses;
  paint::VideoReference reference;
  std::vector<paint::SoftPicture> guesses;  // One a frame, or none.
  std::string_view caption;
  bool loop = false, whole_pixels = false;
};
// Frames in the palette of the reference, which must be there. Pixels beside an edge of the figure may be soft, unless
// whole_pixels.
Result<std::vector<paint::SoftPicture>> paint_video(const paint::VideoPainter& painter, const VideoClip& clip,
                                                    const VideoLook& look, Executor& executor);

// As make_painted() of make_painted.h.
Result<FrameSet> make_painted(const PuppetRequest& request, const paint::VideoPainter& painter,
                              std::string_view caption, const VideoLook& look, Executor& executor, Warnings& warnings);

// The bodies of a set of procedural frames anew, from their poses and words alone. First a still is painted from the
// words; it is the reference of all animations, so that they agree. The set has pose maps (MapKind::kPose) and the
// painter's size.
struct RepaintWords {
  std::string who;    // "fat green goblin axe".
  std::string style;  // "pixel": also whole pixels.
};
// A frame of the set's character at rest.
struct RepaintStill {
  const Frame* frame = nullptr;
  std::string_view direction;
  bool as_drawn = false;  // It is the reference itself; else only its pose is read.
};
Result<void> repaint(FrameSet& set, const RepaintStill& still, const paint::VideoPainter& painter,
                     const RepaintWords& words, const VideoLook& look, Executor& executor);

}  // namespace zoe::sprite
