// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "zoe/store/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = zoe::parse_npy({reinterpret_cast<const std::byte*>(data), size});
  if (!array) return 0;
  (void)zoe::to_floats(*array);
  (void)zoe::to_int32(*array);
  (void)zoe::to_int64(*array);
  (void)zoe::to_strings(*array, 1000);
  (void)zoe::encode_npy_header(*array);
  return 0;
}
