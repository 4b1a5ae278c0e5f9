// SPDX-License-Identifier: MIT
#include "synth/plan.h"

#include <algorithm>
#include <numbers>

#include "zoe/core/index.h"

#include "synth/angle.h"
#include "synth/palette.h"

namespace zoe::synth {
namespace {

constexpr float kDensity = 1000;  // kg/m³: water, close to flesh.

// Volume of a cone frustum with the stretch of its cross-section, without the round ends.
float volume_of(const Blob& blob) {
  const float h = length(blob.b - blob.a) + 0.67F * std::max(blob.radius_a, blob.radius_b);
  const float a = blob.radius_a, b = blob.radius_b;
  const float across = std::sqrt(blob.stretch.x * blob.stretch.y * blob.stretch.z);
  return std::numbers::pi_v<float> / 3 * h * (a * a + a * b + b * b) * across;
}

// Calls weigh(joint, centre, mass) for all flesh.
template <typename Weigh>
void weigh_flesh(const Plan& plan, Weigh&& take) {
  const auto weigh = [&](const Blob& blob) { take(blob.joint, (blob.a + blob.b) * 0.5F, kDensity * volume_of(blob)); };
  for (const Blob& blob : plan.blobs) weigh(blob);
  for (const Tube& tube : plan.tubes) {
    for (std::size_t i = 0; i + 1 < tube.points.size(); ++i) {
      const Tube::Point &a = tube.points[i], &b = tube.points[i + 1];
      weigh({a.joint, a.position, b.position, a.radius_m, b.radius_m});
    }
  }
}

void set_masses(const Plan& plan, Body& body) {
  body.masses_kg.assign(plan.joints.size(), 0);
  body.mass_centres_m.assign(plan.joints.size(), Vec3{});
  weigh_flesh(plan, [&](int joint, Vec3 centre, float mass) {
    body.masses_kg[idx(joint)] += mass;
    body.mass_centres_m[idx(joint)] += (centre - plan.at(joint)) * mass;
  });
  for (std::size_t j = 0; j < plan.joints.size(); ++j) {
    if (body.masses_kg[j] > 0) body.mass_centres_m[j] *= 1 / body.masses_kg[j];
  }
}

// Blobs of clothes and skin, in the frames of their joints.
void set_flesh(const Plan& plan, Body& body) {
  for (const Blob& blob : plan.blobs)
    body.flesh.push_back(
        {blob.joint, blob.a - plan.at(blob.joint), blob.b - plan.at(blob.joint), blob.radius_a, blob.radius_b});
}

void scale(Plan& plan, float size) {
  for (Vec3& p : plan.positions) p *= size;
  for (JointDesc& joint : plan.joints) joint.rest_local.translation *= size;
  for (Blob& blob : plan.blobs) {
    blob.a *= size, blob.b *= size;
    blob.radius_a *= size, blob.radius_b *= size;
  }
  for (Layer& layer : plan.layers) layer.cell_m *= size;
  for (Ball& ball : plan.balls) ball.centre *= size, ball.radius_m *= size;
  for (Tube& tube : plan.tubes) {
    for (Tube::Point& point : tube.points) point.position *= size, point.radius_m *= size;
  }
  for (Plate& plate : plan.plates) {
    for (Plate::Point& point : plate.points) point.position *= size, point.thickness_m *= size;
  }
  Body& body = plan.body;
  for (Leg& leg : body.legs) {
    leg.heel *= size;
    leg.reach_m *= size, leg.length_m *= size, leg.sole_m *= size;
  }
  body.leg_length_m *= size, body.body_length_m *= size, body.radius_m *= size;
  body.wing_span_m *= size, body.wing_area_m2 *= size * size;
}

}  // namespace

int Plan::add(const Tag& tag, int parent, Vec3 position) {
  const Vec3 origin = parent == kNoJoint ? Vec3{} : at(parent);
  const int joint = static_cast<int>(joints.size());
  std::string name = names == Names::kNumbered ? "joint_" + std::to_string(joint) : name_of(names, tag);
  joints.push_back({std::move(name), parent, {position - origin, {}, {1, 1, 1}}, JointKind::kBone});
  positions.push_back(position);
  body.limits.push_back(make_hinge({}, {1, 0, 0}, 0, 0));  // Stiff by default.
  return joint;
}

int Plan::add_end(int parent, Vec3 position) {
  const int joint = static_cast<int>(joints.size());
  joints.push_back(
      {joints[idx(parent)].name + "_End", parent, {position - at(parent), {}, {1, 1, 1}}, JointKind::kEndSite});
  positions.push_back(position);
  body.limits.push_back(make_hinge({}, {1, 0, 0}, 0, 0));
  return joint;
}

void Plan::hinge(int joint, Vec3 axis, float min_deg, float max_deg) {
  body.limits[idx(joint)] = make_hinge({}, normalized(axis), min_deg * kDeg, max_deg * kDeg);
}

void Plan::cone(int joint, Vec3 bone, float swing_deg, float twist_deg) {
  body.limits[idx(joint)] =
      make_cone({}, normalized(bone, Vec3{0, 1, 0}), swing_deg * kDeg, -twist_deg * kDeg, twist_deg * kDeg);
}

void Plan::blob(int joint, Vec3 a, float radius_a, Vec3 b, float radius_b, Vec3 stretch) {
  blobs.push_back({joint, a, b, radius_a, radius_b, stretch, layer});
}

void Plan::bone_blob(int joint, int child, float radius_a, float radius_b, Vec3 stretch) {
  blob(joint, at(joint), radius_a, at(child), radius_b, stretch);
}

Vec3 centre_of_flesh(const Plan& plan) {
  Vec3 sum{};
  float total = 0;
  weigh_flesh(plan, [&](int, Vec3 centre, float mass) { sum += centre * mass, total += mass; });
  return sum / std::max(total, 1e-9F);
}

std::vector<int> add_chain(Plan& plan, Part part, int parent, std::span<const Vec3> points) {
  std::vector<int> chain;
  for (std::size_t i = 0; i < points.size(); ++i) {
    parent = plan.add({.part = part, .index = static_cast<int>(i) + 1}, parent, points[i]);
    chain.push_back(parent);
  }
  return chain;
}

void draw_colors(Plan& plan) {
  const float choice = plan.draw(0, 1), shade = plan.draw(0.85F, 1.15F), warmth = plan.draw(0.94F, 1.06F),
              pale = plan.draw(0.95F, 1.05F);
  const Coat coat = coat_of(plan.body.family, choice, shade);
  const auto tinted = [&](Vec4 c) { return shaded({c.x * warmth, c.y, c.z / warmth, 1}, 1); };
  plan.color = tinted(coat.back);
  plan.belly_color = tinted(shaded(coat.belly, pale));
  plan.wing_color = tinted(coat.wing);
  plan.stripes = plan.chance(0.35F) ? plan.draw(0.3F, 0.8F) : 0;
}

int add_layer(Plan& plan, Vec4 color) {
  plan.layers.push_back({color, color});
  return static_cast<int>(plan.layers.size()) - 1;
}

void finish_leg(Plan& plan, Leg& leg) {
  const Vec3 ankle = plan.at(leg.distal.front()), ball = plan.at(leg.distal.back());
  leg.reach_m = distance(plan.at(leg.upper), plan.at(leg.lower)) + distance(plan.at(leg.lower), ankle);
  leg.length_m = plan.at(leg.upper).y;
  leg.sole_m = ball.y;
  if (leg.tip == kNoJoint) leg.tip = leg.distal.back();
}

Body finish(Plan&& plan, const BodyOptions& options) {
  Body& body = plan.body;
  float sum = 0;
  for (const Leg& leg : body.legs) sum += leg.length_m;
  if (!body.legs.empty()) body.leg_length_m = sum / static_cast<float>(body.legs.size());
  scale(plan, options.size);
  set_masses(plan, body);
  set_flesh(plan, body);

  auto skeleton = Skeleton::create(plan.joints);
  body.skeleton = std::move(skeleton).value();
  auto character = std::make_shared<Character>();
  character->name = body.species;
  character->skeleton = body.skeleton;
  if (options.mesh) {
    character->meshes.push_back(make_mesh(plan));
    Skin skin;
    skin.name = "skin";
    for (int j = 0; j < body.skeleton->num_joints(); ++j) {
      skin.joints.push_back(j);
      Affine joint_from_mesh;
      joint_from_mesh.t = -plan.at(j);
      skin.joint_from_mesh.push_back(joint_from_mesh);
    }
    character->skins.push_back(std::move(skin));
    character->instances.push_back({.mesh = 0, .joint = -1, .skin = 0});
    Material material;
    material.name = "skin";
    material.roughness = 0.8F;
    character->materials.push_back(material);
  }
  body.character = std::move(character);
  return std::move(body);
}

float Body::mass_kg() const {
  float sum = 0;
  for (const float mass : masses_kg) sum += mass;
  return sum;
}

bool follows_path(const Body& body) { return body.family == BodyFamily::kMillipede; }

Vec3 centre_of_mass(const Body& body, std::span<const Affine> model_from_joint) {
  Vec3 sum{};
  for (std::size_t j = 0; j < body.masses_kg.size(); ++j) {
    if (body.masses_kg[j] > 0) sum += model_from_joint[j].apply_point(body.mass_centres_m[j]) * body.masses_kg[j];
  }
  return sum / body.mass_kg();
}

std::span<const BodyFamily> families() {
  static constexpr std::array kFamilies{BodyFamily::kBiped,   BodyFamily::kQuadruped, BodyFamily::kHexapod,
                                        BodyFamily::kOctopod, BodyFamily::kMillipede, BodyFamily::kBird,
                                        BodyFamily::kFlyer,   BodyFamily::kSnake,     BodyFamily::kFish};
  return kFamilies;
}

Body make_body(BodyFamily family, Random random, const BodyOptions& options) {
  Plan plan;
  plan.body.family = family;
  plan.names = options.names;
  plan.random = random;
  draw_colors(plan);
  plan.layers[0] = {plan.color, plan.belly_color, plan.stripes};
  switch (family) {
    case BodyFamily::kBiped:
      plan_biped(plan);
      break;
    case BodyFamily::kQuadruped:
      plan_quadruped(plan);
      break;
    case BodyFamily::kHexapod:
    case BodyFamily::kOctopod:
    case BodyFamily::kMillipede:
      plan_arthropod(plan);
      break;
    case BodyFamily::kBird:
    case BodyFamily::kFlyer:
      plan_winged(plan);
      break;
    case BodyFamily::kSnake:
      plan_snake(plan);
      break;
    case BodyFamily::kFish:
      plan_fish(plan);
      break;
    default:
      ZOE_CHECK(false, "make_body: no body of this family");
  }
  return finish(std::move(plan), options);
}

}  // namespace zoe::synth
