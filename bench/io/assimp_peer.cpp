// SPDX-License-Identifier: MIT
#include "io/assimp_peer.h"

#ifdef ZOE_HAVE_ASSIMP
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <assimp/version.h>
#endif

namespace zoe::bench {

#ifdef ZOE_HAVE_ASSIMP
std::string assimp_name() {
  return "assimp " + std::to_string(aiGetVersionMajor()) + "." + std::to_string(aiGetVersionMinor());
}

bool assimp_read(std::span<const std::byte> bytes, const char* extension) {
  Assimp::Importer importer;
  return importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, extension) != nullptr;
}
#else
std::string assimp_name() { return {}; }

bool assimp_read(std::span<const std::byte>, const char*) { return false; }
#endif

}  // namespace zoe::bench
