// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which bone each pixel of a figure belongs to.
#pragma once

#include "zoe/render/picture.h"

#include "sprite/puppet/bones.h"
#include "sprite/puppet/mask.h"

namespace zoe::sprite {

// [pixels] Index of the bone; -1 outside of the figure. By the distance inside of the figure, less the limb's own
// thickness: wide trunks keep their pixels. Steps between different colours are long: parts end at drawn lines.
Grid<int> label_pixels(const render::Picture& figure, const Mask& mask, const PuppetRig& rig,
                       const std::vector<PuppetBone>& bones, std::vector<double>& radii);

}  // namespace zoe::sprite
