// SPDX-License-Identifier: MIT
// Part of Zoetrope. The figure of a drawing on paper or on a plain colour.
#pragma once

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

#include "sprite/puppet/mask.h"

namespace zoe::sprite {

struct PaperMask {
  Mask mask;           // Of the picture's size.
  bool plain = false;  // The background has one colour; else the paper of a photograph.
};

// Estimates the background from the picture's border as a smooth field of light, and takes what differs from it, with
// all that lines enclose. Fails on borders without a background.
Result<PaperMask> figure_on_paper(const render::Picture& picture);

}  // namespace zoe::sprite
