// SPDX-License-Identifier: MIT
#include "io/gltf/accessor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "zoe/math/finite.h"

namespace zoe::io::gltf {
namespace {

std::string element_name(int index) { return fmt::format("accessors[{}]", index); }

Error invalid(int index, const std::string& message) {
  return {ErrorCode::kInvalid, fmt::format("{} {}", element_name(index), message), {}};
}

// Rows of `stride` bytes that start `offset` bytes into a view.
struct Rows {
  const std::byte* first = nullptr;
  std::size_t stride = 0;
};

// Checks that `count` rows of `row_size` bytes are inside the view. Cannot overflow.
Result<Rows> rows_of(std::span<const std::byte> view, std::size_t offset, std::size_t stride, std::size_t row_size,
                     std::size_t count, int accessor) {
  if (stride == 0) stride = row_size;
  if (stride < row_size) return invalid(accessor, "has a byteStride smaller than one element");
  if (count == 0) return Rows{view.data(), stride};
  if (offset > view.size() || row_size > view.size() - offset ||
      (count - 1) > (view.size() - offset - row_size) / stride) {
    return invalid(accessor, fmt::format("reaches past the end of its bufferView ({} elements)", count));
  }
  return Rows{view.data() + offset, stride};
}

// Converts a stored component to the caller's type.
template <typename Stored, typename T>
T convert(Stored value, bool normalized) {
  if constexpr (std::is_same_v<T, float>) {
    const auto number = static_cast<float>(value);
    if constexpr (std::is_integral_v<Stored> && sizeof(Stored) < 4) {
      // glTF 2.0, 3.11: signed values clamp at -1.
      if (normalized) return std::max(number / static_cast<float>(std::numeric_limits<Stored>::max()), -1.0F);
    }
    return number;
  } else {
    return static_cast<T>(value);
  }
}

template <typename Stored, typename T>
void copy_rows(Rows rows, std::size_t count, std::size_t components, bool normalized, T* out) {
  if (std::is_same_v<Stored, T> && rows.stride == components * sizeof(T)) {
    if (count > 0) std::memcpy(out, rows.first, count * rows.stride);
    return;
  }
  if (rows.stride == components * sizeof(Stored)) {  // Packed rows are one long row: a loop that vectorises.
    components *= count;
    count = std::min<std::size_t>(count, 1);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* row = rows.first + i * rows.stride;
    for (std::size_t c = 0; c < components; ++c) {
      Stored value;
      std::memcpy(&value, row + c * sizeof(Stored), sizeof(Stored));
      *out++ = convert<Stored, T>(value, normalized);
    }
  }
}

template <typename T>
void copy_typed(ComponentType type, Rows rows, std::size_t count, std::size_t components, bool normalized, T* out) {
  switch (type) {
    case ComponentType::kI8:
      return copy_rows<std::int8_t>(rows, count, components, normalized, out);
    case ComponentType::kU8:
      return copy_rows<std::uint8_t>(rows, count, components, normalized, out);
    case ComponentType::kI16:
      return copy_rows<std::int16_t>(rows, count, components, normalized, out);
    case ComponentType::kU16:
      return copy_rows<std::uint16_t>(rows, count, components, normalized, out);
    case ComponentType::kU32:
      return copy_rows<std::uint32_t>(rows, count, components, normalized, out);
    case ComponentType::kF32:
      return copy_rows<float>(rows, count, components, normalized, out);
  }
}

bool is_whole_number_index(ComponentType type) {
  return type == ComponentType::kU8 || type == ComponentType::kU16 || type == ComponentType::kU32;
}

}  // namespace

template <typename T>
Result<void> AccessorReader::decode(int index, int components, std::span<T> out) const {
  const AccessorDef& accessor = def(index);
  const auto width = static_cast<std::size_t>(components);
  const std::size_t row_size = width * size_of(accessor.type);
  if (accessor.view >= 0) {
    ZOE_TRY_ASSIGN(const auto view, buffers_->view(accessor.view));
    const std::size_t stride = document_->views[static_cast<std::size_t>(accessor.view)].stride;
    ZOE_TRY_ASSIGN(const Rows rows, rows_of(view, accessor.offset, stride, row_size, accessor.count, index));
    copy_typed(accessor.type, rows, accessor.count, width, accessor.normalized, out.data());
  } else {
    std::fill(out.begin(), out.end(), T{});
  }
  if (accessor.sparse < 0) return {};
  const SparseDef& sparse = document_->sparse[static_cast<std::size_t>(accessor.sparse)];
  if (sparse.count > accessor.count) return invalid(index, "replaces more elements than it has");
  if (!is_whole_number_index(sparse.indices_type)) return invalid(index, "has sparse indices of a wrong type");
  ZOE_TRY_ASSIGN(const auto index_view, buffers_->view(sparse.indices_view));
  ZOE_TRY_ASSIGN(const auto value_view, buffers_->view(sparse.values_view));
  ZOE_TRY_ASSIGN(const Rows index_rows,
                 rows_of(index_view, sparse.indices_offset, 0, size_of(sparse.indices_type), sparse.count, index));
  ZOE_TRY_ASSIGN(const Rows value_rows, rows_of(value_view, sparse.values_offset, 0, row_size, sparse.count, index));
  for (std::size_t i = 0; i < sparse.count; ++i) {
    std::uint32_t target = 0;
    copy_typed(sparse.indices_type, {index_rows.first + i * index_rows.stride, index_rows.stride}, 1, 1, false,
               &target);
    if (target >= accessor.count)
      return invalid(index, fmt::format("replaces element {} of {}", target, accessor.count));
    copy_typed(accessor.type, {value_rows.first + i * value_rows.stride, value_rows.stride}, 1, width,
               accessor.normalized, out.data() + target * width);
  }
  return {};
}

Result<std::span<const float>> AccessorReader::floats_in_place(int index, int components, std::vector<float>& storage,
                                                               NonFinite non_finite) const {
  const AccessorDef& accessor = def(index);
  const std::size_t row_size = static_cast<std::size_t>(components) * sizeof(float);
  if (accessor.view >= 0 && accessor.sparse < 0 && accessor.type == ComponentType::kF32 &&
      accessor.components == components && std::endian::native == std::endian::little) {
    const ViewDef& view = document_->views[static_cast<std::size_t>(accessor.view)];
    ZOE_TRY_ASSIGN(const auto bytes, buffers_->view(accessor.view));
    ZOE_TRY_ASSIGN(const Rows rows, rows_of(bytes, accessor.offset, view.stride, row_size, accessor.count, index));
    const bool aligned = reinterpret_cast<std::uintptr_t>(rows.first) % alignof(float) == 0;
    if (rows.stride == row_size && aligned) {
      const std::span<const float> numbers(reinterpret_cast<const float*>(rows.first),
                                           accessor.count * static_cast<std::size_t>(components));
      // Uses time, not memory: many channels may name the same long accessor.
      ZOE_TRY(budget_->take(accessor.count, row_size, "accessor data"));
      if (non_finite == NonFinite::kRefuse && !all_finite(numbers))
        return invalid(index, "holds infinite numbers or NaN");
      return numbers;
    }
  }
  ZOE_TRY_ASSIGN(storage, floats(index, components, non_finite));
  return std::span<const float>(storage);
}

Result<void> AccessorReader::floats_into(int index, int components, std::span<float> out, NonFinite non_finite) const {
  const AccessorDef& accessor = def(index);
  if (accessor.components != components) {
    return invalid(index,
                   fmt::format("has {} numbers per element where {} are needed", accessor.components, components));
  }
  ZOE_TRY(decode(index, components, out));
  if (accessor.type != ComponentType::kF32 || non_finite == NonFinite::kKeep) return {};
  if (all_finite(out)) return {};
  if (non_finite == NonFinite::kRefuse) return invalid(index, "holds infinite numbers or NaN");
  for (float& value : out) {
    if (!std::isfinite(value)) value = 0;
  }
  return {};
}

// Called before memory is allocated for the result.
Result<void> AccessorReader::check_range(int index) const {
  const AccessorDef& accessor = def(index);
  if (accessor.view < 0) return {};
  const ViewDef& view = document_->views[static_cast<std::size_t>(accessor.view)];
  const std::size_t row_size = static_cast<std::size_t>(accessor.components) * size_of(accessor.type);
  ZOE_TRY_ASSIGN(const auto bytes, buffers_->view(accessor.view));
  ZOE_TRY(rows_of(bytes, accessor.offset, view.stride, row_size, accessor.count, index));
  return {};
}

Result<std::vector<float>> AccessorReader::floats(int index, int components, NonFinite non_finite) const {
  const std::size_t count = def(index).count;
  ZOE_TRY(check_range(index));
  ZOE_TRY(budget_->take(count, static_cast<std::size_t>(components) * sizeof(float), "accessor data"));
  std::vector<float> out(count * static_cast<std::size_t>(components));
  ZOE_TRY(floats_into(index, components, out, non_finite));
  return out;
}

Result<std::vector<std::uint32_t>> AccessorReader::integers(int index, int components) const {
  const AccessorDef& accessor = def(index);
  if (accessor.components != components || !is_whole_number_index(accessor.type)) {
    return invalid(index, "must hold unsigned whole numbers of the right shape here");
  }
  ZOE_TRY(check_range(index));
  ZOE_TRY(budget_->take(accessor.count, static_cast<std::size_t>(components) * sizeof(std::uint32_t), "accessor data"));
  std::vector<std::uint32_t> out(accessor.count * static_cast<std::size_t>(components));
  ZOE_TRY(decode<std::uint32_t>(index, components, out));
  return out;
}

}  // namespace zoe::io::gltf
