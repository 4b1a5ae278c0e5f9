// SPDX-License-Identifier: MIT
// How many shadow maps share the view at most; shaders have the same number.
#pragma once

namespace zoe::render {

constexpr int kMaxCascades = 4;

}  // namespace zoe::render
