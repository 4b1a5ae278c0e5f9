// SPDX-License-Identifier: MIT
// Maximum number of shadow maps of a view. The shaders have the same number.
#pragma once

namespace zoe::render {

constexpr int kMaxCascades = 4;

}  // namespace zoe::render
