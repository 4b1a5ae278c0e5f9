// SPDX-License-Identifier: MIT
// Part of Zoetrope. CRC-32C (Castagnoli), for TensorBoard's records and our checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace zoe::train {

// `before`: result for the preceding bytes, so that parts may be added one after another.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace zoe::train
