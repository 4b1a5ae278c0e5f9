// SPDX-License-Identifier: MIT
// Part of Zoetrope. The FBX node chain: the local transform of a node from pivots, offsets, pre- and post-rotation.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "zoe/math/transform.h"
#include "zoe/math/vec.h"

#include "io/fbx/properties.h"

namespace zoe::io::fbx {

// The vectors of the chain; each may be animated. Angles in degrees, as the file has them.
enum class ChainPart : std::uint8_t {
  kTranslation,
  kRotation,
  kScaling,
  kRotationOffset,
  kRotationPivot,
  kPreRotation,
  kPostRotation,
  kScalingOffset,
  kScalingPivot,
  kCount,
};
constexpr std::size_t kNumChainParts = static_cast<std::size_t>(ChainPart::kCount);

// The chain part of a property name ("Lcl Rotation"), or kCount.
ChainPart chain_part(std::string_view property);

// How a node inherits its parent's scale. Letters are parent rotation R and scale S, own rotation r and scale s.
enum class InheritType : std::uint8_t { kRrSs = 0, kRSrs = 1, kRrs = 2 };

struct NodeChain {
  std::array<Vec3d, kNumChainParts> parts{};
  int rotation_order = 0;      // FBX numbers: 0 XYZ, 1 XZY, 2 YZX, 3 YXZ, 4 ZXY, 5 ZYX, 6 spheric XYZ.
  bool rotation_space = true;  // False: pre- and post-rotation and the order are ignored (RotationActive is off).
  InheritType inherit = InheritType::kRSrs;

  NodeChain() { part(ChainPart::kScaling) = {1, 1, 1}; }
  Vec3d& part(ChainPart which) { return parts[static_cast<std::size_t>(which)]; }
  const Vec3d& part(ChainPart which) const { return parts[static_cast<std::size_t>(which)]; }
};

// Reads the properties of a node, template first, into its chain. Copied where many nodes have the same start.
class ChainReader {
 public:
  void take(std::string_view name, std::span<const Property> values);
  NodeChain chain() const;

 private:
  NodeChain chain_;
  bool active_ = true, limits_only_ = false;  // Together they give rotation_space.
};

// Rotation of Euler angles in degrees, in an FBX rotation order.
Quatd euler_deg(int fbx_order, Vec3d angles_deg);
// Its inverse.
Vec3d to_euler_deg(int fbx_order, Quatd rotation);

// parent_from_node, file units: T Roff Rp Rpre R Rpost⁻¹ Rp⁻¹ Soff Sp S Sp⁻¹. Always an exact
// translation, rotation and scale, because S acts first and everything else is rigid.
Transformd local_transform(const NodeChain& chain);

// node_from_geometry: the geometric transform, which moves a node's mesh but not its children.
Affined geometric_transform(const PropertyList& list);

}  // namespace zoe::io::fbx
