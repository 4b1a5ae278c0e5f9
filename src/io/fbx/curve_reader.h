// SPDX-License-Identifier: MIT
// Part of Zoetrope. Curves out of a document: AnimationCurve objects (7.x) and Key lists (6.x and
// older).
#pragma once

#include "zoe/core/result.h"

#include "io/fbx/curve.h"
#include "io/fbx/document.h"

namespace zoe::io::fbx {

// An AnimationCurve object. Fails when its arrays contradict each other; a curve without keys is
// fine.
Result<Curve> read_curve(const Document& document, const Node& node);

// A take's Channel record: "Key: time, value, letters and numbers, …". A channel without keys gives
// an empty curve.
Result<Curve> read_legacy_curve(const Document& document, const Node& channel);

}  // namespace zoe::io::fbx
