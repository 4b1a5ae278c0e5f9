// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Characters made up to exercise the glTF writer.
#pragma once

#include "zoe/io/asset.h"

namespace zoe::test {

// A skeleton without a mesh, as a BVH file gives it: end sites, moving joints, 30 frames. num_roots
// trees.
io::Asset make_bare_skeleton(int num_roots);

// One skinned mesh with 8 influences a vertex, a skin that binds a joint twice, morph targets
// (sparse and dense), a rigid mesh on a sheared offset, two meshes on one joint, a mesh on no
// joint, and a mesh whose skin follows its node (Maya).
io::Asset make_everything();

}  // namespace zoe::test
