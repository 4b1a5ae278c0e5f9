// SPDX-License-Identifier: MIT
// Part of Zoetrope. The JSON header of a safetensors file, parsed strictly. Memory is proportional to its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/array.h"
#include "zoe/store/metadata.h"

namespace zoe {

struct TensorRecord {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::size_t> shape;
  std::size_t begin = 0;  // From the end of the header.
  std::size_t end = 0;
};

struct SafetensorsHeader {
  std::vector<TensorRecord> tensors;
  Metadata metadata;
};

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json);
std::string encode_safetensors_header(const std::vector<TensorRecord>& tensors, const Metadata& metadata);

// "F32" and so on; null for types that the format does not have.
const char* safetensors_name(DType dtype);

}  // namespace zoe
