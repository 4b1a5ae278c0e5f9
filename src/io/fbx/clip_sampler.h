// SPDX-License-Identifier: MIT
// Part of Zoetrope. Samples a file's takes at a fixed rate into Motions.
#pragma once

#include <vector>

#include "zoe/io/fbx.h"
#include "zoe/motion/motion.h"

#include "io/fbx/scene_meshes.h"

namespace zoe::io::fbx {

Result<std::vector<Motion>> sample_clips(const SceneContext& context, const Animation& animation,
                                         const Character& character, const std::vector<InstanceChannels>& channels,
                                         const FbxReadOptions& options);

}  // namespace zoe::io::fbx
