// SPDX-License-Identifier: MIT
// Part of Zoetrope. The template of pieces.h.
#pragma once

#include <algorithm>
#include <cstring>

#include "zoe/core/bytes.h"

namespace zoe::stream {

constexpr std::uint32_t kPieceMagic = 0x46454F5A;  // "ZOEF"

template <typename Send>
void cut_into_pieces(std::span<const std::byte> packet, std::uint32_t message, std::vector<std::byte>& scratch,
                     const Send& send) {
  if (packet.size() <= kDatagramBytes) return send(packet);
  const std::size_t count = (packet.size() + kPieceBytes - 1) / kPieceBytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const std::byte> part =
        packet.subspan(i * kPieceBytes, std::min(kPieceBytes, packet.size() - i * kPieceBytes));
    scratch.clear();
    append_le(scratch, kPieceMagic);
    append_le(scratch, message);
    append_le(scratch, static_cast<std::uint16_t>(i));
    append_le(scratch, static_cast<std::uint16_t>(count));
    scratch.insert(scratch.end(), part.begin(), part.end());
    send(std::span<const std::byte>(scratch));
  }
}

}  // namespace zoe::stream
