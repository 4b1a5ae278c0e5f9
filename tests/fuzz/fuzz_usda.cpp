// SPDX-License-Identifier: MIT
// libFuzzer target for the USD reader; what it accepts must be valid and survive the writer.
#include <cstddef>
#include <cstdint>
#include <span>

#include "zoe/core/check.h"
#include "zoe/io/usd.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zoe::io::UsdReadOptions options;
  options.expansion_allowance = 1 << 20;
  const auto asset = zoe::io::read_usd(std::as_bytes(std::span(data, size)), "fuzz.usda", options);
  if (!asset) return 0;
  ZOE_CHECK(zoe::validate(*asset->character), "the reader returned a character that is not valid");
  for (const zoe::Motion& clip : asset->clips) {
    ZOE_CHECK(zoe::validate(clip), "the reader returned a motion that is not valid");
  }
  (void)zoe::io::encode_usda(*asset->character, asset->clips);
  return 0;
}
