// SPDX-License-Identifier: MIT
#include "zoe/store/safetensors.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/core/hash.h"
#include "zoe/core/suggest.h"

#include "store/safetensors_header.h"

namespace zoe {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeaderBytes = 100'000'000;  // As in the reference implementation.

// Sorted by their bytes, the tensors must tile the data: no hole, no overlap, sizes that match dtype and shape.
Result<void> check_layout(std::vector<TensorRecord>& tensors, std::size_t data_bytes) {
  // Empty tensors share their offset with a neighbour. They come first.
  std::sort(tensors.begin(), tensors.end(), [](const TensorRecord& a, const TensorRecord& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::size_t covered = 0;
  for (const TensorRecord& tensor : tensors) {
    const std::optional<std::size_t> bytes = array_bytes(tensor.shape, dtype_bytes(tensor.dtype));
    if (tensor.end < tensor.begin || !bytes || *bytes != tensor.end - tensor.begin) {
      return Error{ErrorCode::kInvalid, fmt::format("tensor '{}': its offsets {} to {} do not match its type and shape",
                                                    tensor.name, tensor.begin, tensor.end)};
    }
    if (tensor.begin != covered) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("tensor '{}' begins at {}, where {} was expected: holes and overlaps "
                               "are not allowed",
                               tensor.name, tensor.begin, covered)};
    }
    covered = tensor.end;
    if (covered > data_bytes) {
      return Error{ErrorCode::kSyntax, fmt::format("tensor '{}' is cut off: the file ends before it", tensor.name)};
    }
  }
  if (covered != data_bytes) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("{} bytes after the last tensor belong to nothing", data_bytes - covered)};
  }
  return {};
}

Result<SafetensorsHeader> read_header(std::span<const std::byte> bytes, std::size_t& header_bytes) {
  if (bytes.size() < kLengthBytes) return Error{ErrorCode::kSyntax, "not a safetensors file: shorter than 8 bytes"};
  const auto stated = load_le<std::uint64_t>(bytes.data());
  if (stated > kMaxHeaderBytes) {
    return Error{ErrorCode::kLimit,
                 fmt::format("not a safetensors file, or damaged: its header would have {} bytes", stated)};
  }
  header_bytes = stated;
  if (header_bytes > bytes.size() - kLengthBytes) return Error{ErrorCode::kSyntax, "the header is cut off"};
  const std::string_view json = as_text(bytes.subspan(kLengthBytes, header_bytes));
  if (!json.starts_with('{'))
    return Error{ErrorCode::kSyntax, "the header does not begin with '{'", {.byte_offset = 8}};
  Result<SafetensorsHeader> header = parse_safetensors_header(json);
  if (header) return header;
  Error error = std::move(header).error();
  if (error.where.byte_offset >= 0) error.where.byte_offset += kLengthBytes;
  return error;
}

}  // namespace

Result<Safetensors> Safetensors::from_bytes(std::span<const std::byte> bytes, std::string name) {
  const auto place = [&](Error error) {
    error.where.file = name;
    return error;
  };
  std::size_t header_bytes = 0;
  Result<SafetensorsHeader> header = read_header(bytes, header_bytes);
  if (!header) return place(std::move(header).error());
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + header_bytes);
  if (auto layout = check_layout(header->tensors, data.size()); !layout) return place(std::move(layout).error());

  Safetensors file;
  file.tensors_.reserve(header->tensors.size());
  for (TensorRecord& tensor : header->tensors) {
    if (!file.index_of_.emplace(tensor.name, file.tensors_.size()).second) {
      return place({ErrorCode::kInvalid, fmt::format("tensor '{}' appears twice", tensor.name)});
    }
    ArrayView view{tensor.dtype,
                   dtype_bytes(tensor.dtype),
                   std::move(tensor.shape),
                   false,
                   false,
                   data.subspan(tensor.begin, tensor.end - tensor.begin)};
    file.tensors_.push_back({std::move(tensor.name), std::move(view)});
  }
  file.metadata_ = std::move(header->metadata);
  file.file_name_ = std::move(name);
  return file;
}

Result<Safetensors> Safetensors::open(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(MappedFile mapped, MappedFile::open(path));
  ZOE_TRY_ASSIGN(Safetensors file, from_bytes(mapped.bytes(), path.string()));
  file.file_ = std::move(mapped);
  return file;
}

Result<ArrayView> Safetensors::find(std::string_view name) const {
  if (const auto found = index_of_.find(name); found != index_of_.end()) return tensors_[found->second].view;
  std::vector<std::string> names;
  for (const auto& [known, index] : index_of_) names.push_back(known);
  return Error{
      ErrorCode::kInvalid, fmt::format("no tensor '{}'{}", name, did_you_mean(name, names)), {.file = file_name_}};
}

Safetensors Safetensors::part(std::string_view prefix) const {
  Safetensors part;
  part.file_name_ = file_name_;
  for (const NamedArray& tensor : tensors_) {
    if (!tensor.name.starts_with(prefix)) continue;
    part.index_of_.emplace(tensor.name.substr(prefix.size()), part.tensors_.size());
    part.tensors_.push_back({tensor.name.substr(prefix.size()), tensor.view});
  }
  for (const auto& [key, words] : metadata_) {
    if (key.starts_with(prefix)) part.metadata_.emplace(key.substr(prefix.size()), words);
  }
  return part;
}

Result<void> write_safetensors(const std::filesystem::path& path, std::span<const NamedArray> tensors,
                               const Metadata& metadata) {
  ZOE_CHECK(names_are_unique(tensors), "two tensors have the same name");
  std::vector<const NamedArray*> order;
  for (const NamedArray& tensor : tensors) {
    const ArrayView& view = tensor.view;
    if (safetensors_name(view.dtype) == nullptr) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("tensor '{}': safetensors has no {}", tensor.name, to_string(view.dtype))};
    }
    if (view.big_endian || (view.fortran_order && view.shape.size() > 1)) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("tensor '{}' must be little-endian and row-major", tensor.name)};
    }
    ZOE_CHECK(array_bytes(view.shape, view.item_bytes) == view.bytes.size(),
              "the tensor's bytes do not match its shape");
    ZOE_CHECK(tensor.name != "__metadata__", "a tensor cannot be called __metadata__");
    order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [](const NamedArray* a, const NamedArray* b) {
    return std::pair(b->view.item_bytes, std::string_view(a->name)) <
           std::pair(a->view.item_bytes, std::string_view(b->name));
  });

  std::vector<TensorRecord> records;
  std::vector<std::span<const std::byte>> parts(2);
  std::size_t at = 0;
  for (const NamedArray* tensor : order) {
    records.push_back({tensor->name, tensor->view.dtype, tensor->view.shape, at, at + tensor->view.bytes.size()});
    at = records.back().end;
    parts.push_back(tensor->view.bytes);
  }
  std::string header = encode_safetensors_header(records, metadata);
  constexpr std::size_t kAlignment = 64;  // Of the data in a mapped file. The format itself requires 8.
  header.append((kAlignment - (kLengthBytes + header.size()) % kAlignment) % kAlignment, ' ');
  if (header.size() > kMaxHeaderBytes) return Error{ErrorCode::kLimit, "the names and metadata exceed 100 MB"};
  const std::uint64_t length = header.size();
  parts[0] = std::as_bytes(std::span(&length, 1));
  parts[1] = as_bytes(header);
  return write_file_atomic(path, parts);
}

std::string content_checksum(std::span<const NamedArray> tensors, const Metadata& metadata) {
  std::vector<const NamedArray*> order;
  for (const NamedArray& tensor : tensors) order.push_back(&tensor);
  std::ranges::sort(order, {}, &NamedArray::name);
  HashBuilder hash;
  for (const NamedArray* tensor : order) hash.add(tensor->name).add(hash_bytes(tensor->view.bytes));
  for (const auto& [key, words] : metadata) {
    if (key != kChecksumKey) hash.add(key).add(words);
  }
  return hash.finish().hex();
}

bool matches_its_checksum(const Safetensors& file) {
  const auto stated = file.metadata().find(kChecksumKey);
  return stated == file.metadata().end() || stated->second == content_checksum(file.tensors(), file.metadata());
}

}  // namespace zoe
