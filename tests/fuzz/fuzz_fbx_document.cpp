// SPDX-License-Identifier: MIT
// Fuzzes the FBX container: parsing, and decoding of every array.
#include <cstddef>
#include <cstdint>

#include "io/fbx/document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zoe::io::fbx;
  zoe::Warnings warnings;
  const auto document =
      Document::parse({reinterpret_cast<const std::byte*>(data), size}, zoe::io::ReadLimits{}, &warnings);
  if (!document) return 0;
  document->walk(document->root(), [&](const Node& node) {
    for (const Property& property : document->properties(node)) (void)property.as_integer();
    (void)document->read_array<double>(node);
    (void)document->read_array<std::int32_t>(node);
    (void)document->read_bytes(node);
    (void)document->first_text(node);
    (void)document->where(node);
  });
  return 0;
}
