// SPDX-License-Identifier: MIT
// What the GPU makes of a mesh, against the CPU's own skinning: the depth of the picture against
// rays through the deformed triangles.
#include "zoe/character/deform.h"
#include "zoe/character/palette_job.h"
#include "zoe/character/skinning_job.h"
#include "zoe/render/character_model.h"

#include "render/gl_support.h"

namespace zoe::test {
namespace {

using render::CharacterBody;
using render::CharacterModel;
using render::RenderFrame;
using render::Skinning;

// Distance along the view axis of the nearest triangle on the ray through a pixel's centre; 0:
// none.
float cast_ray(const render::Camera& camera, float aspect, float u, float v, const std::vector<Vec3>& positions,
               const std::vector<std::uint32_t>& indices) {
  const float edge = std::tan(camera.fov_y_rad / 2);
  const Vec3 origin = camera.world_from_camera.t;
  const Vec3 ray = camera.world_from_camera.apply_vector({(u * 2 - 1) * edge * aspect, (1 - v * 2) * edge, -1});
  float nearest = 0;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    // Moeller and Trumbore 1997; t counts in units of the ray, whose share of the view axis is 1.
    const Vec3 a = positions[indices[i]], e1 = positions[indices[i + 1]] - a, e2 = positions[indices[i + 2]] - a;
    const Vec3 p = cross(ray, e2);
    const float det = dot(e1, p);
    if (std::abs(det) < 1e-12F) continue;
    const Vec3 s = origin - a;
    const float b = dot(s, p) / det;
    const Vec3 q = cross(s, e1);
    const float c = dot(ray, q) / det, t = dot(e2, q) / det;
    if (b < 0 || c < 0 || b + c > 1 || t <= 0) continue;
    if (nearest == 0 || t < nearest) nearest = t;
  }
  return nearest;
}

RenderFrame make_frame(Vec3 look, float distance_m) {
  RenderFrame frame;
  frame.camera = render::look_at(look + Vec3{0.5F, 0.3F, 0.8F} * distance_m, look);
  frame.settings.width = 96;
  frame.settings.height = 64;
  render::set_quality(frame.settings, render::Quality::kLow);
  frame.environment.ground = false;
  return frame;
}

// Of the pixels that the body covers for either, the share whose depths are within a millimetre;
// silhouettes may fall to either side.
double agreement(render::Renderer& renderer, const RenderFrame& frame, const std::vector<Vec3>& positions,
                 const std::vector<std::uint32_t>& indices, int& covered) {
  EXPECT_TRUE(renderer.render(frame));
  std::vector<float> depths;
  renderer.read_depth_m(depths);
  int equal = 0, total = 0;
  covered = 0;
  for (int y = 0; y < 64; y += 2) {
    for (int x = 0; x < 96; x += 2) {
      const float expected = cast_ray(frame.camera, 1.5F, (static_cast<float>(x) + 0.5F) / 96,
                                      (static_cast<float>(y) + 0.5F) / 64, positions, indices);
      const float drawn = depths[static_cast<std::size_t>(y * 96 + x)];
      if (expected == 0 && drawn == 0) continue;
      ++total;
      covered += expected > 0 ? 1 : 0;
      equal += std::abs(drawn - expected) < 1e-3F ? 1 : 0;
    }
  }
  return static_cast<double>(equal) / total;
}

class GpuSkinning : public GlTest {};

TEST_F(GpuSkinning, LinearAgreesWithTheCpu) {
  PosedBody posed = make_posed_body(BodyFamily::kBiped, synth::Gait::kWalk, 3);
  posed.set_frame(17);
  Warnings warnings;
  const CharacterModel model = CharacterModel::create(renderer(), posed.body.character, "", warnings);
  EXPECT_TRUE(warnings.empty());
  CharacterBody body(model);
  body.set_pose(posed.model_from_joint);
  RenderFrame frame = make_frame(posed.model_from_joint[static_cast<std::size_t>(posed.body.root)].t, 3.5F);
  body.add_to(frame, {});
  const DeformedMesh deformed = deform_instance(*posed.body.character, 0, posed.model_from_joint);
  int covered = 0;
  EXPECT_GT(agreement(renderer(), frame, deformed.positions, posed.body.character->meshes[0].indices, covered), 0.95);
  EXPECT_GT(covered, 60);
}

TEST_F(GpuSkinning, DualQuaternionsAgreeWithTheCpu) {
  PosedBody posed = make_posed_body(BodyFamily::kQuadruped, synth::Gait::kGallop, 5);
  posed.set_frame(11);
  Warnings warnings;
  const CharacterModel model = CharacterModel::create(renderer(), posed.body.character, "", warnings);
  CharacterBody body(model);
  body.set_pose(posed.model_from_joint);
  RenderFrame frame =
      make_frame(posed.model_from_joint[static_cast<std::size_t>(posed.body.root)].t, 5 * posed.body.leg_length_m);
  body.add_to(frame, {}, 0, {1, 1, 1, 1}, Skinning::kDualQuaternion);

  const Mesh& mesh = posed.body.character->meshes[0];
  const Skin& skin = posed.body.character->skins[0];
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  std::vector<Affine> palette(skin.joints.size());
  std::vector<DualQuat> dual(palette.size());
  std::vector<Vec3> positions(mesh.num_vertices());
  ASSERT_TRUE((PaletteJob{.skin = &skin, .model_from_joint = posed.model_from_joint, .palettes = palette}.run()));
  ASSERT_TRUE((DualQuatPaletteJob{.palettes = palette, .dual_quats = dual}.run()));
  ASSERT_TRUE((DualQuatSkinningJob{.layout = &layout, .palettes = dual, .vertices = {.positions = positions}}.run()));
  int covered = 0;
  EXPECT_GT(agreement(renderer(), frame, positions, mesh.indices, covered), 0.95);
  EXPECT_GT(covered, 60);
}

// The blend that the skin states, and vertices between the two.
TEST_F(GpuSkinning, SkinsAreBlendedAsTheyState) {
  for (const float linear_share : {0.0F, 0.5F}) {
    SCOPED_TRACE(linear_share);
    PosedBody posed = make_posed_body(BodyFamily::kBiped, synth::Gait::kWalk, 3);
    posed.set_frame(17);
    auto character = std::make_shared<Character>(*posed.body.character);
    for (Skin& skin : character->skins) skin.blend = SkinBlend::kDualQuaternion;
    if (linear_share > 0) character->meshes[0].linear_shares.assign(character->meshes[0].num_vertices(), linear_share);
    Warnings warnings;
    const CharacterModel model = CharacterModel::create(renderer(), character, "", warnings);
    CharacterBody body(model);
    body.set_pose(posed.model_from_joint);
    RenderFrame frame = make_frame(posed.model_from_joint[static_cast<std::size_t>(posed.body.root)].t, 3.5F);
    body.add_to(frame, {});
    ASSERT_EQ(frame.instances[0].skinning, Skinning::kDualQuaternion);
    const DeformedMesh deformed = deform_instance(*character, 0, posed.model_from_joint);
    int covered = 0;
    EXPECT_GT(agreement(renderer(), frame, deformed.positions, character->meshes[0].indices, covered), 0.95);
    EXPECT_GT(covered, 60);
  }
}

// A cube with two morph targets and a rigid place, against the CPU's deformation.
TEST_F(GpuSkinning, MorphTargetsAgreeWithTheCpu) {
  auto character = std::make_shared<Character>();
  character->skeleton = Skeleton::create({{.name = "root"}}).value();
  character->meshes.push_back(make_cube());
  Mesh& cube = character->meshes[0];
  MorphTarget up{"up", {}, {}, {}}, corner{"corner", {0, 1}, {{0.4F, 0, 0}, {0.4F, 0.2F, 0}}, {}};
  for (const Vec3 p : cube.positions) up.position_deltas.push_back({0, p.y > 0 ? 0.7F : 0, p.z > 0 ? 0.5F : 0});
  cube.morph_targets = {up, corner};
  character->instances.push_back({.mesh = 0, .joint = 0});
  ASSERT_TRUE(validate(*character));
  Warnings warnings;
  const CharacterModel model = CharacterModel::create(renderer(), character, "", warnings);
  CharacterBody body(model);
  const Affine joint =
      to_affine(Transform{.translation = {0.1F, 0.2F, 0.3F}, .rotation = from_axis_angle(Vec3{0, 1, 0}, 0.4F)});
  const float weights[] = {0.8F, -0.5F};
  body.set_pose({&joint, 1}, weights);
  RenderFrame frame = make_frame({0, 0.3F, 0}, 3);
  body.add_to(frame, {});
  const DeformedMesh deformed = deform_instance(*character, 0, {&joint, 1}, weights);
  int covered = 0;
  EXPECT_GT(agreement(renderer(), frame, deformed.positions, cube.indices, covered), 0.95);
  EXPECT_GT(covered, 100);
}

}  // namespace
}  // namespace zoe::test
