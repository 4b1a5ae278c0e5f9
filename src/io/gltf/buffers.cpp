// SPDX-License-Identifier: MIT
#include "io/gltf/buffers.h"

#include <fmt/format.h>

#include "io/gltf/uri.h"

namespace zoe::io::gltf {

Result<Blob> open_uri(std::string_view uri, const std::filesystem::path& folder, Budget& budget) {
  Blob blob;
  if (const auto data = parse_data_uri(uri)) {
    ZOE_TRY(budget.take(data->payload.size(), 1, "embedded data"));
    if (data->base64) {
      auto bytes = decode_base64(data->payload);
      if (!bytes) return Error{ErrorCode::kSyntax, "a data: URI is not valid base64", {}};
      blob.owned = std::move(*bytes);
    } else {
      const std::string plain = percent_decode(data->payload);
      blob.owned.assign(as_bytes(plain).begin(), as_bytes(plain).end());
    }
    blob.bytes = blob.owned;
    blob.mime_type = data->mime_type;
    return blob;
  }
  ZOE_TRY_ASSIGN(const std::filesystem::path path, resolve_uri(folder, uri));
  if (folder.empty()) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("'{}' is a separate file; set GltfReadOptions::base_folder or read by path", uri.substr(0, 200)),
        {}};
  }
  ZOE_TRY_ASSIGN(blob.mapped, MappedFile::open(path));
  blob.bytes = blob.mapped.bytes();
  budget.add_input(blob.bytes.size());
  return blob;
}

Result<Buffers> Buffers::open(const Document& document, const Container& container, const std::filesystem::path& folder,
                              Budget& budget) {
  Buffers buffers;
  buffers.document_ = &document;
  buffers.blobs_.reserve(document.buffers.size());
  for (std::size_t i = 0; i < document.buffers.size(); ++i) {
    const BufferDef& def = document.buffers[i];
    Blob blob;
    if (!def.uri.empty()) {
      auto opened = open_uri(def.uri, folder, budget);
      if (!opened) {
        Error error = std::move(opened).error();
        error.message = fmt::format("buffers[{}]: {}", i, error.message);
        return error;
      }
      blob = std::move(opened).value();
    } else if (i == 0 && container.binary) {
      blob.bytes = *container.binary;
    }
    // A buffer without bytes is valid as long as nothing reads it (compression extensions do this).
    if (blob.bytes.size() < def.length && !(def.uri.empty() && blob.bytes.empty())) {
      return Error{
          ErrorCode::kSyntax,
          fmt::format("buffers[{}] should have {} bytes, but only {} are there", i, def.length, blob.bytes.size()),
          {}};
    }
    buffers.blobs_.push_back(std::move(blob));
  }
  return buffers;
}

int Buffers::add(std::vector<std::byte> bytes) {
  Blob blob;
  blob.owned = std::move(bytes);
  blob.bytes = blob.owned;
  blobs_.push_back(std::move(blob));
  return static_cast<int>(blobs_.size() - 1);
}

Result<std::span<const std::byte>> Buffers::view(int index) const {
  const ViewDef& def = document_->views[static_cast<std::size_t>(index)];
  const Blob& blob = blobs_[static_cast<std::size_t>(def.buffer)];
  if (blob.bytes.empty() && def.length > 0) {
    return Error{ErrorCode::kSyntax,
                 fmt::format("bufferViews[{}] refers to buffers[{}], which has no data", index, def.buffer),
                 {}};
  }
  return blob.bytes.subspan(def.offset, def.length);
}

}  // namespace zoe::io::gltf
