// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "zoe/store/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = zoe::Safetensors::from_bytes({reinterpret_cast<const std::byte*>(data), size});
  if (!file) return 0;
  for (const zoe::NamedArray& tensor : file->tensors()) (void)zoe::to_doubles(tensor.view);
  return 0;
}
