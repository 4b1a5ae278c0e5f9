// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sentences that describe a clip.
#pragma once

#include "zoe/synth/clip.h"

namespace zoe::synth {

// Three different sentences about the same clip, lower case, without a full stop.
std::vector<std::string> make_captions(const Body& body, const Clip& clip, Random random);

}  // namespace zoe::synth
