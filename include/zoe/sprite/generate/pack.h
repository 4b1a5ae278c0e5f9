// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips of procedural characters as pictures of few colours with exact poses: what painters
// (zoe/paint/painter.h) are trained and tested on.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/paint/clip_file.h"
#include "zoe/paint/painter.h"
#include "zoe/render/picture.h"
#include "zoe/sprite/dataset.h"
#include "zoe/sprite/maps.h"
#include "zoe/sprite/request.h"

namespace zoe::sprite {

// The 18 points of OpenPose as a painter's pose, of a canvas of `size` pixels.
paint::Pose pose_from(const FrameMaps& maps, int size);

// At most num_colors colours of the opaque pixels of a picture: exact ones where there are few.
std::vector<Rgb> colors_of_picture(const render::Picture& picture, int num_colors);
// Indices of a square picture: 0 where alpha is below 128, else the palette's nearest colour (OKLab) plus one.
std::vector<std::uint8_t> indices_of(const render::Picture& picture, std::span<const Rgb> palette);

// The words of captions that painters of clips read (zoe/paint/caption.h): those of identity::vocabulary() without
// "a", "the" and the like.
std::string painter_words();

// Beside indices and poses. Evaluations need the frames as drawn, painters soft frames and puppets' guesses, judges
// nothing more. kEmptyGuesses: soft frames, and guesses in which nothing is drawn: the clip has none.
enum class PackContent : std::uint8_t { kTruth, kGuesses, kEmptyGuesses, kNothing };

// One clip of any character. The request's first clip is one exposure, the reference; its second is the clip.
// other_turn_deg: the reference is seen from a direction turned by it.
// joint_noise: deviation of
// the joints that those puppets know, fractions of the canvas, by a seed.
struct PackClip {
  int num_colors = 32;
  PackContent content = PackContent::kGuesses;
  float other_turn_deg = 0;
  float joint_noise = 0;
  std::uint64_t seed = 0;
  bool video = false;                       // All guesses are made from the reference.
  const paint::Painter* painter = nullptr;  // Of clips with `video`: paints the puppet's guesses.
  bool loop = false;
};
Result<paint::PaintClip> pack_clip(Request request, paint::ClipLabel label, const PackClip& how);

struct PackOptions {
  DatasetOptions dataset;                              // folder: where clips.safetensors is written.
  std::vector<identity::Species> species, no_species;  // Only these, none of these; empty: all.
  float other_views = 0.2F;                            // Share of clips whose reference is seen from another direction.
  int num_colors = 32;
  float joint_noise = 0.006F;  // Of half of the clips.
  PackContent content = PackContent::kGuesses;
  bool video = false;  // For `zoe train sprite_video`: with captions, all guesses made from the reference.
  const paint::Painter* painter = nullptr;  // With `video`: paints the puppet's guesses.
};
// What clips with `video` say of themselves.
Metadata video_metadata(bool painted);

struct PackReport {
  int num_clips = 0, num_frames = 0, num_skipped = 0;  // Skipped: of other species.
};

// Draws the clips that plan_clip() gives for the numbers of this part and writes them into one file.
Result<PackReport> pack_clips(const PackOptions& options, Executor& executor);

}  // namespace zoe::sprite
