// SPDX-License-Identifier: MIT
#include "anatomy/symmetry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

struct Plane {
  Vec3 normal, point;
  double score = -1;

  double signed_distance(Vec3 p) const { return dot(p - point, normal); }
  Vec3 reflect(Vec3 p) const { return p - normal * static_cast<float>(2 * signed_distance(p)); }
};

// 0 when two subtrees are equal in joint count and lengths; about 1 when one has twice the other's.
double unlikeness(const Body& body, int a, int b) {
  const auto ratio = [](double x, double y) {
    const double larger = std::max(x, y);
    return larger <= 1e-9 ? 0.0 : std::abs(x - y) / larger;
  };
  // Lengths under a hundredth of the body are noise: a zero offset and a tiny one are equal.
  const double floor = 0.01 * body.size;
  return ratio(body.subtree_size[idx(a)], body.subtree_size[idx(b)]) +
         ratio(body.reach[idx(a)] + floor, body.reach[idx(b)] + floor) +
         0.5 * ratio(body.bone_length[idx(a)] + floor, body.bone_length[idx(b)] + floor);
}

const Vec3& centroid(const Body& body, int joint) { return body.centroids[idx(joint)]; }

double plane_score(const Body& body, const std::vector<int>& joints, const Plane& plane) {
  const double tolerance = 0.03 * body.size;
  double sum = 0;
  for (const int a : joints) {
    const Vec3 mirrored = plane.reflect(body.position(a));
    double nearest = tolerance * 4;
    for (const int b : joints) nearest = std::min(nearest, static_cast<double>(distance(mirrored, body.position(b))));
    // A joint in the middle mirrors onto itself: it has less weight than one that finds another.
    const double weight = std::abs(plane.signed_distance(body.position(a))) > tolerance ? 1.0 : 0.5;
    sum += weight * std::exp(-(nearest / tolerance) * (nearest / tolerance));
  }
  return sum / static_cast<double>(joints.size());
}

// Planes between similar siblings, and across the horizontal axes through the root; all upright.
std::vector<Plane> candidate_planes(const Body& body) {
  std::vector<Plane> planes;
  const Vec3 root = body.position(body.root);
  const auto [first, second] = level_axes(body.up);
  planes.push_back({first, root});
  planes.push_back({first, {0, 0, 0}});
  planes.push_back({second, root});
  constexpr std::size_t kMaxPlanes = 60;
  for (int j = 0; j < body.num_joints() && planes.size() < kMaxPlanes; ++j) {
    if (!body.has(j)) continue;
    const std::vector<int>& siblings = body.children_of(j);
    if (siblings.size() > 12) continue;
    for (std::size_t i = 0; i < siblings.size(); ++i) {
      for (std::size_t k = i + 1; k < siblings.size(); ++k) {
        if (unlikeness(body, siblings[i], siblings[k]) > 0.3) continue;
        const Vec3 a = centroid(body, siblings[i]), b = centroid(body, siblings[k]);
        Vec3 across = a - b;
        across = across - body.up * dot(across, body.up);  // The plane is vertical.
        if (length(across) < 0.02 * body.size) continue;
        planes.push_back({normalized(across), (a + b) * 0.5F});
        const Vec3 base_a = body.position(siblings[i]), base_b = body.position(siblings[k]);
        Vec3 base_across = base_a - base_b;
        base_across = base_across - body.up * dot(base_across, body.up);
        if (length(base_across) < 0.02 * body.size) continue;
        planes.push_back({normalized(base_across), (base_a + base_b) * 0.5F});
      }
    }
  }
  return planes;
}

Plane best_plane(const Body& body) {
  constexpr std::size_t kMaxJoints = 160;
  std::vector<int> joints;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (body.has(j)) joints.push_back(j);
  }
  // Large skeletons have many joints in hands and face. The joints with the most descendants represent the body.
  std::stable_sort(joints.begin(), joints.end(), [&](int a, int b) { return body.reach[idx(a)] > body.reach[idx(b)]; });
  if (joints.size() > kMaxJoints) joints.resize(kMaxJoints);
  Plane best{level_axes(body.up)[0], body.position(body.root)};
  for (Plane& plane : candidate_planes(body)) {
    plane.score = plane_score(body, joints, plane);
    if (plane.score > best.score + 1e-6) best = plane;
  }
  return best;
}

class Pairer {
 public:
  Pairer(const Body& body, const Plane& plane, std::vector<int>& partner)
      : body_(body), plane_(plane), partner_(partner), in_motion_(body.clip >= 0 || plane.score < kStandsStill) {}

  // Pairs the children of a joint in the middle, then descends the middle.
  void pair_middle(int top) {
    std::vector<int> stack{top};
    while (!stack.empty()) {
      const int joint = stack.back();
      stack.pop_back();
      pair_groups(body_.children_of(joint));
      for (const int child : body_.children_of(joint)) {
        if (partner_[idx(child)] == kNoJoint) stack.push_back(child);
      }
    }
  }

  // Loose parts beside the body (feet below the root of the file) are siblings too.
  void pair_groups(const std::vector<int>& siblings) {
    if (siblings.size() > kMaxSiblings) return;
    std::vector<std::tuple<double, int, int>> costs;
    for (std::size_t i = 0; i < siblings.size(); ++i) {
      for (std::size_t k = i + 1; k < siblings.size(); ++k) {
        const double cost = mirror_cost(siblings[i], siblings[k]);
        if (cost < kMaxCost) costs.emplace_back(cost, siblings[i], siblings[k]);
      }
    }
    std::sort(costs.begin(), costs.end());
    for (const auto& [cost, a, b] : costs) {
      if (partner_[idx(a)] != kNoJoint || partner_[idx(b)] != kNoJoint) continue;
      pair_subtrees(a, b);
    }
  }

 private:
  static constexpr double kMaxCost = 0.8;
  static constexpr double kStandsStill = 0.65;      // A rest pose with a lower score is a frame of a walk or run.
  static constexpr std::size_t kMaxSiblings = 128;  // More siblings are no body, and the cost grows with the square.

  // In a frame of a clip the body leans and sways off the plane. Branches leave to both sides of their parent.
  Plane plane_at(int joint) const {
    const int parent = body_.skeleton->parent(joint);
    const bool local = in_motion_ && parent != kNoJoint && body_.has(parent);
    return local ? Plane{plane_.normal, body_.position(parent)} : plane_;
  }

  double mirror_cost(int a, int b) const {
    const Plane plane = plane_at(a);
    const Vec3 centre_a = centroid(body_, a), centre_b = centroid(body_, b);
    const double middle = 0.004 * body_.size;
    double side_a = plane.signed_distance(centre_a), side_b = plane.signed_distance(centre_b);
    // Legs in mid-stride cross. Their bases do not.
    const double base_a = plane.signed_distance(body_.position(a)), base_b = plane.signed_distance(body_.position(b));
    if (in_motion_ && std::min(std::abs(base_a), std::abs(base_b)) > middle) {
      side_a = base_a;
      side_b = base_b;
    }
    if (side_a * side_b >= 0 || std::abs(side_a) < middle || std::abs(side_b) < middle) return kMaxCost;
    const double base = distance(plane.reflect(body_.position(a)), body_.position(b));
    const double centre = distance(plane.reflect(centre_a), centre_b);
    // Small parts (eyes, fingers) must fit as well relative to their size as legs do.
    const double scale = 0.3 * body_.size + std::min(std::abs(side_a), std::abs(side_b));
    return unlikeness(body_, a, b) + 4 * base / scale + 0.4 * centre / scale;
  }

  void pair_subtrees(int top_a, int top_b) {
    std::vector<std::pair<int, int>> stack{{top_a, top_b}};
    while (!stack.empty()) {
      const auto [a, b] = stack.back();
      stack.pop_back();
      partner_[idx(a)] = b;
      partner_[idx(b)] = a;
      for (const auto& matched : match_children(a, b)) stack.push_back(matched);
    }
  }

  std::vector<std::pair<int, int>> match_children(int a, int b) const {
    std::vector<std::pair<int, int>> matched;
    // Below a pair the pose may differ (a walking leg), so children are matched by shape, position and order.
    const std::vector<int>&of_a = body_.children_of(a), &of_b = body_.children_of(b);
    if (std::max(of_a.size(), of_b.size()) > kMaxSiblings) return matched;
    std::vector<std::tuple<double, int, int>> costs;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      for (std::size_t k = 0; k < of_b.size(); ++k) {
        const Vec3 arm_a = body_.position(of_a[i]) - body_.position(a),
                   arm_b = body_.position(of_b[k]) - body_.position(b);
        const Vec3 mirrored = arm_a - plane_.normal * static_cast<float>(2 * dot(arm_a, plane_.normal));
        const double scale = length(arm_a) + length(arm_b) + 0.002 * body_.size;
        const double order = 0.02 * std::abs(static_cast<double>(i) - static_cast<double>(k));
        const double cost = unlikeness(body_, of_a[i], of_b[k]) + 2 * distance(mirrored, arm_b) / scale + order;
        costs.emplace_back(cost, of_a[i], of_b[k]);
      }
    }
    std::sort(costs.begin(), costs.end());
    for (const auto& [cost, child_a, child_b] : costs) {
      const auto taken = [a = child_a, b = child_b](const auto& pair) { return pair.first == a || pair.second == b; };
      if (std::none_of(matched.begin(), matched.end(), taken)) matched.emplace_back(child_a, child_b);
    }
    return matched;
  }

  const Body& body_;
  const Plane& plane_;
  std::vector<int>& partner_;
  bool in_motion_;
};

// In mid-stride whole limbs do not mirror each other, but their start positions do.
Vec3 refined_normal(const Body& body, const Plane& plane, const std::vector<int>& partner) {
  Vec3 sum{};
  for (int j = 0; j < body.num_joints(); ++j) {
    const int other = partner[idx(j)], parent = body.skeleton->parent(j);
    if (other == kNoJoint || parent == kNoJoint || partner[idx(parent)] != kNoJoint) continue;
    const Vec3 across = body.position(j) - body.position(other);
    if (dot(across, plane.normal) > 0) sum = sum + across - body.up * dot(across, body.up);
  }
  Vec3 normal = normalized(sum, plane.normal);
  // A rest pose without a clear plane: authors model along the axes.
  if (body.clip < 0 && plane.score < 0.5) {
    for (const Vec3 axis : level_axes(body.up)) {
      if (std::abs(dot(normal, axis)) > 0.75F) normal = axis;
    }
  }
  return normal;
}

// Against the plane's score: a sitting dog is as symmetric as a standing one, but not as straight.
constexpr double kStraightWeight = 0.3;
// A skin was modelled in its bind pose, and a file that rests in the pose of a body was mostly meant to: a frame of a
// clip must be better by this much.
constexpr double kClipMargin = 0.1;
// Of a rest or bind pose, with which no frame of a clip is compared. Captures have few symmetric frames.
constexpr double kGoodSkinned = 1.0, kGoodCapture = 0.6;

// 0 to 1: distance over length of the chains that leave a branch of the body, longer ones with more weight.
double straightness(const Body& body) {
  std::vector<int> tip(idx(body.num_joints()), kNoJoint);  // Of the longest chain below.
  double sum = 0, weight = 0;
  for (int j = body.num_joints() - 1; j >= 0; --j) {
    if (!body.has(j)) continue;
    double longest = -1;
    tip[idx(j)] = j;
    for (const int child : body.children_of(j)) {
      const double length = body.bone_length[idx(child)] + body.reach[idx(child)];
      if (length <= longest) continue;
      longest = length;
      tip[idx(j)] = tip[idx(child)];
    }
    const int parent = body.skeleton->parent(j);
    if (parent == kNoJoint || !body.has(parent) || body.children_of(parent).size() < 2) continue;
    if (body.reach[idx(j)] < 0.1 * body.size) continue;
    sum += distance(body.position(j), body.position(tip[idx(j)]));
    weight += body.reach[idx(j)];
  }
  return weight > 0 ? std::min(1.0, sum / weight) : 0.0;
}

std::vector<int> depths_of(const Skeleton& skeleton) {
  std::vector<int> depths(idx(skeleton.num_joints()), 0);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (const int parent = skeleton.parent(j); parent != kNoJoint) depths[idx(j)] = depths[idx(parent)] + 1;
  }
  return depths;
}

// Names that differ by their side alone. A name with two possible partners is left to the geometry. So is at first a
// pair at unequal depth: some rigs number the joints of one arm upwards and of the other downwards.
int pair_by_names(const Body& body, bool equal_depth, std::vector<int>& partner) {
  std::map<std::string, std::pair<std::vector<int>, std::vector<int>>> by_stem;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j) || body.side(j) == Side::kCenter) continue;
    auto& [left, right] = by_stem[body.names[idx(j)].stem];
    (body.side(j) == Side::kLeft ? left : right).push_back(j);
  }
  const std::vector<int> depths = depths_of(*body.skeleton);
  int count = 0;
  for (const auto& [stem, sides] : by_stem) {
    if (sides.first.size() != 1 || sides.second.size() != 1) continue;
    const int left = sides.first[0], right = sides.second[0];
    if (partner[idx(left)] != kNoJoint || partner[idx(right)] != kNoJoint) continue;
    if (equal_depth && depths[idx(left)] != depths[idx(right)]) continue;
    partner[idx(left)] = right;
    partner[idx(right)] = left;
    ++count;
  }
  return count;
}

}  // namespace

Symmetry find_symmetry(Body& body, std::vector<PosedBody> poses) {
  Symmetry result;
  result.partner.assign(idx(body.num_joints()), kNoJoint);
  if (body.root == kNoJoint) return result;
  Plane best;
  PosedBody best_pose;
  double best_score = -1;
  for (PosedBody& pose : poses) {
    if (pose.clip >= 0 && body.rest_is_body && best_score > (body.skinned ? kGoodSkinned : kGoodCapture)) continue;
    use_pose(body, std::move(pose));
    const Plane plane = best_plane(body);
    const double doubt = body.rest_is_body && body.clip >= 0 ? kClipMargin : 0.0;
    const double score = plane.score + kStraightWeight * straightness(body) - doubt;
    if (score > best_score) {
      best = plane;
      best_score = score;
      best_pose = {body.clip, body.frame, body.positions, body.is_bind, body.model};
    }
  }
  if (!best_pose.positions.empty()) use_pose(body, std::move(best_pose));

  std::vector<int> by_geometry(idx(body.num_joints()), kNoJoint);
  Pairer pairer(body, best, by_geometry);
  std::vector<int> tops;
  for (int j = 0; j < body.num_joints(); ++j) {
    const int parent = body.skeleton->parent(j);
    if (body.has(j) && (parent == kNoJoint || !body.has(parent))) tops.push_back(j);
  }
  pairer.pair_groups(tops);
  for (const int top : tops) {
    if (by_geometry[idx(top)] == kNoJoint) pairer.pair_middle(top);
  }
  result.num_by_names = pair_by_names(body, true, result.partner);
  for (int j = 0; j < body.num_joints(); ++j) {
    const int other = by_geometry[idx(j)];
    if (other < j || result.partner[idx(j)] != kNoJoint || result.partner[idx(other)] != kNoJoint) continue;
    // Contradicting names (both left) are trusted.
    if (body.side(j) != Side::kCenter && body.side(j) == body.side(other)) continue;
    result.partner[idx(j)] = other;
    result.partner[idx(other)] = j;
    ++result.num_by_geometry;
  }
  result.num_by_names += pair_by_names(body, false, result.partner);
  result.score = std::max(0.0, best.score);
  result.point = best.point;
  result.normal = refined_normal(body, best, result.partner);
  return result;
}

}  // namespace zoe::anatomy
