// SPDX-License-Identifier: MIT
// Part of Zoetrope. The bytes behind a glTF file's buffers: the GLB's chunk, data: URIs, files
// beside it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/core/file.h"

#include "io/gltf/budget.h"
#include "io/gltf/container.h"
#include "io/gltf/document.h"

namespace zoe::io::gltf {

// Bytes that are owned, mapped, or another owner's; `bytes` stays valid when the Blob is moved.
struct Blob {
  std::span<const std::byte> bytes;
  std::vector<std::byte> owned;
  MappedFile mapped;
  std::string mime_type;  // When a data: URI states it.
};

// Opens a URI. `folder` is empty when files may not be opened.
Result<Blob> open_uri(std::string_view uri, const std::filesystem::path& folder, Budget& budget);

class Buffers {
 public:
  static Result<Buffers> open(const Document& document, const Container& container, const std::filesystem::path& folder,
                              Budget& budget);

  // Bytes of a buffer view, which is in range already.
  Result<std::span<const std::byte>> view(int index) const;
  // Whole buffers; empty where the file has no bytes for one.
  std::span<const std::byte> buffer(int index) const { return blobs_[static_cast<std::size_t>(index)].bytes; }
  // Bytes that were decoded, as a further buffer. Returns its number.
  int add(std::vector<std::byte> bytes);

 private:
  const Document* document_ = nullptr;
  std::vector<Blob> blobs_;
};

}  // namespace zoe::io::gltf
