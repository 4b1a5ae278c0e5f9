// SPDX-License-Identifier: MIT
#include "store/safetensors_header.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/json_text.h"
#include "zoe/store/json.h"

namespace zoe {
namespace {

constexpr std::array<std::pair<DType, const char*>, 10> kTypes{{{DType::kF64, "F64"},
                                                                {DType::kF32, "F32"},
                                                                {DType::kF16, "F16"},
                                                                {DType::kBF16, "BF16"},
                                                                {DType::kI64, "I64"},
                                                                {DType::kI32, "I32"},
                                                                {DType::kI16, "I16"},
                                                                {DType::kI8, "I8"},
                                                                {DType::kU8, "U8"},
                                                                {DType::kBool, "BOOL"}}};
constexpr const char* kMetadataKey = "__metadata__";
constexpr std::size_t kMaxTensorAxes = 64;

std::optional<DType> dtype_named(std::string_view name) {
  for (const auto& [dtype, known] : kTypes) {
    if (name == known) return dtype;
  }
  return std::nullopt;
}

Error unexpected(std::string_view name) {
  return {ErrorCode::kSyntax, fmt::format("the header holds something unexpected at '{}'", name)};
}

// Visits members until one fails: visit(name, value) returns Result<void>.
template <typename Visit>
Result<void> each_member(JsonValue object, const Visit& visit) {
  Result<void> result;
  std::string storage;
  object.each_member(storage, [&](std::string_view name, JsonValue value) {
    result = visit(name, value);
    return static_cast<bool>(result);
  });
  return result;
}

// Appends a list's whole numbers to `out`, at most `max_count`. Returns false for anything else.
bool read_sizes(JsonValue list, std::size_t max_count, std::vector<std::size_t>& out) {
  if (!list.is_array()) return false;
  bool good = true;
  list.each_element([&](JsonValue value) {
    const std::optional<std::uint64_t> number = value.whole_number();
    good = number && out.size() < max_count;
    if (good) out.push_back(static_cast<std::size_t>(*number));
    return good;
  });
  return good;
}

Result<void> read_metadata(JsonValue value, Metadata& metadata) {
  if (!value.is_object()) return unexpected(kMetadataKey);
  return each_member(value, [&](std::string_view key, JsonValue held) -> Result<void> {
    std::string storage;
    const std::optional<std::string_view> text = held.string(storage);
    if (!text) return unexpected(key);
    if (!metadata.emplace(key, *text).second) return Error{ErrorCode::kSyntax, "a metadata key appears twice"};
    return {};
  });
}

Result<TensorRecord> read_tensor(std::string_view name, JsonValue value) {
  if (!value.is_object()) return unexpected(name);
  TensorRecord tensor;
  tensor.name = name;
  bool has_dtype = false, has_shape = false, has_offsets = false;
  std::vector<std::size_t> offsets;
  ZOE_TRY(each_member(value, [&](std::string_view field, JsonValue held) -> Result<void> {
    if (field == "dtype" && !std::exchange(has_dtype, true)) {
      std::string storage;
      const std::optional<std::string_view> text = held.string(storage);
      if (!text) return unexpected(name);
      const std::optional<DType> dtype = dtype_named(*text);
      if (!dtype) {
        return Error{ErrorCode::kUnsupported, fmt::format("tensor '{}' has type '{}', which is not read", name, *text)};
      }
      tensor.dtype = *dtype;
    } else if (field == "shape" && !std::exchange(has_shape, true)) {
      if (!read_sizes(held, kMaxTensorAxes, tensor.shape)) return unexpected(name);
    } else if (field == "data_offsets" && !std::exchange(has_offsets, true)) {
      if (!read_sizes(held, 2, offsets)) return unexpected(name);
    } else {
      return Error{ErrorCode::kSyntax, fmt::format("tensor '{}' has an unknown or repeated field '{}'", name, field)};
    }
    return {};
  }));
  if (!has_dtype || !has_shape || offsets.size() != 2) {
    return Error{ErrorCode::kSyntax, fmt::format("tensor '{}' lacks dtype, shape or data_offsets", name)};
  }
  tensor.begin = offsets[0];
  tensor.end = offsets[1];
  return tensor;
}

std::string json_string(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

}  // namespace

const char* safetensors_name(DType dtype) {
  for (const auto& [known, name] : kTypes) {
    if (known == dtype) return name;
  }
  return nullptr;
}

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json) {
  constexpr std::size_t kDepth = 3;  // Depth of the header, a tensor, and its shape.
  const Result<JsonTape> tape = JsonTape::parse(json, kDepth);
  if (!tape) {
    const Error& error = tape.error();
    if (error.code == ErrorCode::kLimit) return unexpected("a list or object inside another");
    return Error{ErrorCode::kSyntax, "the header is " + error.message, error.where};
  }
  if (!tape->root().is_object()) return unexpected("");
  SafetensorsHeader header;
  bool has_metadata = false;
  ZOE_TRY(each_member(tape->root(), [&](std::string_view name, JsonValue value) -> Result<void> {
    if (name == kMetadataKey) {
      if (std::exchange(has_metadata, true)) return Error{ErrorCode::kSyntax, "__metadata__ appears twice"};
      return read_metadata(value, header.metadata);
    }
    ZOE_TRY_ASSIGN(TensorRecord tensor, read_tensor(name, value));
    header.tensors.push_back(std::move(tensor));
    return {};
  }));
  return header;
}

std::string encode_safetensors_header(const std::vector<TensorRecord>& tensors, const Metadata& metadata) {
  std::string json = "{";
  if (!metadata.empty()) {
    json += "\"__metadata__\":{";
    for (const auto& [key, text] : metadata) json += json_string(key) + ":" + json_string(text) + ",";
    json.back() = '}';
    json += ',';
  }
  for (const TensorRecord& tensor : tensors) {
    json += fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}},)", json_string(tensor.name),
                        safetensors_name(tensor.dtype), fmt::join(tensor.shape, ","), tensor.begin, tensor.end);
  }
  if (json.back() == ',') json.pop_back();
  return json + "}";
}

}  // namespace zoe
