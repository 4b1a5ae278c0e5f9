// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints of a drawn figure, estimated from its silhouette.
//
//   ZOE_TRY_ASSIGN(const sprite::CutOut cut, sprite::cut_out(drawing, {}, warnings));
//   const sprite::PuppetRig rig = sprite::find_rig(cut.figure);
#pragma once

#include <optional>

#include "zoe/render/picture.h"
#include "zoe/sprite/puppet/rig.h"

namespace zoe::sprite {

// Left and right are the figure's own: its left hand is on the right of a front view. Animals that face left are
// flipped: joints are those of the mirrored figure. body: by the silhouette unless given. flip: any body is mirrored.
PuppetRig find_rig(const render::Picture& figure, std::optional<PuppetBody> body = std::nullopt, bool flip = false);

}  // namespace zoe::sprite
