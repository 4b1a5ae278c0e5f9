// SPDX-License-Identifier: MIT
// Part of Zoetrope. Blend shapes: each channel is one slider with one or several target shapes along its range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/result.h"

#include "io/fbx/document.h"
#include "io/fbx/objects.h"
#include "io/fbx/settings.h"

namespace zoe::io::fbx {

struct ShapeChannel {
  std::uint32_t object = 0;          // The BlendShapeChannel.
  double percent = 0;                // Static slider position.
  std::size_t first_target = 0;      // Index in Mesh::morph_targets. One target per full weight.
  std::vector<double> full_weights;  // Slider positions, percent, at which each target is reached; rising.
};

// Appends the mesh's morph targets and returns the channel of each.
Result<std::vector<ShapeChannel>> read_blend_shapes(const Document& document, const ObjectGraph& graph,
                                                    std::uint32_t geometry, const SpaceConversion& conversion,
                                                    Mesh* mesh, Warnings* warnings);

// Weights of a channel's targets at a slider position. Between two neighbours (0 counts as one, without a target) they
// blend. Beyond the last they continue linearly, as in Maya. out: one per full weight.
void target_weights(std::span<const double> full_weights, double percent, std::span<float> out);

}  // namespace zoe::io::fbx
