// SPDX-License-Identifier: MIT
#include "zoe/core/hash64.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "zoe/core/bytes.h"

namespace zoe {
namespace {

// The primes of the published algorithm.
constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87U, kPrime2 = 0xC2B2AE3D27D4EB4FU, kPrime3 = 0x165667B19E3779F9U,
                        kPrime4 = 0x85EBCA77C2B2AE63U, kPrime5 = 0x27D4EB2F165667C5U;

std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * kPrime2, 31) * kPrime1; }

void mix_block(std::uint64_t (&lanes)[4], const std::byte* block) {
  for (std::size_t i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i], load_le<std::uint64_t>(block + 8 * i));
}

}  // namespace

Hash64::Hash64(std::uint64_t seed)
    : lanes_{seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1}, seed_(seed) {}

void Hash64::add(std::span<const std::byte> bytes) {
  const std::size_t held = total_ % kBlock;
  total_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(kBlock - held, bytes.size());
    std::copy_n(bytes.begin(), taken, pending_ + held);
    if (held + taken < kBlock) return;
    mix_block(lanes_, pending_);
    bytes = bytes.subspan(taken);
  }
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) mix_block(lanes_, bytes.data());
  std::copy(bytes.begin(), bytes.end(), pending_);
}

std::uint64_t Hash64::finish() const {
  std::uint64_t hash = seed_ + kPrime5;
  if (total_ >= kBlock) {
    constexpr int kTurns[] = {1, 7, 12, 18};
    hash = 0;
    for (std::size_t i = 0; i < 4; ++i) hash += std::rotl(lanes_[i], kTurns[i]);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ mixed(0, lane)) * kPrime1 + kPrime4;
  }
  hash += total_;
  const std::byte* at = pending_;
  std::size_t left = total_ % kBlock;
  for (; left >= 8; at += 8, left -= 8) {
    hash = std::rotl(hash ^ mixed(0, load_le<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  }
  if (left >= 4) {
    hash = std::rotl(hash ^ (load_le<std::uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
    at += 4, left -= 4;
  }
  for (; left > 0; ++at, --left) hash = std::rotl(hash ^ (static_cast<std::uint64_t>(*at) * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace zoe
