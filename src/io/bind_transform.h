// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where a skinned mesh was when it was bound: formats that store bones and mesh at bind time need it.
#pragma once

#include "zoe/character/character.h"

namespace zoe::io {

// Largest difference of a column, directions and metres alike.
double difference(const Affined& a, const Affined& b);

// model_from_mesh at bind time. The bind matrices leave it open; the one that puts the bones nearest to the rest pose
// lets other programs display that pose. `instance` has a skin. Never sheared.
Affined bind_transform(const Character& character, const MeshInstance& instance);

}  // namespace zoe::io
