// SPDX-License-Identifier: MIT
#include "anatomy/limbs_by_flesh.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "anatomy/flesh.h"

namespace zoe::anatomy {
namespace {

bool tells_of_limbs(Role role) {
  switch (role) {
    case Role::kUpperArm:
    case Role::kForearm:
    case Role::kWrist:
    case Role::kHand:
    case Role::kLeg:
    case Role::kUpperLeg:
    case Role::kLowerLeg:
    case Role::kFoot:
    case Role::kToe:
    case Role::kWing:
    case Role::kFin:
      return true;
    default:
      return false;
  }
}

// One side of a pair that leaves the middle. Heights are fractions of the surface's height, lengths of its diagonal.
struct Part {
  int base = kNoJoint;
  double reach = 0, low = 0, base_height = 0, tip_height = 0;
  double across = 0;  // Of the tip from the middle.
  double flatness = 0, slenderness = 0;
  bool is_beside = false;  // Hangs on nothing.
  bool is_end = false;     // The loose foot or hand of another part.
  bool is_leg = false;
};

class FleshJudge {
 public:
  FleshJudge(const Body& body, const Symmetry& symmetry) : body_(body), symmetry_(symmetry) {
    std::vector<char> is_limb(idx(body.num_joints()), 0);
    for (int j = 0; j < body.num_joints(); ++j) {
      const int parent = body.skeleton->parent(j);
      is_limb[idx(j)] = symmetry.partner[idx(j)] != kNoJoint || (parent != kNoJoint && is_limb[idx(parent)] != 0);
    }
    const Box3 all = flesh_box(body, {}), trunk = flesh_box(body, is_limb);
    const auto side = [](const Box3& box, Vec3 axis) {
      return box.empty() ? 0.0 : std::abs(static_cast<double>(dot(box.size(), axis)));
    };
    height_ = std::max(1e-12, side(all, body.up));
    low_ = all.empty() ? 0.0 : std::min(dot(all.min, body.up), dot(all.max, body.up));
    diagonal_ = all.empty() ? 1.0 : std::max(1e-12, static_cast<double>(length(all.size())));
    trunk_is_level_ = side(trunk, cross(symmetry.normal, body.up)) > 1.2 * side(trunk, body.up);
    find_parts();
    find_loose_ends();
    num_low_ = std::ranges::count_if(parts_, [](const Part& part) { return !part.is_end && part.tip_height < 0.1; });
    std::vector<char> on_ground;
    for (const Part& part : parts_) on_ground.push_back(!part.is_end && carries(part) ? 1 : 0);
    // Left and right are alike, though one foot may be lifted.
    for (Part& part : parts_) {
      const std::size_t i = idx(static_cast<int>(&part - parts_.data()));
      const Part* other = other_side(part);
      const std::size_t k = other == nullptr ? i : static_cast<std::size_t>(other - parts_.data());
      part.is_leg = on_ground[i] != 0 || on_ground[k] != 0;
      if (part.is_leg && other != nullptr) part.is_leg = std::max(part.low, other->low) < 0.3;
    }
    has_legs_ = std::ranges::any_of(parts_, &Part::is_leg);
  }

  const std::vector<Part>& parts() const { return parts_; }

  // Empty: no limb.
  std::optional<LimbKind> kind_of(const Part& part) const {
    if (part.is_end) return std::nullopt;
    const Part* other = other_side(part);
    if (part.is_leg) return LimbKind::kLeg;
    if (other == nullptr || other->is_leg) return std::nullopt;
    // A sword or a shield makes the hand that holds it flat.
    const double flatness = std::max(part.flatness, other->flatness);
    const double slenderness = std::min(part.slenderness, other->slenderness);
    const double reach = std::min(part.reach, other->reach), across = std::min(part.across, other->across);
    const double rise = (part.tip_height - part.base_height) * height_ / diagonal_;
    if (part.base_height < 0.1 || reach < kShortest || across < 0.05) return std::nullopt;  // Roots, brows, ribs.
    if (part.base_height > 0.6 && rise > 0.6 * part.reach) return std::nullopt;             // Ears, horns.
    if (part.is_beside) return std::nullopt;  // Feathers and fins on bones of their own.
    const bool wing = (flatness < 0.36 && reach > 0.2) || (flatness < 0.6 && slenderness > 0.42 && reach > 0.17) ||
                      (flatness < 0.45 && reach > 0.36 && trunk_is_level_);
    if (wing && has_legs_ && part.base_height < 0.25) return std::nullopt;
    if (!has_legs_ && trunk_is_level_ && reach < 0.3) return LimbKind::kFin;
    if (wing) return LimbKind::kWing;
    return !has_legs_ && trunk_is_level_ ? LimbKind::kFin : LimbKind::kArm;
  }

 private:
  static constexpr double kShortest = 0.1;
  static constexpr std::ptrdiff_t kManyLegs = 6;

  void find_parts() {
    for (int j = 0; j < body_.num_joints(); ++j) {
      if (!body_.has(j) || symmetry_.partner[idx(j)] == kNoJoint) continue;
      const int parent = body_.skeleton->parent(j);
      const bool beside = parent == kNoJoint || !body_.has(parent);
      if (!beside && symmetry_.partner[idx(parent)] != kNoJoint) continue;
      for (const int base : limb_bases(body_, j)) add_part(base, beside);
    }
  }

  void add_part(int base, bool beside) {
    const FleshShape shape = flesh_shape(body_, base);
    if (shape.num_points < 3) return;  // A control.
    const auto at = [&](double height) { return (height - low_) / height_; };
    Part part;
    part.base = base;
    part.is_beside = beside;
    part.reach = shape.reach / diagonal_;
    part.low = at(shape.low);
    part.base_height = at(body_.height(base));
    part.tip_height = at(dot(shape.tip, body_.up));
    part.across = std::abs(static_cast<double>(dot(shape.tip - symmetry_.point, symmetry_.normal))) / diagonal_;
    part.flatness = shape.flatness;
    part.slenderness = shape.slenderness;
    parts_.push_back(part);
  }

  // A part that begins where the surface of another, longer one ends is its foot or hand, moved by a constraint.
  void find_loose_ends() {
    constexpr std::size_t kMaxParts = 64;
    if (parts_.size() > kMaxParts) return;
    for (Part& end : parts_) {
      Part* nearest = nullptr;
      double least = 0.06 * diagonal_;
      for (Part& part : parts_) {
        if (&part == &end || part.base_height <= end.base_height || part.reach < 0.9 * end.reach) continue;
        const double apart = flesh_distance(body_, part.base, body_.position(end.base));
        if (apart >= least) continue;
        least = apart;
        nearest = &part;
      }
      if (nearest == nullptr || end.base_height > 0.15) continue;
      end.is_end = true;
      nearest->low = std::min(nearest->low, end.low);
      nearest->reach = std::max(nearest->reach, nearest->base_height * height_ / diagonal_);
    }
  }

  const Part* other_side(const Part& part) const {
    const int partner = symmetry_.partner[idx(part.base)];
    const auto found = std::ranges::find(parts_, partner, &Part::base);
    return partner == kNoJoint || found == parts_.end() ? nullptr : &*found;
  }

  bool is_below_wings(const Part& part) const {
    return part.base_height - part.low > 0.3 && std::ranges::any_of(parts_, [&](const Part& wing) {
             return wing.base_height >= part.base_height && wing.low > 0.3 && wing.flatness < 0.25 && wing.reach > 0.2;
           });
  }

  bool carries(const Part& part) const {
    const double down = part.base_height - part.low;
    if (part.low > 0.12 || down < 0.1 || part.reach < 0.06) return false;
    if (part.tip_height > 0.15) return false;
    // A fin below the belly, a wing. The legs of insects are bent in a plane: flat, but many. So are those of birds,
    // which have wings above them.
    const double flattest = trunk_is_level_ && !is_below_wings(part) ? 0.35 : 0.25;
    if (part.flatness < flattest && num_low_ < kManyLegs) return false;
    // Where the trunk is on the ground, arms beside it reach the ground, too.
    const int carrier = body_.skeleton->parent(part.base);
    if (carrier == kNoJoint || !body_.has(carrier) || part.base_height < 0.3) return true;
    const double trunk_low = (flesh_low(body_, carrier) - low_) / height_;
    return trunk_low > part.low + 0.03;
  }

  const Body& body_;
  const Symmetry& symmetry_;
  double height_ = 1, low_ = 0, diagonal_ = 1;
  std::ptrdiff_t num_low_ = 0;  // Parts whose tips are near the ground.
  bool trunk_is_level_ = false, has_legs_ = false;
  std::vector<Part> parts_;
};

}  // namespace

std::optional<LimbFinding> limbs_by_flesh(const Body& body, const Symmetry& symmetry) {
  if (!body.has_flesh()) return std::nullopt;
  for (int j = 0; j < body.num_joints(); ++j)
    if (body.has(j) && tells_of_limbs(body.role(j))) return std::nullopt;
  const FleshJudge judge(body, symmetry);
  LimbFinding finding;
  finding.by_flesh = true;
  for (const Part& part : judge.parts()) {
    const std::optional<LimbKind> kind = judge.kind_of(part);
    if (kind) finding.limbs.push_back({*kind, body.side(part.base), longest_chain(body, part.base)});
  }
  return finding;
}

}  // namespace zoe::anatomy
