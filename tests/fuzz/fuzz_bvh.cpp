// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <span>

#include "zoe/core/check.h"
#include "zoe/io/bvh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto asset = zoe::io::read_bvh(std::as_bytes(std::span(data, size)), "fuzz.bvh");
  if (!asset) return 0;
  for (const zoe::Motion& clip : asset->clips) {
    ZOE_CHECK(zoe::validate(clip), "the reader returned a motion that is not valid");
    // What was read can be written, and read again.
    if (clip.num_joints() > 200 || clip.num_frames > 50) continue;
    const auto text = zoe::io::format_bvh(clip);
    ZOE_CHECK(text, "a valid motion was not written");
    ZOE_CHECK(zoe::io::read_bvh(std::as_bytes(std::span(*text)), "again.bvh"), "our own file was refused");
  }
  return 0;
}
