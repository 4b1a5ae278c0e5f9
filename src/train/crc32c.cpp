// SPDX-License-Identifier: MIT
#include "train/crc32c.h"

#include <array>

#include "zoe/core/bytes.h"

namespace zoe::train {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // 0x1EDC6F41 with its bits reversed.

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
    table[i] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();

std::uint32_t portable(std::span<const std::byte> bytes, std::uint32_t state) {
  for (const std::byte byte : bytes) state = (state >> 8) ^ kTable[(state ^ static_cast<std::uint32_t>(byte)) & 0xFF];
  return state;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) std::uint32_t with_instruction(std::span<const std::byte> bytes,
                                                                 std::uint32_t state) {
  std::uint64_t wide = state;
  while (bytes.size() >= 8) {
    wide = __builtin_ia32_crc32di(wide, load_le<std::uint64_t>(bytes.data()));
    bytes = bytes.subspan(8);
  }
  return portable(bytes, static_cast<std::uint32_t>(wide));
}
#endif

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  const std::uint32_t state = ~before;
#ifdef __x86_64__
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ~with_instruction(bytes, state);
#endif
  return ~portable(bytes, state);
}

}  // namespace zoe::train
