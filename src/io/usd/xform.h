// SPDX-License-Identifier: MIT
// Part of Zoetrope. Transforms of prims from their xformOps.
#pragma once

#include "zoe/math/affine.h"

#include "io/usd/document.h"

namespace zoe::io::usd {

// parent_from_prim in stage units. Sampled ops give their first sample, and set `sampled`. `reset`: the prim ignores
// its parents.
Result<Affined> local_transform(const Document& document, int prim, bool* sampled, bool* reset);

// world_from_prim of every prim, stage units.
Result<std::vector<Affined>> world_transforms(const Document& document, bool* sampled);

}  // namespace zoe::io::usd
