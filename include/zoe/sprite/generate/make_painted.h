// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames of one drawing that moves, painted by a trained network instead of bent: colours stay those
// of the drawing, limbs that pass the body are painted anew.
//
//   const paint::Painter painter = paint::Painter::load("models/painter/model.safetensors").value();
//   sprite::PuppetRequest request{.cut = cut, .rig = sprite::find_rig(cut.figure)};
//   const Result<sprite::FrameSet> frames = sprite::make_painted(request, painter, executor, warnings);
#pragma once

#include "zoe/core/executor.h"
#include "zoe/paint/painter.h"
#include "zoe/sprite/puppet/make_puppet.h"

namespace zoe::sprite {

// Frames of the painter's size, or of half, a third … of it for small pixel art; request.size_px is not used. Fails on
// figures that are no humanoids. Large drawings are made smaller, and colours beyond the painter's number are joined.
Result<FrameSet> make_painted(const PuppetRequest& request, const paint::Painter& painter, Executor& executor,
                              Warnings& warnings);

}  // namespace zoe::sprite
