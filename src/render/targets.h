// SPDX-License-Identifier: MIT
// All render targets, created again when the size or the requested outputs change.
#pragma once

#include "zoe/core/result.h"
#include "zoe/render/settings.h"

#include "render/gl/objects.h"

namespace zoe::render {

struct Targets {
  int width = 0, height = 0;          // Rendered size, with supersampling.
  int out_width = 0, out_height = 0;  // Size of the picture.

  gl::Texture color, normal, depth, id,
      emissive;  // The G-buffer. Id and emissive only when needed.
  gl::Framebuffer geometry;
  gl::Texture occlusion[2];  // Half size.
  gl::Framebuffer occlusion_buffer[2];
  gl::Texture bright;                     // Light above the bloom threshold, as square roots. With bloom only.
  gl::Framebuffer display_bright_buffer;  // display[0], bright, depth.
  static constexpr int kBloomLevels = 4;  // A quarter of the size, then each half of the one before.
  gl::Texture bloom[kBloomLevels];
  gl::Framebuffer bloom_buffer[kBloomLevels];
  gl::Texture glow;  // A quarter of the size, screen colours.
  gl::Framebuffer glow_buffer;
  gl::Texture display[2];  // Screen colours.
  gl::Framebuffer display_buffer[2], display_depth_buffer;
  gl::Texture ghost_depth;  // Depth of the scene, and of the ghost that is being drawn.
  gl::Framebuffer display_ghost_buffer;
  gl::Texture out;  // With supersampling only.
  gl::Framebuffer out_buffer;
  gl::Texture shadow;  // [cascades]
  gl::Framebuffer shadow_buffer[4];

  // Creates targets that are missing or of the wrong size. The caller has checked the sizes.
  Result<void> prepare(const Settings& settings, bool emissive, bool ghosts);

 private:
  void make_screen(const Settings& settings);
  void make_shadow(const Settings& settings);
  int shadow_resolution_ = 0, shadow_cascades_ = 0;
};

}  // namespace zoe::render
