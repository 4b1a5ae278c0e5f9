// SPDX-License-Identifier: MIT
#include "io/gltf/data_writer.h"

#include <algorithm>
#include <cstring>

#include "zoe/core/check.h"

namespace zoe::io::gltf {
namespace {

void put_bounds(Json& accessor, std::span<const float> values, std::size_t width, bool include_zero) {
  std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
  std::vector<float> high = low;
  for (std::size_t i = 0; i < values.size(); ++i) {
    low[i % width] = std::min(low[i % width], values[i]);
    high[i % width] = std::max(high[i % width], values[i]);
  }
  if (include_zero) {
    for (float& v : low) v = std::min(v, 0.0F);
    for (float& v : high) v = std::max(v, 0.0F);
  }
  accessor["min"] = low;
  accessor["max"] = high;
}

template <typename Stored>
std::vector<Stored> narrowed(std::span<const std::uint32_t> values) {
  std::vector<Stored> out;
  out.reserve(values.size());
  for (const std::uint32_t value : values) out.push_back(static_cast<Stored>(value));
  return out;
}

}  // namespace

std::size_t components_of(std::string_view type) {
  return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
}

void DataWriter::begin_view(ViewTarget target) {
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  view_start_ = bytes_.size();
  Json view{{"buffer", 0}, {"byteOffset", view_start_}, {"byteLength", 0}};
  if (target != ViewTarget::kNone) view["target"] = static_cast<int>(target);
  views_.push_back(std::move(view));
}

std::size_t DataWriter::append_bytes(const void* data, std::size_t size) {
  ZOE_CHECK(!views_.empty(), "begin_view() comes first");
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  const std::size_t offset = bytes_.size() - view_start_;
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
  views_.back()["byteLength"] = bytes_.size() - view_start_;
  return offset;
}

int DataWriter::add_accessor(std::size_t offset, ComponentType stored, std::size_t count, const char* type) {
  Json accessor{{"bufferView", views_.size() - 1}};
  if (offset > 0) accessor["byteOffset"] = offset;
  accessor["componentType"] = static_cast<int>(stored);
  accessor["count"] = count;
  accessor["type"] = type;
  accessors_.push_back(std::move(accessor));
  return static_cast<int>(accessors_.size()) - 1;
}

int DataWriter::append_floats(std::span<const float> values, const char* type, bool with_bounds) {
  const std::size_t width = components_of(type);
  ZOE_CHECK(!values.empty() && values.size() % width == 0, "an accessor needs whole elements");
  const std::size_t offset = append_bytes(values.data(), values.size_bytes());
  const int index = add_accessor(offset, ComponentType::kF32, values.size() / width, type);
  if (with_bounds) put_bounds(accessors_.back(), values, width, false);
  return index;
}

int DataWriter::append_integers(std::span<const std::uint32_t> values, ComponentType stored, const char* type,
                                bool normalized) {
  ZOE_CHECK(!values.empty() && values.size() % components_of(type) == 0, "an accessor needs whole elements");
  std::size_t offset = 0;
  if (size_of(stored) == 1) {
    const auto small = narrowed<std::uint8_t>(values);
    offset = append_bytes(small.data(), small.size());
  } else if (size_of(stored) == 2) {
    const auto small = narrowed<std::uint16_t>(values);
    offset = append_bytes(small.data(), small.size() * 2);
  } else {
    offset = append_bytes(values.data(), values.size_bytes());
  }
  const int index = add_accessor(offset, stored, values.size() / components_of(type), type);
  if (normalized) accessors_.back()["normalized"] = true;
  return index;
}

int DataWriter::append_sparse_vec3(std::span<const std::uint32_t> indices, std::span<const Vec3> values,
                                   std::size_t count) {
  Json accessor{{"componentType", static_cast<int>(ComponentType::kF32)}, {"count", count}, {"type", "VEC3"}};
  if (indices.empty()) {
    accessor["min"] = accessor["max"] = {0, 0, 0};
  } else {
    const std::span<const float> numbers(&values.data()->x, values.size() * 3);
    put_bounds(accessor, numbers, 3, indices.size() < count);
    begin_view(ViewTarget::kNone);
    append_bytes(indices.data(), indices.size_bytes());
    const std::size_t indices_view = views_.size() - 1;
    begin_view(ViewTarget::kNone);
    append_bytes(values.data(), values.size_bytes());
    accessor["sparse"] = {
        {"count", indices.size()},
        {"indices", {{"bufferView", indices_view}, {"componentType", static_cast<int>(ComponentType::kU32)}}},
        {"values", {{"bufferView", views_.size() - 1}}}};
  }
  accessors_.push_back(std::move(accessor));
  return static_cast<int>(accessors_.size()) - 1;
}

int DataWriter::append_blob(std::span<const std::byte> bytes) {
  begin_view(ViewTarget::kNone);
  append_bytes(bytes.data(), bytes.size());
  return static_cast<int>(views_.size()) - 1;
}

}  // namespace zoe::io::gltf
