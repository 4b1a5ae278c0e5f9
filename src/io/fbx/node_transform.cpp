// SPDX-License-Identifier: MIT
#include "io/fbx/node_transform.h"

#include "zoe/math/euler.h"

namespace zoe::io::fbx {
namespace {

constexpr std::array<std::string_view, kNumChainParts> kPartNames{"Lcl Translation", "Lcl Rotation",  "Lcl Scaling",
                                                                  "RotationOffset",  "RotationPivot", "PreRotation",
                                                                  "PostRotation",    "ScalingOffset", "ScalingPivot"};

// FBX names the axis that acts first; our orders name matrix products, so the letters are reversed.
constexpr std::array<EulerOrder, 7> kOrders{EulerOrder::kZYX, EulerOrder::kYZX, EulerOrder::kXZY, EulerOrder::kZXY,
                                            EulerOrder::kYXZ, EulerOrder::kXYZ, EulerOrder::kZYX};

EulerOrder order_of(int fbx_order) {
  return fbx_order >= 0 && fbx_order < static_cast<int>(kOrders.size()) ? kOrders[static_cast<std::size_t>(fbx_order)]
                                                                        : EulerOrder::kZYX;
}

}  // namespace

ChainPart chain_part(std::string_view property) {
  for (std::size_t i = 0; i < kNumChainParts; ++i) {
    if (kPartNames[i] == property) return static_cast<ChainPart>(i);
  }
  return ChainPart::kCount;
}

void ChainReader::take(std::string_view name, std::span<const Property> values) {
  if (values.empty()) return;
  if (values.size() >= 3) {
    const ChainPart part = chain_part(name);
    if (part != ChainPart::kCount) chain_.part(part) = to_vec3(values, chain_.part(part));
  } else if (name == "RotationOrder") {
    chain_.rotation_order = static_cast<int>(values[0].as_integer());
  } else if (name == "RotationActive") {
    active_ = values[0].as_integer() != 0;
  } else if (name == "RotationSpaceForLimitOnly") {
    limits_only_ = values[0].as_integer() != 0;
  } else if (name == "InheritType") {
    const std::int64_t type = values[0].as_integer();
    if (type >= 0 && type <= 2) chain_.inherit = static_cast<InheritType>(type);
  }
}

NodeChain ChainReader::chain() const {
  NodeChain chain = chain_;
  chain.rotation_space = active_ && !limits_only_;
  return chain;
}

Quatd euler_deg(int fbx_order, Vec3d angles_deg) {
  const EulerOrder order = order_of(fbx_order);
  const auto axes = axes_of(order);
  const auto angle = [&](int i) {
    return angles_deg[static_cast<std::size_t>(axes[static_cast<std::size_t>(i)])] * kRadiansPerDegree;
  };
  return from_euler<double>(order, {angle(0), angle(1), angle(2)});
}

Vec3d to_euler_deg(int fbx_order, Quatd rotation) {
  const EulerOrder order = order_of(fbx_order);
  const auto axes = axes_of(order);
  const auto angles = to_euler(order, rotation);
  Vec3d out;
  for (std::size_t i = 0; i < 3; ++i) out[static_cast<std::size_t>(axes[i])] = angles[i] * kDegreesPerRadian;
  return out;
}

Transformd local_transform(const NodeChain& chain) {
  const Vec3d zero{};
  Quatd rotation = euler_deg(chain.rotation_space ? chain.rotation_order : 0, chain.part(ChainPart::kRotation));
  if (chain.rotation_space) {
    const Vec3d& pre = chain.part(ChainPart::kPreRotation);
    const Vec3d& post = chain.part(ChainPart::kPostRotation);
    if (pre != zero) rotation = euler_deg(0, pre) * rotation;
    if (post != zero) rotation = rotation * conjugate(euler_deg(0, post));
  }
  const Vec3d& scale = chain.part(ChainPart::kScaling);
  const Vec3d& scaling_pivot = chain.part(ChainPart::kScalingPivot);
  const Vec3d& rotation_pivot = chain.part(ChainPart::kRotationPivot);
  // Position of the node's origin, from the innermost part outwards.
  const Vec3d inner = scaling_pivot - scale * scaling_pivot + chain.part(ChainPart::kScalingOffset) - rotation_pivot;
  Vec3d origin = inner == zero ? zero : rotate(rotation, inner);
  origin += rotation_pivot + chain.part(ChainPart::kRotationOffset) + chain.part(ChainPart::kTranslation);
  return {origin, rotation, scale};
}

Affined geometric_transform(const PropertyList& list) {
  const Transformd transform{list.vec3("GeometricTranslation", {}), euler_deg(0, list.vec3("GeometricRotation", {})),
                             list.vec3("GeometricScaling", {1, 1, 1})};
  return to_affine(transform);
}

}  // namespace zoe::io::fbx
