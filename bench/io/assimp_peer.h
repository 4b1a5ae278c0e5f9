// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. assimp as the peer of our readers. Optional: not every machine has it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace zoe::bench {

// "assimp 5.2", or empty when it is not built in.
std::string assimp_name();

// Reads a file in memory without any post-processing, and drops the scene. `extension` gives the format ("bvh"). False
// when assimp refuses the file or is not built in.
bool assimp_read(std::span<const std::byte> bytes, const char* extension);

}  // namespace zoe::bench
