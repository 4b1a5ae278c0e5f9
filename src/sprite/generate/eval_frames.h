// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames of a packed clip by each method that evaluations compare.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/paint/clip_file.h"
#include "zoe/paint/painter.h"
#include "zoe/paint/video_painter.h"
#include "zoe/render/picture.h"
#include "zoe/sprite/generate/video.h"

namespace zoe::sprite {

using Frames = std::vector<std::vector<std::uint8_t>>;  // rgba of each frame after the reference.

render::Picture picture_of_bytes(std::span<const std::uint8_t> rgba, int size);

Frames true_frames(const paint::ClipFile& clips, std::size_t clip);
// The reference, as often as there are frames.
Frames copied_frames(const paint::ClipFile& clips, std::size_t clip);
// A puppet with the true joints.
Frames puppet_frames(const paint::ClipFile& clips, std::size_t clip);
// The same in colours of the reference's palette: what a painter begins with.
Frames guessed_frames(const paint::ClipFile& clips, std::size_t clip);
// flat: poses without depth and facing, as OpenPose draws them.
Frames painted_frames(const paint::Painter& painter, const paint::ClipFile& clips, std::size_t clip, bool flat = false);
// Of clips without a caption.
Frames video_frames(const paint::VideoPainter& painter, const VideoLook& look, const paint::ClipFile& clips,
                    std::size_t clip, bool flat = false);
// What the best choice could reach: for each pixel the bone's layer, or nothing, that is nearest to the truth;
// with_guess: or the guess or its neighbours.
Frames best_frames(const paint::ClipFile& clips, std::size_t clip, bool with_guess);

}  // namespace zoe::sprite
