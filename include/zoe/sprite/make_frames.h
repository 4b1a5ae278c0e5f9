// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames of a character's motions, drawn from several directions by the software rasteriser: no
// OpenGL, the same bytes everywhere.
//
//   sprite::Request request{.character = knight, .body = analyse(*knight->skeleton)};
//   request.clips.push_back({"walk", motion, sprite::even_exposures(*motion, 12, 0, true), true});
//   request.num_directions = 8;
//   Result<sprite::FrameSet> frames = sprite::make_frames(request, ThreadPool::shared(), warnings);
#pragma once

#include "zoe/core/executor.h"
#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/request.h"

namespace zoe::sprite {

// Fails on a character without meshes, sizes out of range, and a body that does not fit at the given scale.
Result<FrameSet> make_frames(const Request& request, Executor& executor, Warnings& warnings);

}  // namespace zoe::sprite
