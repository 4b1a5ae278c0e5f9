// SPDX-License-Identifier: MIT
#include "render/golden_scenes.h"

#include <cmath>
#include <numbers>

#include "zoe/render/debug_draw.h"
#include "zoe/render/skeleton_body.h"
#include "zoe/synth/terrain.h"

namespace zoe::test {
namespace {

using render::Quality;
using render::RoundCone;
using synth::Gait;

constexpr float kPi = std::numbers::pi_v<float>;

Affine at(float x, float y, float z, float turn = 0, float size = 1) {
  return to_affine(Transform{
      .translation = {x, y, z}, .rotation = from_axis_angle(Vec3{0, 1, 0}, turn), .scale = {size, size, size}});
}

void walker(Scene& scene) {
  scene.add_body(BodyFamily::kBiped, Gait::kWalk, 11).set_frame(12);
  const Vec3 root = scene.posed.back()->model_from_joint[static_cast<std::size_t>(scene.posed.back()->body.root)].t;
  scene.frame.environment.ground_center_m = {root.x, 0, root.z};
  scene.look_from({root.x + 2.1F, 1.5F, root.z + 3.6F}, {root.x, 0.85F, root.z});
  scene.draw_body(12);
}

void studio(Scene& scene) { walker(scene); }
void high(Scene& scene) {
  render::set_quality(scene.frame.settings, Quality::kHigh);
  walker(scene);
}
void low(Scene& scene) {
  render::set_quality(scene.frame.settings, Quality::kLow);
  walker(scene);
}
void no_shadows(Scene& scene) {
  scene.frame.settings.shadows = false;
  walker(scene);
}
// Legs and feet fill the picture: where occlusion shows.
void near(Scene& scene) {
  walker(scene);
  const Vec3 root = scene.frame.environment.ground_center_m;
  scene.look_from({root.x + 0.9F, 0.6F, root.z + 1.4F}, {root.x, 0.4F, root.z});
}
void no_occlusion(Scene& scene) {
  scene.frame.settings.ambient_occlusion = false;
  near(scene);
}
void supersampled(Scene& scene) {
  scene.frame.settings.fxaa = false;
  scene.frame.settings.supersampling = 3;
  walker(scene);
}
void transparent(Scene& scene) {
  scene.frame.settings.transparent_background = true;
  scene.frame.settings.supersampling = 2;
  walker(scene);
}

void gallop(Scene& scene) {
  PosedBody& horse = scene.add_body(BodyFamily::kQuadruped, Gait::kGallop, 4);
  horse.set_frame(20);
  const Vec3 root = horse.model_from_joint[static_cast<std::size_t>(horse.body.root)].t;
  const float size = horse.body.leg_length_m + horse.body.body_length_m;
  scene.frame.environment.ground_center_m = {root.x, 0, root.z};
  scene.look_from({root.x + 2.7F * size, 1.0F * size, root.z + 1.6F * size},
                  {root.x, 1.0F * root.y, root.z + 0.15F * size});
  scene.draw_body(20);
}

void dual_quaternions(Scene& scene) {
  scene.add_body(BodyFamily::kBiped, Gait::kAttack, 8);
  scene.draw_body(30, at(-0.6F, 0, 0), {1, 0.8F, 0.7F, 1}, render::Skinning::kLinear);
  scene.add_body(BodyFamily::kBiped, Gait::kAttack, 8);
  scene.draw_body(30, at(0.6F, 0, 0), {0.7F, 0.8F, 1, 1}, render::Skinning::kDualQuaternion);
  scene.look_from({1.2F, 1.5F, 4.2F}, {0, 0.85F, 0});
}

void bones(Scene& scene) {
  PosedBody& man = scene.add_body(BodyFamily::kBiped, Gait::kRun, 21);
  man.set_frame(16);
  const render::SkeletonBody body(*man.body.skeleton, man.body.skeleton->rest_model(), man.body.head);
  const Vec3 root = man.model_from_joint[static_cast<std::size_t>(man.body.root)].t;
  body.add_to(scene.frame, man.model_from_joint, at(-root.x, 0, -root.z));
  PosedBody& spider = scene.add_body(BodyFamily::kHexapod, Gait::kTripod, 3);
  spider.set_frame(10);
  const render::SkeletonBody legs(*spider.body.skeleton, spider.body.skeleton->rest_model());
  const float scale = 0.5F / legs.size();
  const Vec3 middle = spider.model_from_joint[static_cast<std::size_t>(spider.body.root)].t * (2 * scale);
  legs.add_to(scene.frame, spider.model_from_joint, at(1.1F - middle.x, 0, 0.4F - middle.z, 0, 2 * scale), 0,
              {.bone = {0.25F, 0.5F, 0.55F, 1}});
  scene.look_from({1.4F, 1.5F, 4.6F}, {0.4F, 0.72F, 0});
}

void ghosts(Scene& scene) {
  scene.add_body(BodyFamily::kBiped, Gait::kWalk, 11);
  scene.frame.environment.ground_center_m = {0, 0, 1.2F};
  for (int i = 0; i < 5; ++i)
    scene.draw_body(8 * i, {}, {1, 1, 1, i == 4 ? 1.0F : 0.22F + 0.1F * static_cast<float>(i)});
  scene.look_from({5.2F, 1.6F, 1.4F}, {0, 0.85F, 0.8F});
}

void crowd(Scene& scene) {
  scene.frame.settings.shadow_cascades = 3;
  scene.add_body(BodyFamily::kBiped, Gait::kWalk, 11);
  for (int i = 0; i < 60; ++i) {
    const float x = static_cast<float>(i % 10) - 4.5F, z = -1.3F * static_cast<float>(i / 10);
    const float warm = 0.5F + 0.05F * static_cast<float>(i % 7);
    scene.draw_body((i * 7) % 55, at(x * 1.15F, 0, z), {warm, 0.62F, 1.0F - 0.5F * warm, 1});
  }
  scene.frame.environment.ground_fade_m = 30;
  scene.look_from({3, 3.2F, 7.5F}, {0, 0.6F, -1});
}

void terrain(Scene& scene) {
  const GroundPtr ground = synth::make_terrain(synth::TerrainKind::kRough, 0.9F, Random(6)).ground;
  constexpr int kCorners = 81;
  constexpr float kCell = 0.15F;
  std::vector<float> heights;
  for (int z = 0; z < kCorners; ++z) {
    for (int x = 0; x < kCorners; ++x) {
      const float wx = (static_cast<float>(x) - 40) * kCell, wz = (static_cast<float>(z) - 40) * kCell;
      heights.push_back(2.5F * ground->height(wx, wz));
    }
  }
  scene.frame.ground = Ground::grid({std::move(heights), kCorners, kCorners, kCell, -40 * kCell, -40 * kCell}).value();
  scene.add_body(BodyFamily::kQuadruped, Gait::kWalk, 9);
  scene.draw_body(0, at(0, 2.5F * ground->height(0, 0), 0));
  scene.look_from({5.0F, 3.4F, 6.4F}, {0, 1.1F, 0.3F});
}

void lamps(Scene& scene) {
  walker(scene);
  scene.frame.environment.sun_color = {0.08F, 0.09F, 0.14F};
  scene.frame.environment.sky_light = {0.03F, 0.035F, 0.05F};
  scene.frame.environment.ground_light = {0.02F, 0.02F, 0.02F};
  scene.frame.environment.zenith_color = {0.004F, 0.006F, 0.015F};
  scene.frame.environment.horizon_color = {0.012F, 0.014F, 0.024F};
  const Vec3 center = scene.frame.environment.ground_center_m;
  for (int i = 0; i < 256; ++i) {
    const float angle = static_cast<float>(i) * 2.39996F, radius = 0.35F * std::sqrt(static_cast<float>(i) + 1);
    const float hue = static_cast<float>(i % 5) / 5 * 2 * kPi;
    const Vec3 color{0.5F + 0.5F * std::cos(hue), 0.5F + 0.5F * std::cos(hue + 2.1F),
                     0.5F + 0.5F * std::cos(hue + 4.2F)};
    scene.frame.lights.push_back(
        {.position_m = center + Vec3{radius * std::cos(angle), 0.25F + 0.2F * static_cast<float>(i % 3),
                                     radius * std::sin(angle)},
         .range_m = 0.9F,
         .color = color * color * 0.3F});
  }
}

void spot(Scene& scene) {
  walker(scene);
  scene.frame.environment.sun_color = {};
  scene.frame.environment.sky_light = {0.10F, 0.11F, 0.14F};
  scene.frame.environment.ground_light = {0.05F, 0.05F, 0.05F};
  scene.frame.environment.zenith_color = scene.frame.environment.horizon_color = {0.02F, 0.02F, 0.03F};
  const Vec3 center = scene.frame.environment.ground_center_m;
  const Vec3 place = center + Vec3{1.2F, 3.5F, 1.0F};
  scene.frame.lights.push_back({.position_m = place,
                                .range_m = 8,
                                .color = {26, 24, 20},
                                .direction = normalized(center + Vec3{0, 0.6F, 0} - place),
                                .cone_cos_outer = 0.93F,
                                .cone_cos_inner = 0.96F});
}

void bloom(Scene& scene) {
  const render::MeshHandle lamp =
      scene.add_mesh(make_cube(), {.base_color = {0.05F, 0.05F, 0.05F, 1}, .emissive = {6, 2.2F, 0.6F}});
  scene.frame.instances.push_back({.mesh = lamp, .world_from_model = at(0.7F, 0.45F, 0, 0.5F, 0.5F)});
  walker(scene);
  const Vec3 center = scene.frame.environment.ground_center_m;
  scene.frame.instances.front().world_from_model.t += Vec3{center.x, 0, center.z};
  scene.frame.environment.sun_color = scene.frame.environment.sun_color * 0.3F;
  scene.frame.settings.bloom_strength = 0.6F;
}

void morphs(Scene& scene) {
  // A ball whose targets pull it up, sideways and into a star.
  Mesh ball;
  constexpr int kRings = 24, kAround = 36;
  MorphTarget tall{"tall", {}, {}, {}}, star{"star", {}, {}, {}};
  for (int r = 0; r <= kRings; ++r) {
    for (int a = 0; a <= kAround; ++a) {
      const float theta = kPi * static_cast<float>(r) / kRings, phi = 2 * kPi * static_cast<float>(a) / kAround;
      const Vec3 n{std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)};
      ball.positions.push_back(n * 0.4F);
      ball.normals.push_back(n);
      tall.position_deltas.push_back({-n.x * 0.15F, n.y * 0.35F, -n.z * 0.15F});
      star.position_deltas.push_back(n * (0.14F * std::cos(5 * phi) * std::sin(theta)));
    }
  }
  for (int r = 0; r < kRings; ++r) {
    for (int a = 0; a < kAround; ++a) {
      const auto i = static_cast<std::uint32_t>(r * (kAround + 1) + a);
      for (const std::uint32_t index : {i, i + 1, i + kAround + 1, i + 1, i + kAround + 2, i + kAround + 1})
        ball.indices.push_back(index);
    }
  }
  ball.morph_targets = {tall, star};
  const render::MeshHandle mesh = scene.add_mesh(ball, {.base_color = {0.75F, 0.25F, 0.2F, 1}, .roughness = 0.35F});
  static const float kWeights[4][2] = {{0, 0}, {1, 0}, {0, 1}, {0.6F, 0.8F}};
  for (int i = 0; i < 4; ++i) {
    const float weight_up = kWeights[i][0];
    scene.frame.instances.push_back(
        {.mesh = mesh,
         .world_from_model = at(-1.8F + 1.2F * static_cast<float>(i), 0.4F + 0.35F * weight_up, 0, 0.3F),
         .morph_weights = kWeights[i]});
  }
  scene.look_from({0.8F, 1.9F, 5.2F}, {0, 0.4F, 0});
}

void materials(Scene& scene) {
  render::Picture checks = render::make_picture(64, 64, 235, 225, 205, 255),
                  bumps = render::make_picture(64, 64, 128, 128, 255, 255), holes = checks;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      if (((x / 8) + (y / 8)) % 2 == 0) {
        checks.pixel(x, y)[0] = 40;
        checks.pixel(x, y)[1] = 90;
        checks.pixel(x, y)[2] = 120;
      }
      bumps.pixel(x, y)[0] = static_cast<std::uint8_t>(128 + 90 * std::sin(static_cast<float>(x) * kPi / 4));
      const int dx = x % 16 - 8, dy = y % 16 - 8;
      holes.pixel(x, y)[3] = dx * dx + dy * dy < 26 ? 0 : 255;
    }
  }
  Mesh cube = make_cube();
  for (std::size_t i = 0; i < cube.positions.size(); ++i) {
    cube.uvs.push_back({i % 4 == 1 || i % 4 == 2 ? 1.0F : 0.0F, i % 4 >= 2 ? 1.0F : 0.0F});
    const std::size_t side = i / 4 * 4;
    const Vec3 along = normalized(cube.positions[side + 1] - cube.positions[side]);
    cube.tangents.push_back({along.x, along.y, along.z, 1});
  }
  render::Renderer& r = scene.renderer;
  const render::MaterialDesc list[] = {
      {.base_color = {1, 1, 1, 1}, .base_color_texture = r.add_texture(checks, render::ColorSpace::kSrgb)},
      {.base_color = {0.7F, 0.5F, 0.25F, 1},
       .metallic = 0.2F,
       .roughness = 0.3F,
       .normal_texture = r.add_texture(bumps, render::ColorSpace::kLinear)},
      {.base_color = {0.9F, 0.75F, 0.5F, 1},
       .base_color_texture = r.add_texture(holes, render::ColorSpace::kSrgb),
       .alpha_cutoff = 0.5F,
       .double_sided = true},
      {.base_color = {0.3F, 0.6F, 0.9F, 0.35F}, .roughness = 0.2F, .blend = true},
      {.base_color = {0.95F, 0.8F, 0.45F, 1}, .metallic = 1, .roughness = 0.35F},
  };
  for (int i = 0; i < 5; ++i) {
    scene.frame.instances.push_back(
        {.mesh = scene.add_mesh(cube, list[i]),
         .world_from_model = at(-2.4F + 1.2F * static_cast<float>(i), 0.4F, 0, 0.6F, 0.8F)});
  }
  scene.look_from({0.5F, 2.4F, 7}, {0, 0.35F, 0});
}

void overlay(Scene& scene) {
  walker(scene);
  PosedBody& man = *scene.posed.back();
  render::Overlay& over = scene.frame.overlay;
  const Vec3 root = man.model_from_joint[static_cast<std::size_t>(man.body.root)].t;
  std::vector<Vec3> path;
  std::vector<Affine> pose(man.model_from_joint.size());
  for (int i = 0; i < man.clip.motion.num_frames; ++i) {
    compute_model_from_joint(*man.body.skeleton, man.clip.motion.frame(i), pose);
    const Vec3 p = pose[static_cast<std::size_t>(man.body.root)].t;
    path.push_back({p.x, 0.01F, p.z});
  }
  over.polyline(path, {0.95F, 0.55F, 0.1F, 1}, 3);
  over.axes(man.model_from_joint[static_cast<std::size_t>(man.body.head)], 0.25F, 2);
  over.arrow(root, root + Vec3{0, 0, 0.8F}, {0.2F, 0.8F, 0.9F, 1}, 2.5F);
  over.circle({root.x, 0.01F, root.z}, {0, 1, 0}, 0.45F, {1, 1, 1, 0.9F}, 2);
  over.sphere({root.x - 0.9F, 0.5F, root.z}, 0.3F, {0.9F, 0.3F, 0.6F, 1});
  over.box(at(root.x - 1.2F, 0.25F, root.z + 1.0F, 0.4F, 0.25F), {0.3F, 0.9F, 0.4F, 1});
  over.text(8, 18, "Walk, frame 12: 0.40 s", 9, {0.05F, 0.06F, 0.08F, 1});
  over.text(312, 172, "ABC xyz 0123456789 +-*/%@#", 7, {0.05F, 0.06F, 0.08F, 1}, render::Anchor::kRight);
}

void signs(Scene& scene) {
  walker(scene);
  PosedBody& man = *scene.posed.back();
  std::vector<Vec3> path, places, velocities;
  std::vector<float> weights;
  std::vector<Affine> before(man.model_from_joint.size()), after(before);
  for (int i = 0; i < man.clip.motion.num_frames; i += 3) {
    compute_model_from_joint(*man.body.skeleton, man.clip.motion.frame(i), before);
    const Vec3 p = before[static_cast<std::size_t>(man.body.root)].t;
    path.push_back({p.x, 0.01F, p.z});
  }
  render::draw_trajectory(scene.frame, path, {}, {0.95F, 0.5F, 0.08F, 1}, 0.02F);
  compute_model_from_joint(*man.body.skeleton, man.clip.motion.frame(11), before);
  compute_model_from_joint(*man.body.skeleton, man.clip.motion.frame(13), after);
  for (std::size_t j = 0; j < after.size(); ++j) {
    places.push_back(man.model_from_joint[j].t);
    velocities.push_back((after[j].t - before[j].t) * 15.0F);
  }
  render::draw_velocities(scene.frame, places, velocities, {0.1F, 0.55F, 0.85F, 1});
  places.clear();
  for (std::size_t leg = 0; leg < man.body.legs.size(); ++leg) {
    places.push_back(man.model_from_joint[static_cast<std::size_t>(man.body.legs[leg].distal.back())].t);
    weights.push_back(man.clip.contacts[12 * man.body.legs.size() + leg] != 0 ? 1.0F : 0.0F);
  }
  render::draw_contacts(scene.frame, places, weights, 0, 0.12F);
  render::draw_skeleton_lines(scene.frame, man.model_from_joint, man.body.skeleton->parents(),
                              {0.2F, 0.2F, 0.25F, 0.7F}, 1);
  render::draw_label(scene.frame, man.model_from_joint[static_cast<std::size_t>(man.body.head)].t, "Head", 8,
                     {0.05F, 0.06F, 0.08F, 1});
}

void isometric(Scene& scene) {
  scene.add_body(BodyFamily::kQuadruped, Gait::kTrot, 14);
  scene.draw_body(5);
  scene.look_from({4, 3.5F, 4}, {0, 0.4F, 0});
  scene.frame.camera.ortho_height_m = 2.4F;
  scene.frame.camera.ortho_depth_m = 20;
}

void night(Scene& scene) {
  // A low sun: long soft shadows over the grid.
  walker(scene);
  scene.frame.environment.to_sun = {0.9F, 0.28F, -0.35F};
  scene.frame.environment.sun_color = {2.6F, 1.6F, 0.9F};
  scene.frame.environment.horizon_color = {0.62F, 0.46F, 0.36F};
  scene.frame.settings.shadow_resolution = 2048;
}

}  // namespace

PosedBody& Scene::add_body(BodyFamily family, Gait gait, std::uint64_t seed) {
  posed.push_back(std::make_unique<PosedBody>(make_posed_body(family, gait, seed)));
  Warnings warnings;
  models.push_back(std::make_unique<render::CharacterModel>(
      render::CharacterModel::create(renderer, posed.back()->body.character, "", warnings)));
  return *posed.back();
}

void Scene::draw_body(int clip_frame, const Affine& world, Vec4 tint, render::Skinning skinning) {
  PosedBody& body = *posed.back();
  body.set_frame(clip_frame % body.clip.motion.num_frames);
  bodies.push_back(std::make_unique<render::CharacterBody>(*models.back()));
  bodies.back()->set_pose(body.model_from_joint);
  bodies.back()->add_to(frame, world, static_cast<std::uint32_t>(bodies.size()), tint, skinning);
}

void Scene::look_from(Vec3 eye, Vec3 target) {
  frame.camera = render::look_at(eye, target);
  frame.camera.fov_y_rad = 0.52F;
}

render::MeshHandle Scene::add_mesh(const Mesh& mesh, const render::MaterialDesc& material) {
  const render::MaterialHandle handle = renderer.add_material(material);
  Mesh own = mesh;
  own.submeshes = {{0, static_cast<std::uint32_t>(mesh.indices.size()), 0}};
  return renderer.add_mesh(own, {&handle, 1});
}

const std::vector<GoldenScene>& golden_scenes() {
  static const std::vector<GoldenScene> list{
      {"studio", studio, "a solid, lit body; both feet meet the ground in their shadow; grid lines even and fading"},
      {"low", low, "the same body and shadow; harder edges, no darkening between the legs"},
      {"high", high, "the same, with a smoother edge of the shadow"},
      {"no_shadows", no_shadows, "no shadow on the ground; dark only where feet touch it"},
      {"near", near, "legs and feet; darker between the legs and where feet touch the ground"},
      {"no_occlusion", no_occlusion, "the same; lighter between the legs and around the feet"},
      {"supersampled", supersampled, "the smoothest edges of all; grid lines thin and whole"},
      {"transparent", transparent, "the body alone; no ground, no sky, no shadow around it"},
      {"gallop", gallop, "a running animal, legs gathered or stretched, its shadow beneath it"},
      {"dual_quaternions", dual_quaternions,
       "two bodies in one pose; shoulders of the bluish one (dual) no thinner than the other's"},
      {"bones", bones, "a runner and an insect of tapered bones with darker joints; no gaps, shadows of thin legs"},
      {"ghosts", ghosts, "five poses of a walk, the last solid, the others seen through, without their insides"},
      {"crowd", crowd, "sixty walkers, each with a shadow, near ones sharp; no seam between cascades"},
      {"terrain", terrain, "hills with the grid laid over them, shaded by slope, an animal's shadow bent over them"},
      {"lamps", lamps,
       "256 coloured pools of light on dark ground, light on the legs from all sides, no tile "
       "borders"},
      {"spot", spot, "one cone of light with a soft rim around the walker, dark outside"},
      {"bloom", bloom, "an orange cube that glows beyond its edges"},
      {"morphs", morphs, "a ball, a tall one, a star, and both mixed; highlights smooth"},
      {"materials", materials, "checks, ridges, holes that one sees through, glass with the grid behind it, brass"},
      {"overlay", overlay,
       "path on the ground, circle, arrow, axes at the head, wire sphere and box, readable "
       "letters"},
      {"signs", signs,
       "dots along the path, blue arrows where joints are fast, filled rings under the standing "
       "foot only, a name at the head"},
      {"isometric", isometric, "parallel grid lines, an animal with a shadow"},
      {"evening", night, "a long shadow, away from a low warm sun"},
  };
  return list;
}

}  // namespace zoe::test
