// SPDX-License-Identifier: MIT
// Shader programs and their variants, linked at their first use.
#pragma once

#include <cstdint>
#include <map>

#include "render/shader_library.h"

namespace zoe::render {

// Pair of shader files.
enum class Shader : std::uint32_t {
  kMesh,
  kMeshShadow,
  kMeshBlend,
  kMeshDepth,
  kCone,
  kConeShadow,
  kConeBlend,
  kConeDepth,
  kGround,
  kTerrain,
  kOcclusion,
  kOcclusionBlur,
  kLighting,
  kSky,
  kBloomDown,
  kBloomUp,
  kFinish,
  kDownsample,
  kOverlay,
};

// Features compiled into them; or-ed.
enum Variant : std::uint32_t {
  kSkinLinear = 1,
  kSkinDualQuaternion = 2,
  kEightInfluences = 4,
  kMorph = 8,
  kTextured = 16,
  kAlphaTest = 32,
  kShadows = 64,
  kOcclusion = 128,
  kEmissive = 256,
  kBloom = 512,
  kLamps = 2048,
  kFirst = 4096,
  kLast = 1024,
  kOrthographic = 8192,
  kFxaa = 1 << 16,
  kMoreCascades = 1 << 14,  // Times the number of shadow cascades beyond the first: two bits.
};

class Programs {
 public:
  explicit Programs(ShaderLibrary library) : library_(std::move(library)) {}

  // samples: for shaders that loop over samples, else 0; at most 255.
  Result<GLuint> get(Shader shader, std::uint32_t variant = 0, int samples = 0);

 private:
  ShaderLibrary library_;
  std::map<std::uint64_t, gl::Program> programs_;
};

}  // namespace zoe::render
