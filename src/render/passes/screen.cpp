// SPDX-License-Identifier: MIT
#include "render/passes/screen.h"

#include <algorithm>

#include "zoe/core/trace.h"

namespace zoe::render {
namespace {

void draw_screen(PassContext& context, GLuint program, GLuint target, int width, int height) {
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, width, height);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glUseProgram(program);
  glBindVertexArray(context.empty_vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  ++context.statistics.num_draws;
}

int shrunk(int size, int by) { return std::max((size + by - 1) / by, 1); }

// Restricts drawing to a box of pixels during its lifetime.
class Scissor {
 public:
  explicit Scissor(const PixelBox& box) {
    glEnable(GL_SCISSOR_TEST);
    set(box);
  }
  ~Scissor() { glDisable(GL_SCISSOR_TEST); }
  static void set(const PixelBox& box) {
    glScissor(box.x0, box.y0, std::max(box.width(), 0), std::max(box.height(), 0));
  }
};

std::uint32_t projection(const PassContext& context) {
  return context.frame.camera.ortho_height_m > 0 ? std::uint32_t{kOrthographic} : 0;
}

}  // namespace

Result<void> draw_occlusion(PassContext& context) {
  ZOE_TRACE_SCOPE("render.occlusion");
  Targets& targets = context.targets;
  const int width = shrunk(targets.width, 2), height = shrunk(targets.height, 2);
  // At half size, with the surrounding texels that the blur and the lighting read.
  const PixelBox& full = context.effects;
  Scissor scissor({full.x0 / 2 - 4, full.y0 / 2 - 4, full.x1 / 2 + 5, full.y1 / 2 + 5});
  ZOE_TRY_ASSIGN(const GLuint gather, context.programs.get(Shader::kOcclusion, projection(context),
                                                           context.frame.settings.ambient_occlusion_samples));
  glBindTextureUnit(1, targets.normal.name());
  glBindTextureUnit(2, targets.depth.name());
  draw_screen(context, gather, targets.occlusion_buffer[0].name(), width, height);
  for (const int from : {0, 1}) {
    ZOE_TRY_ASSIGN(const GLuint blur, context.programs.get(Shader::kOcclusionBlur, from == 0 ? kFirst : 0U));
    glBindTextureUnit(0, targets.occlusion[from].name());
    draw_screen(context, blur, targets.occlusion_buffer[1 - from].name(), width, height);
  }
  return {};
}

Result<void> draw_lighting(PassContext& context, GLuint target, std::uint32_t variant) {
  ZOE_TRACE_SCOPE("render.lighting");
  Targets& targets = context.targets;
  const int samples = (variant & kShadows) != 0 ? context.frame.settings.shadow_samples : 0;
  variant |= projection(context);
  // Away from bodies and their shadows the ground needs neither occlusion nor the shadow map.
  const std::uint32_t plain = variant & ~(kOcclusion | kShadows | 3U * kMoreCascades);
  ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(Shader::kLighting, variant, samples));
  ZOE_TRY_ASSIGN(const GLuint plain_program, context.programs.get(Shader::kLighting, plain, 0));
  glBindTextureUnit(0, targets.color.name());
  glBindTextureUnit(1, targets.normal.name());
  glBindTextureUnit(2, targets.depth.name());
  if ((variant & kOcclusion) != 0) glBindTextureUnit(3, targets.occlusion[0].name());
  if ((variant & kShadows) != 0) glBindTextureUnit(4, targets.shadow.name());
  if ((variant & kEmissive) != 0) glBindTextureUnit(5, targets.emissive.name());
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, targets.width, targets.height);
  glDisable(GL_CULL_FACE);
  glBindVertexArray(context.empty_vertex_array);
  // The triangle is at depth 0, which is infinity: behind all drawn surfaces, and level only with the sky. Software
  // rasterisers skip whole blocks by depth, but never one side of a branch. The depth is also read as a texture, and
  // not written.
  const float nothing[4] = {};
  if (context.frame.settings.transparent_background) {
    glClearBufferfv(GL_COLOR, 0, nothing);
    if ((variant & kBloom) != 0) glClearBufferfv(GL_COLOR, 1, nothing);
  }
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_LESS);
  {
    const PixelBox& in = context.effects;
    const int width = targets.width, height = targets.height;
    Scissor scissor(in);
    const auto draw = [](GLuint with, const PixelBox& box) {
      if (box.empty()) return;
      Scissor::set(box);
      glUseProgram(with);
      glDrawArrays(GL_TRIANGLES, 0, 3);
    };
    draw(program, in);
    if (in.empty()) {
      draw(plain_program, {0, 0, width, height});
    } else {
      for (const PixelBox& box : {PixelBox{0, 0, width, in.y0}, PixelBox{0, in.y1, width, height},
                                  PixelBox{0, in.y0, in.x0, in.y1}, PixelBox{in.x1, in.y0, width, in.y1}}) {
        draw(plain_program, box);
      }
    }
  }
  if (context.frame.settings.transparent_background) {
    glDepthMask(GL_TRUE);
    return {};
  }
  ZOE_TRY_ASSIGN(const GLuint sky, context.programs.get(Shader::kSky, variant & (kBloom | kOrthographic)));
  glDepthFunc(GL_EQUAL);
  glUseProgram(sky);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  context.statistics.num_draws += 2;
  return {};
}

Result<void> draw_bloom(PassContext& context) {
  ZOE_TRACE_SCOPE("render.bloom");
  Targets& targets = context.targets;
  glBindSampler(0, context.linear_sampler);
  const auto level_size = [&](int level) {
    return std::pair{shrunk(targets.width, 4 << level), shrunk(targets.height, 4 << level)};
  };
  for (int level = 0; level < Targets::kBloomLevels; ++level) {
    ZOE_TRY_ASSIGN(const GLuint down, context.programs.get(Shader::kBloomDown, level == 0 ? kFirst : 0U));
    glBindTextureUnit(0, level == 0 ? targets.bright.name() : targets.bloom[level - 1].name());
    const auto [width, height] = level_size(level);
    draw_screen(context, down, targets.bloom_buffer[level].name(), width, height);
  }
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  ZOE_TRY_ASSIGN(const GLuint up, context.programs.get(Shader::kBloomUp));
  for (int level = Targets::kBloomLevels - 2; level > 0; --level) {
    glBindTextureUnit(0, targets.bloom[level + 1].name());
    const auto [width, height] = level_size(level);
    draw_screen(context, up, targets.bloom_buffer[level].name(), width, height);
  }
  glDisable(GL_BLEND);
  ZOE_TRY_ASSIGN(const GLuint last, context.programs.get(Shader::kBloomUp, kLast));
  glBindTextureUnit(0, targets.bloom[1].name());
  glBindTextureUnit(1, targets.bloom[0].name());
  const auto [width, height] = level_size(0);
  draw_screen(context, last, targets.glow_buffer.name(), width, height);
  glBindSampler(0, 0);
  return {};
}

Result<void> draw_finish(PassContext& context) {
  ZOE_TRACE_SCOPE("render.finish");
  Targets& targets = context.targets;
  const Settings& settings = context.frame.settings;
  const std::uint32_t variant =
      (settings.fxaa ? std::uint32_t{kFxaa} : 0) | (settings.bloom ? std::uint32_t{kBloom} : 0);
  ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(Shader::kFinish, variant));
  glBindSampler(0, context.linear_sampler);
  glBindSampler(1, context.linear_sampler);
  glBindTextureUnit(0, targets.display[0].name());
  if (settings.bloom) glBindTextureUnit(1, targets.glow.name());
  draw_screen(context, program, targets.display_buffer[1].name(), targets.width, targets.height);
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  return {};
}

Result<void> draw_downsampled(PassContext& context, int source) {
  Targets& targets = context.targets;
  ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(Shader::kDownsample));
  glProgramUniform1i(program, 0, context.frame.settings.supersampling);
  glBindTextureUnit(0, targets.display[source].name());
  draw_screen(context, program, targets.out_buffer.name(), targets.out_width, targets.out_height);
  return {};
}

Result<void> draw_overlay(PassContext& context, GLuint target) {
  ZOE_TRACE_SCOPE("render.overlay");
  Targets& targets = context.targets;
  ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(Shader::kOverlay));
  glProgramUniform1f(program, 0, static_cast<float>(context.frame.settings.supersampling));
  glBindTextureUnit(2, targets.depth.name());
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, targets.width, targets.height);
  // The shader compares with the depth texture itself: hidden lines may still be drawn faintly.
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(program);
  glBindVertexArray(context.empty_vertex_array);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(context.frame.overlay.lines().size()));
  glDisable(GL_BLEND);
  ++context.statistics.num_draws;
  return {};
}

}  // namespace zoe::render
