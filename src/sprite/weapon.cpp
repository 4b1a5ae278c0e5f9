// SPDX-License-Identifier: MIT
#include "zoe/sprite/weapon.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/suggest.h"

namespace zoe::sprite {
namespace {

constexpr float kLongest = 1.5F, kShortest = 0.1F, kUsual = 0.6F;  // Body heights.
constexpr float kWholeArm = 0.08F;                                 // Body heights: flesh farther away is an arm's.
constexpr float kPalm = 0.045F;                                    // Body heights from the wrist to the palm.

std::string small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

Affine mesh_placement(const Character& weapon, const MeshInstance& instance) {
  const std::span<const Affine> rest = weapon.skeleton->rest_model();
  if (instance.skin >= 0) return {};  // Bound vertices are in the file's own space.
  const Affine carrier = instance.joint >= 0 ? rest[idx(instance.joint)] : Affine{};
  return carrier * instance.joint_from_mesh;
}

struct Extent3 {
  Vec3 low{1e30F, 1e30F, 1e30F}, high{-1e30F, -1e30F, -1e30F};
};

Extent3 extent_of(const Character& weapon) {
  Extent3 extent;
  for (const MeshInstance& instance : weapon.instances) {
    const Affine placed = mesh_placement(weapon, instance);
    for (const Vec3 position : weapon.meshes[idx(instance.mesh)].positions) {
      const Vec3 p = placed.apply_point(position);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        extent.low[axis] = std::min(extent.low[axis], p[axis]);
        extent.high[axis] = std::max(extent.high[axis], p[axis]);
      }
    }
  }
  return extent;
}

struct Carrier {
  int joint = kNoJoint;
  bool is_slot = false;
};

Result<Carrier> find_carrier(const Character& body, const SkeletonAnalysis& analysis, const std::string& name) {
  const Skeleton& skeleton = *body.skeleton;
  std::vector<std::string> names;
  for (int i = 0; i < skeleton.num_joints(); ++i) names.push_back(skeleton.name(i));
  const auto slot = [](const std::string& joint) {
    const std::string text = small_letters(joint);
    return text.find("slot") != std::string::npos || text.find("weapon") != std::string::npos ||
           text.find("socket") != std::string::npos;
  };
  if (!name.empty()) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (small_letters(names[i]) == small_letters(name)) return Carrier{static_cast<int>(i), slot(names[i])};
    return Error{ErrorCode::kUsage, fmt::format("the body has no joint '{}'{}", name, did_you_mean(name, names)), {}};
  }
  // Slots of the right side first.
  for (const char* side : {".r", "_r", "right", ""}) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string text = small_letters(names[i]);
      if (slot(names[i]) && (text.ends_with(side) || (side[0] == 'r' && text.find(side) != std::string::npos)))
        return Carrier{static_cast<int>(i), true};
    }
  }
  std::size_t arm = 0;
  int hand = kNoJoint;
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kArm) continue;
    if (arm < analysis.hands.size() && (hand == kNoJoint || limb.side == Side::kRight)) hand = analysis.hands[arm];
    ++arm;
  }
  if (hand == kNoJoint) {
    return Error{ErrorCode::kUsage, "the body has no hand for the weapon: name a joint (--weapon FILE@JOINT)", {}};
  }
  return Carrier{hand, false};
}

// The middle of the vertices that a joint carries, in the joint's space; zero where it carries none.
Vec3 middle_of_flesh(const Character& body, int joint) {
  Vec3 sum{};
  float count = 0;
  for (const MeshInstance& instance : body.instances) {
    const Mesh& mesh = body.meshes[idx(instance.mesh)];
    if (instance.skin < 0) {
      if (instance.joint != joint) continue;
      for (const Vec3 p : mesh.positions) sum += instance.joint_from_mesh.apply_point(p), count += 1;
      continue;
    }
    const Skin& skin = body.skins[idx(instance.skin)];
    const auto found = std::find(skin.joints.begin(), skin.joints.end(), joint);
    const std::size_t entry = static_cast<std::size_t>(found - skin.joints.begin()),
                      per = idx(mesh.influences_per_vertex);
    if (found == skin.joints.end() || per == 0) continue;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      // Heaviest first.
      if (mesh.influence_joints[v * per] != entry) continue;
      sum += skin.joint_from_mesh[entry].apply_point(mesh.positions[v]), count += 1;
    }
  }
  return count > 0 ? sum / count : Vec3{};
}

// In a hand: the weapon's length points forwards and up, its handle is in the palm.
Affine grip_in_hand(const Character& body, const SkeletonAnalysis& analysis, int hand, const Extent3& extent,
                    float height) {
  const Skeleton& skeleton = *body.skeleton;
  const std::span<const Affine> rest = skeleton.rest_model();
  const Affine& hand_rest = rest[idx(hand)];
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (extent.high[i] - extent.low[i] > extent.high[axis] - extent.low[axis]) axis = i;
  Vec3 blade{};
  blade[axis] = extent.high[axis] > -extent.low[axis] ? 1.0F : -1.0F;
  Vec3 flat{};
  flat[(axis + 1) % 3] = 1;
  const Vec3 forward = normalized(analysis.forward + analysis.up * 0.35F);
  const int parent = skeleton.parent(hand);
  Vec3 arm = parent != kNoJoint ? hand_rest.t - rest[idx(parent)].t : analysis.up * -1.0F;
  arm = length(arm) > 1e-9F ? normalized(arm) : analysis.up * -1.0F;
  Vec3 palm = hand_rest.t + arm * (kPalm * height);
  // Bodies of few bones have arms without a hand: the fist is at the far end of what the joint carries.
  const Vec3 flesh = hand_rest.apply_vector(middle_of_flesh(body, hand));
  if (length(flesh) > 0.01F * height) {
    arm = normalized(flesh);
    palm = hand_rest.t + flesh * (length(flesh) > kWholeArm * height ? 1.7F : 1.0F);
  }
  Vec3 side = cross(forward, arm);
  side = length(side) > 1e-3F ? normalized(side) : normalized(cross(forward, analysis.up));
  const Vec3 third = cross(forward, side), flat_third = cross(blade, flat);
  // Rotation that maps (blade, flat, blade × flat) onto (forward, side, forward × side).
  const Affine from{blade, flat, flat_third, {}}, to{forward, side, third, {}};
  Affine model_from_weapon = to * inverse(from);
  model_from_weapon.t = palm;
  return inverse(hand_rest) * model_from_weapon;
}

}  // namespace

Result<CharacterPtr> with_weapon(const CharacterPtr& body, const SkeletonAnalysis& analysis, const Character& weapon,
                                 const WeaponOptions& options, Warnings& warnings) {
  if (weapon.instances.empty() || weapon.meshes.empty())
    return Error{ErrorCode::kInvalid, "has no mesh: a weapon needs one", {}};
  ZOE_TRY_ASSIGN(const Carrier carrier, find_carrier(*body, analysis, options.joint));
  const Extent3 extent = extent_of(weapon);
  const Vec3 size = (extent.high - extent.low) * options.scale;
  const float longest = std::max({size.x, size.y, size.z});
  const float unit = static_cast<float>(analysis.metres_per_unit);
  const float height = std::max(1e-6F, static_cast<float>(analysis.height_m) / (unit > 0 ? unit : 1.0F));
  float scale = options.scale;
  if (!(longest > 0)) return Error{ErrorCode::kInvalid, "has no size: a weapon needs vertices", {}};
  if (longest > kLongest * height || longest < kShortest * height) {
    warnings.push_back({fmt::format("is {:.2f} body heights long: scaled to {:.1f}",
                                    static_cast<double>(longest / height), static_cast<double>(kUsual)),
                        {}});
    scale *= kUsual * height / longest;
  }
  const Affine grip = carrier.is_slot ? Affine{} : grip_in_hand(*body, analysis, carrier.joint, extent, height);
  // Slots of scaled rigs (centimetres below a scaled root) would scale the weapon as well.
  const Affine& rest = body->skeleton->rest_model()[idx(carrier.joint)];
  const float carried = carrier.is_slot ? length(rest.y) : 1.0F;
  const float own = scale / (carried > 1e-9F ? carried : 1.0F);
  const Affine sized{{own, 0, 0}, {0, own, 0}, {0, 0, own}, {}};

  auto armed = std::make_shared<Character>(*body);
  const int first_mesh = static_cast<int>(armed->meshes.size()),
            first_material = static_cast<int>(armed->materials.size()),
            first_image = static_cast<int>(armed->images.size());
  for (Image image : weapon.images) {
    if (!image.path.empty()) image.path = (std::filesystem::absolute(options.image_folder) / image.path).string();
    armed->images.push_back(std::move(image));
  }
  for (Material material : weapon.materials) {
    for (int* image : {&material.base_color_image, &material.metallic_roughness_image, &material.normal_image,
                       &material.occlusion_image, &material.emissive_image})
      if (*image >= 0) *image += first_image;
    armed->materials.push_back(std::move(material));
  }
  for (Mesh mesh : weapon.meshes) {
    mesh.influences_per_vertex = 0;
    mesh.influence_joints.clear();
    mesh.influence_weights.clear();
    mesh.linear_shares.clear();
    mesh.morph_targets.clear();
    for (Submesh& part : mesh.submeshes)
      if (part.material >= 0) part.material += first_material;
    armed->meshes.push_back(std::move(mesh));
  }
  for (const MeshInstance& instance : weapon.instances) {
    MeshInstance held{.mesh = first_mesh + instance.mesh, .joint = carrier.joint};
    held.joint_from_mesh = grip * sized * mesh_placement(weapon, instance);
    armed->instances.push_back(std::move(held));
  }
  ZOE_TRY(validate(*armed));
  return CharacterPtr(armed);
}

}  // namespace zoe::sprite
