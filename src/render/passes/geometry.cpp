// SPDX-License-Identifier: MIT
#include "render/passes/geometry.h"

#include <cmath>
#include <numbers>

#include "zoe/core/trace.h"

#include "render/ground_heights.h"
#include "render/hill_shadows.h"

namespace zoe::render {
namespace {

enum class Stage : std::uint8_t { kShadow, kOpaque, kGhostDepth, kBlend };

Shader mesh_shader(Stage stage) {
  switch (stage) {
    case Stage::kShadow:
      return Shader::kMeshShadow;
    case Stage::kOpaque:
      return Shader::kMesh;
    case Stage::kGhostDepth:
      return Shader::kMeshDepth;
    case Stage::kBlend:
      return Shader::kMeshBlend;
  }
  return Shader::kMesh;
}

bool is_textured(const MaterialDesc& m) {
  return m.base_color_texture || m.metallic_roughness_texture || m.normal_texture || m.occlusion_texture ||
         m.emissive_texture;
}

void set_material(GLuint program, const MaterialDesc& m, const Resources& resources, bool textured) {
  glProgramUniform4f(program, 8, m.base_color.x, m.base_color.y, m.base_color.z, m.base_color.w);
  glProgramUniform4f(program, 9, m.metallic, m.roughness, m.alpha_cutoff, m.normal_scale);
  glProgramUniform4f(program, 10, m.emissive.x, m.emissive.y, m.emissive.z, m.occlusion_strength);
  if (!textured) return;
  glProgramUniform4i(program, 11, m.metallic_roughness_texture ? 1 : 0, m.normal_texture ? 1 : 0,
                     m.occlusion_texture ? 1 : 0, m.emissive_texture ? 1 : 0);
  glProgramUniform1i(program, 12, m.base_color_texture ? 1 : 0);
  const TextureHandle textures[] = {m.base_color_texture, m.metallic_roughness_texture, m.normal_texture,
                                    m.occlusion_texture, m.emissive_texture};
  for (GLuint i = 0; i < 5; ++i) {
    if (textures[i]) glBindTextureUnit(8 + i, resources.textures.get(textures[i]).name());
  }
}

// Ghosts and glass are drawn in their own stages. only: a submesh; below 0: all of them. indices: of the submesh in
// another order, in a separate buffer.
struct Part {
  bool ghost = false;
  int only = -1;
  GLuint indices = 0;
  std::uint32_t first_index = 0;
};

Result<void> draw_group(PassContext& context, const DrawGroup& group, Stage stage, std::uint32_t extra, int samples,
                        int cascade, const Part& part = {}) {
  const GpuMesh& mesh = context.resources.meshes.get(group.mesh);
  std::uint32_t variant = extra;
  if (group.skinned) variant |= group.dual_quaternion ? kSkinDualQuaternion : kSkinLinear;
  if (group.skinned && mesh.num_influences > 4) variant |= kEightInfluences;
  if (group.morphed) variant |= kMorph;
  glBindVertexArray(mesh.vertex_array.name());
  if (part.indices != 0) glVertexArrayElementBuffer(mesh.vertex_array.name(), part.indices);
  if (group.morphed) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, mesh.morph_deltas.name());
  for (const GpuSubmesh& submesh : mesh.submeshes) {
    if (part.only >= 0 && &submesh != &mesh.submeshes[static_cast<std::size_t>(part.only)]) continue;
    const MaterialDesc& material = context.resources.material(submesh.material);
    const bool blended = material.blend || part.ghost;
    if (blended != (stage == Stage::kBlend || stage == Stage::kGhostDepth)) continue;
    const bool cut_out = material.alpha_cutoff > 0 && material.base_color_texture;
    // Depth-only passes read textures only for holes.
    const bool depth_only = stage == Stage::kShadow || stage == Stage::kGhostDepth;
    const bool textured = depth_only ? cut_out : is_textured(material);
    std::uint32_t own = variant;
    if (textured) own |= kTextured;
    if (textured && cut_out && !depth_only) own |= kAlphaTest;
    ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(mesh_shader(stage), own, samples));
    glUseProgram(program);
    glProgramUniform1i(program, 0, static_cast<GLint>(group.first));
    if (group.morphed) glProgramUniform1i(program, 1, mesh.num_vertices);
    if (stage == Stage::kShadow) glProgramUniform1i(program, 2, cascade);
    if (!depth_only || textured) set_material(program, material, context.resources, textured);
    if (material.double_sided) {
      glDisable(GL_CULL_FACE);
    } else {
      glEnable(GL_CULL_FACE);
    }
    glDrawElementsInstanced(
        GL_TRIANGLES, static_cast<GLsizei>(submesh.num_indices), GL_UNSIGNED_INT,
        reinterpret_cast<const void*>(std::uintptr_t{part.indices != 0 ? part.first_index : submesh.first_index} * 4),
        static_cast<GLsizei>(group.count));
    ++context.statistics.num_draws;
    if (stage == Stage::kOpaque || stage == Stage::kBlend)
      context.statistics.num_triangles += std::size_t{submesh.num_indices} / 3 * group.count;
  }
  if (part.indices != 0) glVertexArrayElementBuffer(mesh.vertex_array.name(), mesh.indices.name());
  return {};
}

Result<void> draw_cones(PassContext& context, const ConeMesh& mesh, Shader shader, std::uint32_t variant, int samples,
                        int cascade, std::size_t first, std::size_t count) {
  if (count == 0) return {};
  ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(shader, variant, samples));
  glUseProgram(program);
  glProgramUniform1i(program, 0, static_cast<GLint>(first));
  if (shader == Shader::kConeShadow) {
    glProgramUniform1i(program, 2, cascade);
  } else if (shader != Shader::kConeDepth) {
    set_material(program, MaterialDesc{.base_color = {1, 1, 1, 1}, .roughness = 0.55F}, context.resources, false);
  }
  glEnable(GL_CULL_FACE);
  glBindVertexArray(mesh.vertex_array.name());
  glDrawElementsInstanced(GL_TRIANGLES, mesh.num_indices, GL_UNSIGNED_SHORT, nullptr, static_cast<GLsizei>(count));
  ++context.statistics.num_draws;
  context.statistics.num_triangles += static_cast<std::size_t>(mesh.num_indices) / 3 * count;
  return {};
}

void set_terrain(GLuint program, const TerrainMesh& terrain) {
  glUseProgram(program);
  glProgramUniform4f(program, 4, terrain.origin_m.x, terrain.origin_m.y, terrain.origin_m.z, terrain.cell_m);
  glProgramUniform2i(program, 5, terrain.num_x, terrain.num_z);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, terrain.heights.name());
  glDisable(GL_CULL_FACE);
}

void draw_terrain(PassContext& context, const TerrainMesh& terrain) {
  glBindVertexArray(context.empty_vertex_array);
  glVertexArrayElementBuffer(context.empty_vertex_array, terrain.indices.name());
  glDrawElements(GL_TRIANGLES, (terrain.num_x - 1) * (terrain.num_z - 1) * 6, GL_UNSIGNED_INT, nullptr);
  ++context.statistics.num_draws;
}

}  // namespace

ConeMesh make_cone_mesh(int num_around, int num_rings) {
  struct Vertex {
    Vec3 direction;
    float at_end;
  };
  std::vector<Vertex> vertices;
  std::vector<std::uint16_t> indices;
  // Rings from the start's pole to its equator, then from the end's equator to its pole.
  const int rings = 2 * (num_rings + 1);
  for (int ring = 0; ring < rings; ++ring) {
    const bool end = ring > num_rings;
    const int step = end ? ring - num_rings - 1 : ring;
    const float share = static_cast<float>(step) / static_cast<float>(num_rings);
    const float elevation = std::numbers::pi_v<float> * 0.5F * (end ? share : share - 1);
    for (int k = 0; k < num_around; ++k) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(num_around);
      // The poles keep a direction around the axis, for their normal.
      const float radius = std::max(std::cos(elevation), 1e-4F);
      vertices.push_back(
          {{radius * std::cos(angle), std::sin(elevation), radius * std::sin(angle)}, end ? 1.0F : 0.0F});
    }
  }
  for (int ring = 0; ring + 1 < rings; ++ring) {
    for (int k = 0; k < num_around; ++k) {
      const int next = (k + 1) % num_around;
      const int a = ring * num_around + k, b = ring * num_around + next, c = a + num_around, d = b + num_around;
      for (const int index : {a, c, b, b, c, d}) indices.push_back(static_cast<std::uint16_t>(index));
    }
  }
  ConeMesh mesh;
  mesh.vertices = gl::make_buffer(vertices.data(), vertices.size() * sizeof(Vertex));
  mesh.indices = gl::make_buffer(indices.data(), indices.size() * sizeof(std::uint16_t));
  mesh.num_indices = static_cast<int>(indices.size());
  mesh.vertex_array = gl::make_vertex_array();
  const GLuint array = mesh.vertex_array.name();
  glVertexArrayVertexBuffer(array, 0, mesh.vertices.name(), 0, sizeof(Vertex));
  glVertexArrayElementBuffer(array, mesh.indices.name());
  for (const GLuint index : {0U, 1U}) {
    glEnableVertexArrayAttrib(array, index);
    glVertexArrayAttribFormat(array, index, index == 0 ? 3 : 1, GL_FLOAT, GL_FALSE, index == 0 ? 0 : sizeof(Vec3));
    glVertexArrayAttribBinding(array, index, 0);
  }
  return mesh;
}

void TerrainMesh::update(const GroundPtr& new_ground, Vec3 new_to_sun) {
  const Vec3 sun = normalized(new_to_sun, {0, 1, 0});
  if (heights && new_ground == ground && dot(sun, to_sun) > 0.99999F) return;
  to_sun = sun;
  HeightGrid sampled;
  const HeightGrid& field = heights_to_draw(*new_ground, sampled);
  std::vector<Vec2> corners(field.heights_m.size());
  hill_shadows(field, sun, corners);
  heights = gl::make_buffer(corners.data(), corners.size() * sizeof(Vec2));
  if (!indices || field.num_x != num_x || field.num_z != num_z) {
    std::vector<std::uint32_t> list;
    for (int z = 0; z + 1 < field.num_z; ++z) {
      for (int x = 0; x + 1 < field.num_x; ++x) {
        const auto a = static_cast<std::uint32_t>(z * field.num_x + x), b = a + 1,
                   c = a + static_cast<std::uint32_t>(field.num_x), d = c + 1;
        for (const std::uint32_t index : {a, c, b, b, c, d}) list.push_back(index);
      }
    }
    indices = gl::make_buffer(list.data(), list.size() * sizeof(std::uint32_t));
  }
  num_x = field.num_x;
  num_z = field.num_z;
  cell_m = field.cell_m;
  origin_m = {field.origin_x_m, 0, field.origin_z_m};
  ground = new_ground;
}

Result<void> GeometryPasses::draw_shadows(PassContext& context, int num_cascades) const {
  ZOE_TRACE_SCOPE("render.shadows");
  const Settings& settings = context.frame.settings;
  glViewport(0, 0, settings.shadow_resolution, settings.shadow_resolution);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_DEPTH_CLAMP);  // Objects between the sun and the map still cast shadows.
  for (int cascade = 0; cascade < num_cascades; ++cascade) {
    glBindFramebuffer(GL_FRAMEBUFFER, context.targets.shadow_buffer[cascade].name());
    const float far_away = 1;
    glClearBufferfv(GL_DEPTH, 0, &far_away);
    for (const DrawGroup& group : context.draws.shadow_groups[cascade]) {
      ZOE_TRY(draw_group(context, group, Stage::kShadow, 0, 0, cascade));
    }
    ZOE_TRY(draw_cones(context, cones, Shader::kConeShadow, 0, 0, cascade, 0, context.draws.num_opaque_cones));
  }
  glDisable(GL_DEPTH_CLAMP);
  return {};
}

Result<void> GeometryPasses::draw_opaque(PassContext& context) const {
  ZOE_TRACE_SCOPE("render.opaque");
  const Settings& settings = context.frame.settings;
  const Targets& targets = context.targets;
  const GLuint buffer = targets.geometry.name();
  const GLenum draw_buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                 settings.write_ids ? GL_COLOR_ATTACHMENT2 : GLenum{GL_NONE},
                                 context.draws.emissive ? GL_COLOR_ATTACHMENT3 : GLenum{GL_NONE}};
  glNamedFramebufferDrawBuffers(buffer, 4, draw_buffers);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glViewport(0, 0, targets.width, targets.height);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_GREATER);
  // Colours and normals are read only where there is depth: they need no clearing.
  const float nothing[4] = {};
  const GLuint no_id[4] = {};
  glClearBufferfv(GL_DEPTH, 0, nothing);
  if (settings.write_ids) glClearBufferuiv(GL_COLOR, 2, no_id);
  if (context.draws.emissive) glClearBufferfv(GL_COLOR, 3, nothing);

  for (const DrawGroup& group : context.draws.groups) ZOE_TRY(draw_group(context, group, Stage::kOpaque, 0, 0, 0));
  ZOE_TRY(draw_cones(context, cones, Shader::kCone, 0, 0, 0, 0, context.draws.num_view_cones));
  if (settings.transparent_background) return {};
  if (draws_as_heights(context.frame.ground)) {
    ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(Shader::kTerrain));
    set_terrain(program, terrain);
    draw_terrain(context, terrain);
  } else if (context.frame.environment.ground) {
    // Last, so that it is not drawn behind characters.
    ZOE_TRY_ASSIGN(const GLuint program, context.programs.get(Shader::kGround));
    glUseProgram(program);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(context.empty_vertex_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  return {};
}

Result<void> GeometryPasses::draw_blended(PassContext& context, const BlendTargets& target,
                                          std::uint32_t lighting_variant) const {
  ZOE_TRACE_SCOPE("render.blended");
  const DrawList& draws = context.draws;
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if ((lighting_variant & kShadows) != 0) glBindTextureUnit(4, context.targets.shadow.name());
  const int samples = (lighting_variant & kShadows) != 0 ? context.frame.settings.shadow_samples : 0;
  // The inside of a ghost is not drawn: its nearest surface is drawn first, into a copy of the scene's depth. Later
  // objects, lines and the depth output do not see that copy.
  const auto begin_ghost = [&](const Box3& bounds) {
    PixelBounds pixels(context.clip_from_world, context.targets.width, context.targets.height);
    pixels.add(bounds);
    const PixelBox box = pixels.box(2);
    if (!box.empty()) {
      glCopyImageSubData(context.targets.depth.name(), GL_TEXTURE_2D, 0, box.x0, box.y0, 0,
                         context.targets.ghost_depth.name(), GL_TEXTURE_2D, 0, box.x0, box.y0, 0, box.width(),
                         box.height(), 1);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target.with_ghost_depth);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_GREATER);
  };
  const auto begin_colors = [] {
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GEQUAL);
  };
  for (std::size_t i = 0; i < draws.blended.size();) {
    const BlendedDraw& first = draws.blended[i];
    if (first.submesh >= 0) {
      glBindFramebuffer(GL_FRAMEBUFFER, target.with_depth);
      begin_colors();
      ZOE_TRY(draw_group(context, first.group, Stage::kBlend, lighting_variant, samples, 0,
                         {false, first.submesh, context.sorted_indices, first.first_index}));
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    Box3 bounds = first.bounds;
    for (; end < draws.blended.size() && first.body != 0 && draws.blended[end].body == first.body &&
           draws.blended[end].submesh < 0;
         ++end) {
      bounds.add(draws.blended[end].bounds);
    }
    begin_ghost(bounds);
    for (std::size_t k = i; k < end; ++k) {
      ZOE_TRY(draw_group(context, draws.blended[k].group, Stage::kGhostDepth, 0, 0, 0, {.ghost = true}));
    }
    begin_colors();
    for (std::size_t k = i; k < end; ++k) {
      ZOE_TRY(
          draw_group(context, draws.blended[k].group, Stage::kBlend, lighting_variant, samples, 0, {.ghost = true}));
    }
    i = end;
  }
  const std::size_t first = draws.num_opaque_cones, count = draws.cones.size() - first;
  if (count > 0) {
    Box3 bounds;
    for (std::size_t i = first; i < draws.cones.size(); ++i) {
      const ConeRecord& cone = draws.cones[i];
      const float radius = std::max(cone.start_radius, cone.end_radius);
      Box3 box{cone.start, cone.start};
      box.add(cone.end);
      box.grow(radius);
      bounds.add(box);
    }
    begin_ghost(bounds);
    ZOE_TRY(draw_cones(context, cones, Shader::kConeDepth, 0, 0, 0, first, count));
    begin_colors();
    glDepthFunc(GL_EQUAL);
    ZOE_TRY(draw_cones(context, cones, Shader::kConeBlend, lighting_variant, samples, 0, first, count));
  }
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  return {};
}

}  // namespace zoe::render
