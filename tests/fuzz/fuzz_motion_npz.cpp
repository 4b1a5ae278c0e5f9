// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <span>

#include "zoe/core/check.h"
#include "zoe/io/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto asset = zoe::io::read_motion_npz(std::as_bytes(std::span(data, size)), "fuzz.npz");
  if (!asset) return 0;
  for (const zoe::Motion& clip : asset->clips) {
    ZOE_CHECK(zoe::validate(clip), "the reader returned a motion that is not valid");
  }
  return 0;
}
