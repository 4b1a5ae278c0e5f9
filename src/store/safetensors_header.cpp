// SPDX-License-Identifier: MIT
#include "store/safetensors_header.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
constexpr std::size_t kMaxAxes = 64;

std::optional<DType> dtype_named(std::string_view name) {
  for (const auto& [dtype, known] : kTypes) {
    if (name == known) return dtype;
  }
  return std::nullopt;
}

// Where in the header's fixed grammar the parser stands.
enum class State { kStart, kTop, kMetadata, kTensor, kDtype, kShapeStart, kShape, kOffsetsStart, kOffsets, kDone };

// nlohmann's SAX interface: each call returns false to stop.
class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  SafetensorsHeader header;
  std::optional<Error> error;

  bool null() override { return unexpected(); }
  bool boolean(bool) override { return unexpected(); }
  bool number_integer(number_integer_t) override { return unexpected(); }  // Negative ones only.
  bool number_float(number_float_t, const string_t&) override { return unexpected(); }
  bool binary(binary_t&) override { return unexpected(); }

  bool number_unsigned(number_unsigned_t value) override {
    if (state_ == State::kShape && current_.shape.size() < kMaxAxes) {
      current_.shape.push_back(value);
      return true;
    }
    if (state_ == State::kOffsets && num_offsets_ < 2) {
      (num_offsets_++ == 0 ? current_.begin : current_.end) = value;
      return true;
    }
    return unexpected();
  }

  bool string(string_t& text) override {
    if (state_ == State::kMetadata) {
      if (!header.metadata.emplace(std::move(key_), std::move(text)).second)
        return fail("a metadata key appears twice");
      return true;
    }
    if (state_ != State::kDtype) return unexpected();
    const std::optional<DType> dtype = dtype_named(text);
    if (!dtype) {
      error = Error{ErrorCode::kUnsupported,
                    fmt::format("tensor '{}' has type '{}', which is not read", current_.name, text)};
      return false;
    }
    current_.dtype = *dtype;
    state_ = State::kTensor;
    return true;
  }

  bool start_object(std::size_t) override {
    if (state_ == State::kStart) {
      state_ = State::kTop;
      return true;
    }
    if (state_ != State::kTop) return unexpected();
    if (key_ == kMetadataKey) {
      if (std::exchange(seen_metadata_, true)) return fail("__metadata__ appears twice");
      state_ = State::kMetadata;
      return true;
    }
    current_ = {};
    current_.name = std::move(key_);
    seen_dtype_ = seen_shape_ = false;
    num_offsets_ = -1;
    state_ = State::kTensor;
    return true;
  }

  bool key(string_t& text) override {
    if (state_ != State::kTensor) {
      key_ = std::move(text);
      return true;
    }
    if (text == "dtype" && !std::exchange(seen_dtype_, true)) {
      state_ = State::kDtype;
    } else if (text == "shape" && !std::exchange(seen_shape_, true)) {
      state_ = State::kShapeStart;
    } else if (text == "data_offsets" && num_offsets_ < 0) {
      state_ = State::kOffsetsStart;
    } else {
      return fail(fmt::format("tensor '{}' has an unknown or repeated field '{}'", current_.name, text));
    }
    return true;
  }

  bool end_object() override {
    if (state_ == State::kTop) {
      state_ = State::kDone;
    } else if (state_ == State::kMetadata) {
      state_ = State::kTop;
    } else {
      if (!seen_dtype_ || !seen_shape_ || num_offsets_ != 2) {
        return fail(fmt::format("tensor '{}' lacks dtype, shape or data_offsets", current_.name));
      }
      header.tensors.push_back(std::move(current_));
      state_ = State::kTop;
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (state_ == State::kShapeStart) {
      state_ = State::kShape;
    } else if (state_ == State::kOffsetsStart) {
      state_ = State::kOffsets;
      num_offsets_ = 0;
    } else {
      return unexpected();
    }
    return true;
  }

  bool end_array() override {
    state_ = State::kTensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    error =
        Error{ErrorCode::kSyntax, "the header is not valid JSON", {.byte_offset = static_cast<std::int64_t>(position)}};
    return false;
  }

 private:
  bool fail(std::string message) {
    error = Error{ErrorCode::kSyntax, std::move(message)};
    return false;
  }
  bool unexpected() {
    const std::string& name = state_ == State::kTop || state_ == State::kMetadata ? key_ : current_.name;
    return fail(fmt::format("the header holds something unexpected at '{}'", name));
  }

  State state_ = State::kStart;
  std::string key_;
  TensorRecord current_;
  bool seen_metadata_ = false;
  bool seen_dtype_ = false;
  bool seen_shape_ = false;
  int num_offsets_ = -1;  // -1: data_offsets not seen yet.
};

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

const char* safetensors_name(DType dtype) {
  for (const auto& [known, name] : kTypes) {
    if (known == dtype) return name;
  }
  return nullptr;
}

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json) {
  Handler handler;
  const bool parsed = nlohmann::json::sax_parse(json.begin(), json.end(), &handler);
  if (handler.error) return std::move(*handler.error);
  if (!parsed) return Error{ErrorCode::kSyntax, "the header is not valid JSON"};
  return std::move(handler.header);
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
