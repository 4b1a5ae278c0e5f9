// SPDX-License-Identifier: MIT
#include "zoe/character/skinning_job.h"

#include "character/skinning_kernels.h"

namespace zoe {
namespace {

const char* check_vertices(const SkinningLayout& layout, std::size_t num_characters, const SkinningVertices& v) {
  const std::size_t n = layout.num_vertices() * num_characters;
  if (v.positions.size() != n) return "vertices.positions does not have one entry per character and vertex";
  if (!v.normals.empty()) {
    if (v.normals.size() != n) return "vertices.normals does not have one entry per character and vertex";
    if (!layout.has_normals() && v.morphed_normals.empty())
      return "vertices.normals is requested, but the mesh has none";
  }
  if (!v.tangents.empty()) {
    if (v.tangents.size() != n) return "vertices.tangents does not have one entry per character and vertex";
    if (v.normals.empty()) return "vertices.tangents is requested without vertices.normals";
    if (!layout.has_tangents()) return "vertices.tangents is requested, but the mesh has none";
  }
  if (!v.morphed_positions.empty() && v.morphed_positions.size() != n) {
    return "vertices.morphed_positions does not have one entry per character and vertex";
  }
  if (!v.morphed_normals.empty() && v.morphed_normals.size() != n) {
    return "vertices.morphed_normals does not have one entry per character and vertex";
  }
  return nullptr;
}

// True if `size` entries divide evenly among the characters and are enough for the layout.
bool palette_fits(const SkinningLayout& layout, std::size_t num_characters, std::size_t size) {
  return num_characters == 0 || (size % num_characters == 0 && size / num_characters >= layout.num_joints());
}

kernels::SkinCall call_for(const SkinningLayout& layout, const SkinningVertices& v, std::size_t character) {
  const std::size_t first = character * layout.num_vertices();
  const auto at = [first](auto& array) { return array.empty() ? nullptr : &array[first].x; };
  return {.layout = &layout,
          .in_positions = at(v.morphed_positions),
          .in_normals = at(v.morphed_normals),
          .positions = at(v.positions),
          .normals = at(v.normals),
          .tangents = at(v.tangents)};
}

}  // namespace

const char* SkinningJob::validate() const noexcept {
  if (layout == nullptr) return "layout is missing";
  if (!palette_fits(*layout, num_characters, palettes.size())) {
    return "palettes does not have the same number of matrices for every character, at least as many as the layout's "
           "joints";
  }
  return check_vertices(*layout, num_characters, vertices);
}

bool SkinningJob::run() const noexcept {
  if (validate() != nullptr) return false;
  if (layout->num_vertices() == 0) return true;
  for (std::size_t character = 0; character < num_characters; ++character) {
    kernels::SkinCall call = call_for(*layout, vertices, character);
    call.matrices = &palettes[character * (palettes.size() / num_characters)].x.x;
    call.exact_normals = normal_mode == NormalMode::kExact;
    kernels::skin_linear(call);
  }
  return true;
}

const char* DualQuatSkinningJob::validate() const noexcept {
  if (layout == nullptr) return "layout is missing";
  if (!palette_fits(*layout, num_characters, palettes.size())) {
    return "palettes does not have the same number of dual quaternions for every character, at least as many as the "
           "layout's joints";
  }
  if (!stretches.empty() && stretches.size() != palettes.size())
    return "stretches is neither empty nor as long as palettes";
  return check_vertices(*layout, num_characters, vertices);
}

bool DualQuatSkinningJob::run() const noexcept {
  if (validate() != nullptr) return false;
  if (layout->num_vertices() == 0) return true;
  for (std::size_t character = 0; character < num_characters; ++character) {
    kernels::SkinCall call = call_for(*layout, vertices, character);
    const std::size_t first = character * (palettes.size() / num_characters);
    call.dual_quats = &palettes[first].real.x;
    call.matrices = stretches.empty() ? nullptr : &stretches[first].x.x;
    kernels::skin_dual_quat(call);
  }
  return true;
}

}  // namespace zoe
