// SPDX-License-Identifier: MIT
// libFuzzer target for the glTF reader; what it accepts must also survive the writer.
#include <cstddef>
#include <cstdint>

#include "zoe/io/gltf.h"
#include "zoe/io/vrm.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zoe::io::GltfReadOptions options;
  options.expansion_allowance = 1 << 20;
  const auto asset = zoe::io::read_gltf({reinterpret_cast<const std::byte*>(data), size}, options);
  if (asset) (void)zoe::io::encode_gltf(*asset->character, asset->clips);
  (void)zoe::io::read_gltf_lines({reinterpret_cast<const std::byte*>(data), size}, options);
  (void)zoe::io::read_vrm({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
