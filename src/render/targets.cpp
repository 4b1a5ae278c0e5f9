// SPDX-License-Identifier: MIT
#include "render/targets.h"

#include <algorithm>

#include <fmt/format.h>

namespace zoe::render {
namespace {

gl::Framebuffer framebuffer_of(const gl::Texture& color) {
  gl::Framebuffer buffer = gl::make_framebuffer();
  glNamedFramebufferTexture(buffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
  return buffer;
}

gl::Framebuffer framebuffer_of(const gl::Texture& color, const gl::Texture& depth) {
  gl::Framebuffer buffer = framebuffer_of(color);
  glNamedFramebufferTexture(buffer.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
  return buffer;
}

int shrunk(int size, int by) { return std::max((size + by - 1) / by, 1); }

}  // namespace

void Targets::make_screen(const Settings& settings) {
  out_width = settings.width;
  out_height = settings.height;
  width = settings.width * settings.supersampling;
  height = settings.height * settings.supersampling;
  color = gl::make_target(GL_RGBA8, width, height);
  normal = gl::make_target(GL_R32UI, width, height);
  depth = gl::make_target(GL_DEPTH_COMPONENT32F, width, height);
  geometry = gl::make_framebuffer();
  glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
  glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT1, normal.name(), 0);
  glNamedFramebufferTexture(geometry.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
  for (int i = 0; i < 2; ++i) {
    display[i] = gl::make_target(GL_RGBA8, width, height);
    display_buffer[i] = framebuffer_of(display[i]);
    occlusion[i].reset();
  }
  display_depth_buffer = framebuffer_of(display[0], depth);
  id.reset();
  emissive.reset();
  bright.reset();
  ghost_depth.reset();
  out.reset();
  if (settings.supersampling > 1) {
    out = gl::make_target(GL_RGBA8, out_width, out_height);
    out_buffer = framebuffer_of(out);
  }
}

void Targets::make_shadow(const Settings& settings) {
  shadow_resolution_ = settings.shadow_resolution;
  shadow_cascades_ = settings.shadow_cascades;
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &name);
  shadow = gl::Texture(name);
  glTextureStorage3D(name, 1, GL_DEPTH_COMPONENT32F, shadow_resolution_, shadow_resolution_, shadow_cascades_);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(name, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  for (int i = 0; i < shadow_cascades_; ++i) {
    shadow_buffer[i] = gl::make_framebuffer();
    glNamedFramebufferTextureLayer(shadow_buffer[i].name(), GL_DEPTH_ATTACHMENT, name, 0, i);
  }
}

Result<void> Targets::prepare(const Settings& settings, bool want_emissive, bool ghosts) {
  while (glGetError() != GL_NO_ERROR) {
  }
  if (out_width != settings.width || out_height != settings.height || width != settings.width * settings.supersampling)
    make_screen(settings);
  if (settings.shadows &&
      (shadow_resolution_ != settings.shadow_resolution || shadow_cascades_ != settings.shadow_cascades))
    make_shadow(settings);
  if (settings.write_ids && !id) {
    id = gl::make_target(GL_R32UI, width, height);
    glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT2, id.name(), 0);
  }
  if (want_emissive && !emissive) {
    emissive = gl::make_target(GL_RGBA16F, width, height);
    glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT3, emissive.name(), 0);
  }
  if (settings.ambient_occlusion && !occlusion[0]) {
    for (int i = 0; i < 2; ++i) {
      occlusion[i] = gl::make_target(GL_R32UI, shrunk(width, 2), shrunk(height, 2));
      occlusion_buffer[i] = framebuffer_of(occlusion[i]);
    }
  }
  if (settings.bloom && !bright) {
    bright = gl::make_target(GL_RGBA8, width, height);
    display_bright_buffer = framebuffer_of(display[0], depth);
    glNamedFramebufferTexture(display_bright_buffer.name(), GL_COLOR_ATTACHMENT1, bright.name(), 0);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glNamedFramebufferDrawBuffers(display_bright_buffer.name(), 2, both);
    glow = gl::make_target(GL_RGBA8, shrunk(width, 4), shrunk(height, 4));
    glow_buffer = framebuffer_of(glow);
    for (int i = 0; i < kBloomLevels; ++i) {
      bloom[i] = gl::make_target(GL_RGBA16F, shrunk(width, 4 << i), shrunk(height, 4 << i));
      bloom_buffer[i] = framebuffer_of(bloom[i]);
    }
  }
  if (ghosts && !ghost_depth) {
    ghost_depth = gl::make_target(GL_DEPTH_COMPONENT32F, width, height);
    display_ghost_buffer = framebuffer_of(display[0], ghost_depth);
  }
  if (glGetError() == GL_OUT_OF_MEMORY) {
    out_width = shadow_resolution_ = 0;  // Tries again next time.
    return Error{ErrorCode::kLimit,
                 fmt::format("no memory to render {} x {} pixels, {} times supersampled: choose a smaller size",
                             settings.width, settings.height, settings.supersampling)};
  }
  return {};
}

}  // namespace zoe::render
