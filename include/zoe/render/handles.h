// SPDX-License-Identifier: MIT
// Part of Zoetrope. Handles of a renderer's GPU objects. Plain numbers, valid for the renderer that created them.
#pragma once

#include <cstdint>

namespace zoe::render {

template <typename Tag>
struct Handle {
  std::uint32_t value = 0;  // 0: none.
  explicit operator bool() const { return value != 0; }
  friend bool operator==(Handle, Handle) = default;
};

using MeshHandle = Handle<struct MeshTag>;
using TextureHandle = Handle<struct TextureTag>;
using MaterialHandle = Handle<struct MaterialTag>;

}  // namespace zoe::render
