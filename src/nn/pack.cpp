// SPDX-License-Identifier: MIT
#include "nn/pack.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstring>

#include "zoe/core/bytes.h"

namespace zoe::nn {
namespace {

using kernels::kPanel;
using kernels::round_up;

constexpr std::size_t kLargePage = std::size_t{2} << 20;

// Copies items of T from row-major [segments, out, all inputs] into panels, inputs from `first` on.
template <typename T>
void pack_items(const Weight& weight, const kernels::PackedLinear& linear, bool is_conv, std::size_t first, T* to) {
  const std::size_t in = linear.in, out = linear.out, padded = linear.padded_in(),
                    all = is_conv ? in : weight.shape.back();
  const std::size_t inputs = linear.interleaved();
  const std::size_t kernel = is_conv ? weight.shape[2] : 1, channels = in / kernel;
  for (std::size_t segment = 0; segment < linear.segments; ++segment) {
    for (std::size_t n = 0; n < out; ++n) {
      const std::byte* row = weight.bytes.data() + ((segment * out + n) * all + first) * sizeof(T);
      T* panel = to + n / kPanel * linear.panel_items() + segment * padded * kPanel;
      for (std::size_t k = 0; k < in; ++k) {
        const std::size_t from = is_conv ? k % channels * kernel + k / channels : k;
        const std::size_t at = (k / inputs * kPanel + n % kPanel) * inputs + k % inputs;
        panel[at] = load_le<T>(row + from * sizeof(T));
      }
    }
  }
}

// [segments, out] with each segment padded to whole panels.
AlignedBytes pad_segments(std::span<const float> values, const kernels::PackedLinear& linear) {
  const std::size_t padded = linear.num_panels() * kPanel;
  AlignedBytes memory = allocate_zeroed(linear.segments * padded * sizeof(float));
  auto* to = reinterpret_cast<float*>(memory.get());
  for (std::size_t e = 0; e < linear.segments && !values.empty(); ++e) {
    std::copy_n(values.begin() + static_cast<long>(e * linear.out), linear.out, to + e * padded);
  }
  return memory;
}

}  // namespace

AlignedBytes allocate_zeroed(std::size_t bytes) {
  const std::size_t size = round_up(std::max<std::size_t>(bytes, 1), 64);
  AlignedBytes memory(static_cast<std::byte*>(::operator new (size, std::align_val_t{64})));
  std::memset(memory.get(), 0, size);
  return memory;
}

AlignedBytes allocate_pages(std::size_t bytes) {
#ifdef __linux__
  if (bytes >= kLargePage / 4) {  // A whole page would be wasted on a small network.
    const std::size_t size = round_up(bytes, kLargePage), mapped = size + kLargePage;
    void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) throw std::bad_alloc();
    // Keeps only the part that starts on a large page.
    auto* first = static_cast<std::byte*>(raw);
    const std::size_t skipped = (kLargePage - reinterpret_cast<std::uintptr_t>(raw) % kLargePage) % kLargePage;
    if (skipped > 0) munmap(first, skipped);
    munmap(first + skipped + size, mapped - skipped - size);
    madvise(first + skipped, size, MADV_HUGEPAGE);  // A hint; without it pages are small.
    return AlignedBytes(first + skipped, FreeAligned{size});
  }
#endif
  return allocate_zeroed(bytes);
}

void FreeAligned::operator()(std::byte* memory) const {
#ifdef __linux__
  if (mapped > 0) {
    munmap(memory, mapped);
    return;
  }
#endif
  ::operator delete (memory, std::align_val_t{64});
}

AlignedBytes gather_weights(std::span<OwnedLinear> linears) {
  std::size_t total = 0;
  for (const OwnedLinear& linear : linears) total += round_up(linear.bytes, 64);
  AlignedBytes block = allocate_pages(total);
  std::byte* at = block.get();
  for (OwnedLinear& linear : linears) {
    std::memcpy(at, linear.weights.get(), linear.bytes);
    linear.packed.weights = at;
    linear.weights.reset();
    at += round_up(linear.bytes, 64);
  }
  return block;
}

OwnedLinear pack_linear(const Weight& weight, const Weight* bias, bool is_conv, Columns columns) {
  OwnedLinear owned;
  kernels::PackedLinear& linear = owned.packed;
  linear.type = weight.type;
  if (is_conv) {
    linear.out = weight.shape[0];
    linear.in = weight.shape[1] * weight.shape[2];
  } else {
    linear.segments = weight.shape.size() == 3 ? weight.shape[0] : 1;
    linear.out = weight.shape[weight.shape.size() - 2];
    linear.in = columns.count > 0 ? columns.count : weight.shape.back();
  }
  const std::size_t item = weight.type == WeightType::kF32 ? 4 : weight.type == WeightType::kBF16 ? 2 : 1;
  owned.bytes = linear.num_panels() * linear.panel_items() * item;
  owned.weights = allocate_zeroed(owned.bytes);
  switch (weight.type) {
    case WeightType::kF32:
      pack_items(weight, linear, is_conv, columns.first, reinterpret_cast<float*>(owned.weights.get()));
      break;
    case WeightType::kBF16:
      pack_items(weight, linear, is_conv, columns.first, reinterpret_cast<std::uint16_t*>(owned.weights.get()));
      break;
    case WeightType::kI8: {
      // Padding becomes the offset too. Rows are zero there.
      std::byte* bytes = owned.weights.get();
      pack_items(weight, linear, is_conv, columns.first, reinterpret_cast<std::int8_t*>(bytes));
      std::transform(bytes, bytes + owned.bytes, bytes, [](std::byte w) { return w ^ std::byte{0x80}; });
      break;
    }
  }
  linear.weights = owned.weights.get();
  owned.bias = pad_segments(bias == nullptr ? std::vector<float>{} : bias->to_floats(), linear);
  linear.bias = reinterpret_cast<const float*>(owned.bias.get());
  if (weight.type == WeightType::kI8) {
    owned.scales = pad_segments(weight.scales, linear);
    linear.scales = reinterpret_cast<const float*>(owned.scales.get());
  }
  return owned;
}

PaddedRows pad_rows(std::span<const float> values, std::size_t width) {
  PaddedRows rows;
  rows.stride = round_up(width, kPanel);
  const std::size_t count = rows.count = values.size() / width;
  rows.memory = allocate_zeroed(count * rows.stride * sizeof(float));
  auto* to = reinterpret_cast<float*>(rows.memory.get());
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(values.begin() + static_cast<long>(i * width), width, to + i * rows.stride);
  return rows;
}

}  // namespace zoe::nn
