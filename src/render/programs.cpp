// SPDX-License-Identifier: MIT
#include "render/programs.h"

#include <fmt/format.h>

namespace zoe::render {
namespace {

struct Files {
  const char *vertex, *fragment, *define;
};

Files files_of(Shader shader) {
  switch (shader) {
    case Shader::kMesh:
      return {"mesh.vert.glsl", "surface.frag.glsl", nullptr};
    case Shader::kMeshShadow:
      return {"mesh.vert.glsl", "shadow.frag.glsl", "SHADOW_PASS"};
    case Shader::kMeshBlend:
      return {"mesh.vert.glsl", "blend.frag.glsl", "BLEND_PASS"};
    case Shader::kMeshDepth:
      return {"mesh.vert.glsl", "shadow.frag.glsl", nullptr};
    case Shader::kCone:
      return {"cone.vert.glsl", "surface.frag.glsl", nullptr};
    case Shader::kConeShadow:
      return {"cone.vert.glsl", "shadow.frag.glsl", "SHADOW_PASS"};
    case Shader::kConeBlend:
      return {"cone.vert.glsl", "blend.frag.glsl", "BLEND_PASS"};
    case Shader::kConeDepth:
      return {"cone.vert.glsl", "shadow.frag.glsl", nullptr};
    case Shader::kGround:
      return {"ground.vert.glsl", "ground.frag.glsl", nullptr};
    case Shader::kTerrain:
      return {"terrain.vert.glsl", "terrain.frag.glsl", nullptr};
    case Shader::kOcclusion:
      return {"screen.vert.glsl", "occlusion.frag.glsl", nullptr};
    case Shader::kOcclusionBlur:
      return {"screen.vert.glsl", "occlusion_blur.frag.glsl", nullptr};
    case Shader::kLighting:
      return {"screen.vert.glsl", "lighting.frag.glsl", nullptr};
    case Shader::kSky:
      return {"screen.vert.glsl", "sky.frag.glsl", nullptr};
    case Shader::kBloomDown:
      return {"screen.vert.glsl", "bloom_down.frag.glsl", nullptr};
    case Shader::kBloomUp:
      return {"screen.vert.glsl", "bloom_up.frag.glsl", nullptr};
    case Shader::kFinish:
      return {"screen.vert.glsl", "finish.frag.glsl", nullptr};
    case Shader::kDownsample:
      return {"screen.vert.glsl", "downsample.frag.glsl", nullptr};
    case Shader::kOverlay:
      return {"overlay.vert.glsl", "overlay.frag.glsl", nullptr};
  }
  return {};
}

constexpr std::pair<std::uint32_t, const char*> kDefines[] = {
    {kSkinLinear, "SKIN_LINEAR"},
    {kSkinDualQuaternion, "SKIN_DUAL_QUATERNION"},
    {kEightInfluences, "EIGHT_INFLUENCES"},
    {kMorph, "MORPH"},
    {kTextured, "TEXTURED"},
    {kAlphaTest, "ALPHA_TEST"},
    {kShadows, "SHADOWS"},
    {kOcclusion, "OCCLUSION"},
    {kEmissive, "EMISSIVE"},
    {kBloom, "BLOOM"},
    {kLamps, "LAMPS"},
    {kFirst, "FIRST"},
    {kLast, "LAST"},
    {kOrthographic, "ORTHOGRAPHIC"},
    {kFxaa, "FXAA"},
};

}  // namespace

Result<GLuint> Programs::get(Shader shader, std::uint32_t variant, int samples) {
  const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(shader)} << 40 |
                            std::uint64_t{static_cast<std::uint32_t>(samples)} << 32 | variant;
  if (const auto found = programs_.find(key); found != programs_.end()) return found->second.name();
  const Files files = files_of(shader);
  std::vector<std::string> defines;
  if (files.define != nullptr) defines.emplace_back(files.define);
  for (const auto& [bit, name] : kDefines) {
    if ((variant & bit) != 0) defines.emplace_back(name);
  }
  if ((variant & kShadows) != 0) defines.push_back(fmt::format("SHADOW_CASCADES {}", variant / kMoreCascades % 4 + 1));
  if (samples > 0)
    defines.push_back(
        fmt::format("{} {}", shader == Shader::kOcclusion ? "OCCLUSION_SAMPLES" : "SHADOW_SAMPLES", samples));
  ZOE_TRY_ASSIGN(gl::Program program, library_.link(files.vertex, files.fragment, defines));
  return programs_.emplace(key, std::move(program)).first->second.name();
}

}  // namespace zoe::render
