// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/core/check.h"
#include "zoe/render/software/srgb.h"
#include "zoe/sprite/identity/identity.h"

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

Rgb mix(Rgb a, Rgb b, float share) {
  const auto channel = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(static_cast<float>(x) + (static_cast<float>(y) - static_cast<float>(x)) * share +
                                     0.5F);
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

std::vector<Material> make_materials(const Traits& t) {
  Random random = Random(t.seed).split(0xc010);
  constexpr Rgb kTrims[] = {{232, 188, 82}, {240, 234, 220}, {206, 208, 216}, {178, 60, 60}};
  constexpr Rgb kIrises[] = {{64, 120, 196}, {84, 150, 70}, {134, 82, 44}, {150, 70, 170}, {196, 60, 60}};
  constexpr Rgb kGlows[] = {{110, 226, 240}, {250, 214, 84}, {250, 120, 70}, {140, 240, 120}, {230, 120, 240}};
  const Rgb skin = t.skin.color;
  Rgb glow = kGlows[random.below(5)];
  if (t.species == Species::kPumpkin) glow = {252, 214, 90};
  const Rgb black{34, 28, 40};
  std::vector<Material> materials(kNumSlots);
  const auto set = [&](Slot slot, const char* name, Rgb color) {
    Material& material = materials[slot];
    material.name = name;
    material.base_color = {render::linear_from_srgb(color.r), render::linear_from_srgb(color.g),
                           render::linear_from_srgb(color.b), 1};
    material.roughness = 0.9F;
  };
  set(kSkin, "skin", skin);
  set(kSkinShade, "skin_shade", mix(skin, {120, 50, 60}, 0.34F));
  set(kHairSlot, "hair", t.hair_color.color);
  set(kCloth, "cloth", t.cloth.color);
  set(kCloth2, "cloth_2", t.cloth2.color);
  set(kTrim, "trim",
      t.outfit == Outfit::kArmor ? mix(kTrims[0], t.cloth.color, random.below(2) == 0 ? 0.0F : 0.7F)
                                 : kTrims[random.below(4)]);
  set(kLeather, "leather", mix({112, 72, 44}, {66, 54, 56}, random.uniform()));
  set(kMetal, "metal", t.metal.color);
  set(kDark, "dark", black);
  set(kWhite, "white", {246, 244, 238});
  set(kIris, "iris", kIrises[random.below(5)]);
  set(kMouth, "mouth",
      t.species == Species::kCat || t.species == Species::kRabbit ? Rgb{226, 130, 140} : Rgb{122, 44, 52});
  set(kGlow, "glow", glow);
  materials[kGlow].emissive = {materials[kGlow].base_color.x, materials[kGlow].base_color.y,
                               materials[kGlow].base_color.z};
  set(kWood, "wood", {134, 92, 54});
  set(kBlade, "blade", mix({206, 214, 226}, t.metal.color, 0.35F));
  set(kBone, "bone", {232, 216, 170});
  set(kBelly, "belly", mix(skin, {255, 236, 214}, 0.6F));
  set(kBlush, "blush", mix(skin, {232, 96, 96}, 0.45F));
  return materials;
}

// Bow hands differ: a bow is upright in the left hand.
void add_weapons(const Traits& t, const Frame& f, Character& character) {
  const float size = std::max(f.height, f.head_radii.y * 4.2F) * (t.build == Build::kChibi ? 1.05F : 1.0F);
  const auto add = [&](const Shapes& shapes, const char* name, int joint) {
    character.instances.push_back({.mesh = static_cast<int>(character.meshes.size()), .joint = joint});
    character.meshes.push_back(shapes.build_rigid(name));
  };
  Shapes weapon, shield;
  add_weapon(weapon, t.weapon, size);
  if (!weapon.empty()) add(weapon, to_string(t.weapon), t.weapon == Weapon::kBow ? kLeftSlot : kRightSlot);
  if (t.shield) {
    add_shield(shield, t.detail, size);
    add(shield, "shield", kLeftSlot);
  }
}

}  // namespace

Identity make_identity(const Traits& traits) {
  Identity identity;
  identity.traits = traits;
  const Frame frame = make_frame(traits);
  auto character = std::make_shared<Character>();
  character->name = "identity " + std::to_string(traits.seed);
  character->skeleton = make_skeleton(frame);
  character->materials = make_materials(traits);

  Shapes shapes;
  Maker maker{traits, frame, head_shape(traits, frame), shapes, Random(traits.seed).split(0xface)};
  identity.floats = traits.species == Species::kGhost;
  if (identity.floats) {
    add_ghost(maker);
  } else {
    add_trunk(maker);
    add_limbs(maker);
    add_outfit(maker);
  }
  add_head(maker);
  add_face(maker);
  add_hair(maker);
  add_hat(maker);
  character->meshes.push_back(shapes.build("body"));
  Skin skin;
  skin.name = "body";
  for (int joint = 0; joint < kNumJoints; ++joint) {
    skin.joints.push_back(joint);
    skin.joint_from_mesh.push_back(inverse(character->skeleton->rest_model()[static_cast<std::size_t>(joint)]));
  }
  character->skins.push_back(std::move(skin));
  character->instances.push_back({.mesh = 0, .joint = -1, .skin = 0});
  add_weapons(traits, frame, *character);
  identity.num_weapon_instances = static_cast<int>(character->instances.size()) - 1;
  ZOE_CHECK(validate(*character).has_value(), "an identity is a valid character");
  identity.character = std::move(character);
  identity.body = analyse(*identity.character->skeleton, {}, identity.character.get());
  identity.hip_height = frame.hip_y;
  identity.head_radius = maker.head.radii.z * 1.1F;
  identity.trunk_radius = std::max(frame.chest_z, frame.hip_z);
  // Arms hang beside the widest part of the body.
  const float wide = std::max({frame.hip_x, frame.waist_x, frame.chest_x * 0.9F}) *
                     (traits.outfit == Outfit::kRobe || traits.outfit == Outfit::kDress ? 1.12F : 1.04F);
  const float reach = frame.upper_arm + frame.forearm;
  identity.arms_out_deg = std::clamp((wide + frame.arm_r * 1.1F - frame.shoulder_x) / reach * 70, 4.0F, 50.0F);
  return identity;
}

}  // namespace zoe::sprite::identity
