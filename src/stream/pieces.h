// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets that are longer than a datagram, in pieces: "ZOEF", message, index, count, bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace zoe::stream {

constexpr std::size_t kDatagramBytes = 1400, kPieceHeaderBytes = 12;
constexpr std::size_t kPieceBytes = kDatagramBytes - kPieceHeaderBytes;

// Calls send(datagram) for each; a short packet goes as it is.
template <typename Send>
void cut_into_pieces(std::span<const std::byte> packet, std::uint32_t message, std::vector<std::byte>& scratch,
                     const Send& send);

// Pieces of several messages in any order; incomplete ones are forgotten when newer ones come.
class PieceJoiner {
 public:
  // A whole packet, valid until the next call, or nothing. Datagrams may be damaged.
  std::span<const std::byte> add(std::span<const std::byte> datagram);

 private:
  struct Message {
    std::uint32_t id = 0;
    std::uint64_t age = 0;
    std::uint16_t count = 0, got = 0;
    std::vector<std::uint8_t> has;
    std::vector<std::byte> bytes;
    std::size_t last_bytes = 0;
  };
  std::array<Message, 32> open_;
  std::uint64_t now_ = 0;
};

}  // namespace zoe::stream

#include "stream/pieces_inl.h"
