// SPDX-License-Identifier: MIT
// Context that passes share. A pass is a function that draws; renderer.cpp decides order and targets.
#pragma once

#include "zoe/render/frame.h"
#include "zoe/render/statistics.h"

#include "render/draw_list.h"
#include "render/frame_block.h"
#include "render/programs.h"
#include "render/resources.h"
#include "render/targets.h"

namespace zoe::render {

struct PassContext {
  const RenderFrame& frame;
  const DrawList& draws;
  const Resources& resources;
  Programs& programs;
  Targets& targets;
  GLuint empty_vertex_array;
  GLuint linear_sampler;
  GLuint sorted_indices;  // A buffer of DrawList::sorted_indices.
  Mat4 clip_from_world;
  PixelBox effects;  // The pixels in which shadows and occlusion are computed.
  RenderStatistics& statistics;
};

}  // namespace zoe::render
