// SPDX-License-Identifier: MIT
// The whole FBX reader: container, scene, curves, meshes, skins, clips.
#include <cstddef>
#include <cstdint>
#include <span>

#include "zoe/core/check.h"
#include "zoe/io/fbx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const zoe::io::FbxReadOptions options{.bytes_always_granted = std::size_t{1} << 20};
  const auto asset = zoe::io::read_fbx(std::as_bytes(std::span(data, size)), "fuzz.fbx", options);
  if (!asset) return 0;
  ZOE_CHECK(zoe::validate(*asset->character), "the reader returned a character that is not valid");
  for (const zoe::Motion& clip : asset->clips) {
    ZOE_CHECK(zoe::validate(clip), "the reader returned a motion that is not valid");
  }
  return 0;
}
