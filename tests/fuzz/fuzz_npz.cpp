// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "zoe/io/npz_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto npz = zoe::io::Npz::from_bytes({reinterpret_cast<const std::byte*>(data), size});
  if (!npz) return 0;
  for (const std::string& name : npz->names()) {
    const auto array = npz->read(name);
    if (array) (void)zoe::to_doubles(array->view());
  }
  return 0;
}
