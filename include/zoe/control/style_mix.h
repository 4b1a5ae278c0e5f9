// SPDX-License-Identifier: MIT
// Part of Zoetrope. Mixtures of a model's styles: "0.6*injured+0.4*stealth".
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "zoe/control/intent.h"
#include "zoe/control/sources.h"
#include "zoe/control/style_range.h"

namespace zoe::control {

using StyleMix = std::array<float, kMaxLabels>;  // Weights of Controller::styles().

// Terms NAME or NUMBER*NAME, joined by + or -. A name may occur once. Weights are kLeastStyle to kMostStyle: above 1
// and below 0 styles are exaggerated. "none" is no style. Unknown names are refused with a suggestion.
Result<StyleMix> parse_style_mix(std::string_view text, std::span<const std::string> styles);

// The intents of another source. Where they request no style, this one holds.
std::unique_ptr<IntentSource> with_style_mix(std::unique_ptr<IntentSource> source, const StyleMix& mix);

}  // namespace zoe::control
