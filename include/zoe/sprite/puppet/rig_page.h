// SPDX-License-Identifier: MIT
// Part of Zoetrope. A page without a server that displays the joints of a drawing and lets them be dragged.
#pragma once

#include <string>

#include "zoe/sprite/puppet/rig.h"

namespace zoe::sprite {

// The drawing is inside of the page. "Save" downloads joints.json.
std::string rig_page(const render::Picture& drawing, const PuppetRig& rig, const CutOut& cut);

}  // namespace zoe::sprite
