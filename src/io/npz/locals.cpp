// SPDX-License-Identifier: MIT
#include "io/npz/locals.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace zoe::io::npz {
namespace {

// Enough for a median. More frames only cost time.
constexpr std::size_t kMaxMedianFrames = 1001;

// File joints in an order with parents first. Empty when the parents form a cycle.
std::vector<std::size_t> parents_first(const std::vector<int>& parents) {
  const std::size_t n = parents.size();
  constexpr int kUnknown = -1;
  std::vector<int> depth(n, kUnknown);
  std::vector<std::size_t> path;
  for (std::size_t start = 0; start < n; ++start) {
    // Goes up to a joint whose depth is known, then back down. A path longer than all joints is a cycle.
    path.clear();
    std::size_t joint = start;
    while (depth[joint] == kUnknown) {
      path.push_back(joint);
      if (path.size() > n) return {};
      if (parents[joint] == kNoJoint) break;
      joint = static_cast<std::size_t>(parents[joint]);
    }
    int d = depth[joint] == kUnknown ? -1 : depth[joint];
    for (; !path.empty(); path.pop_back()) depth[path.back()] = ++d;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool sorted =
      std::all_of(order.begin(), order.end(), [&](std::size_t j) { return parents[j] < static_cast<int>(j); });
  if (!sorted)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth[a] < depth[b]; });
  return order;
}

float median(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Builder {
 public:
  Builder(const GlobalMotion& globals, std::vector<std::size_t> order, double scale)
      : globals_(globals), order_(std::move(order)), scale_(scale) {
    std::vector<int> new_index(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) new_index[order_[i]] = static_cast<int>(i);
    for (const std::size_t joint : order_) {
      const int parent = globals_.parents[joint];
      parents_.push_back(parent == kNoJoint ? kNoJoint : new_index[static_cast<std::size_t>(parent)]);
    }
  }

  Result<Motion> build() {
    ZOE_TRY(compute_tracks());
    ZOE_TRY_ASSIGN(motion_.skeleton, Skeleton::create(describe_joints()));
    make_continuous(motion_);
    return std::move(motion_);
  }

 private:
  Result<void> compute_tracks() {
    const std::size_t n = order_.size();
    motion_.num_frames = static_cast<int>(globals_.num_frames);
    motion_.translations.reserve(globals_.num_frames * n);
    motion_.rotations.reserve(globals_.num_frames * n);
    if (!globals_.scales.empty()) motion_.scales.reserve(globals_.num_frames * n);
    std::vector<Affined> model_from_joint(n);
    std::vector<Quatd> rotations(n);
    for (std::size_t frame = 0; frame < globals_.num_frames; ++frame) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t entry = frame * n + order_[i];
        const float* p = &globals_.positions[entry * 3];
        const float* q = &globals_.quaternions[entry * 4];
        const Vec3d position = Vec3d{p[0], p[1], p[2]} * scale_;
        const Quatd raw{q[0], q[1], q[2], q[3]};
        Vec3d s{1, 1, 1};
        if (!globals_.scales.empty())
          s = {globals_.scales[entry * 3], globals_.scales[entry * 3 + 1], globals_.scales[entry * 3 + 2]};
        const bool good = is_finite(to_float(position)) && is_finite(raw) && dot(raw, raw) > 1e-6 && is_finite(s);
        if (!good) {
          return Error{ErrorCode::kInvalid,
                       fmt::format("frame {} has a transform that is not finite or no rotation", frame),
                       {.joint = globals_.names[order_[i]]}};
        }
        rotations[i] = normalized(raw);
        Transformd local{position, rotations[i], s};
        if (parents_[i] != kNoJoint) {
          const auto parent = static_cast<std::size_t>(parents_[i]);
          local.rotation = normalized(conjugate(rotations[parent]) * rotations[i]);
          // Without scale the inverse is the conjugate, which never fails.
          local.translation = globals_.scales.empty()
                                  ? rotate(conjugate(rotations[parent]), position - model_from_joint[parent].t)
                                  : inverse(model_from_joint[parent]).apply_point(position);
          if (!is_finite(to_float(local.translation))) local.translation = {};  // The scale of the parent is zero.
          model_from_joint[i] = model_from_joint[parent] * to_affine(local);
        } else {
          model_from_joint[i] = to_affine(local);
        }
        model_from_joint[i].t = position;
        motion_.translations.push_back(to_float(local.translation));
        motion_.rotations.push_back(to_float(local.rotation));
        if (!globals_.scales.empty()) motion_.scales.push_back(to_float(local.scale));
      }
    }
    return {};
  }

  Transform rest_of(std::size_t joint) {
    const std::size_t n = order_.size();
    if (motion_.num_frames == 1) {
      return {motion_.translations[joint], motion_.rotations[joint],
              motion_.scales.empty() ? Vec3{1, 1, 1} : motion_.scales[joint]};
    }
    if (parents_[joint] == kNoJoint) return {.translation = motion_.translations[joint]};
    const std::size_t step = globals_.num_frames / kMaxMedianFrames + 1;
    Transform rest;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      values_.clear();
      for (std::size_t frame = 0; frame < globals_.num_frames; frame += step) {
        values_.push_back(motion_.translations[frame * n + joint][axis]);
      }
      rest.translation[axis] = median(values_);
    }
    return rest;
  }

  std::vector<JointDesc> describe_joints() {
    std::vector<bool> has_child(order_.size());
    for (const int parent : parents_) {
      if (parent != kNoJoint) has_child[static_cast<std::size_t>(parent)] = true;
    }
    std::vector<JointDesc> joints;
    joints.reserve(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::string& name = globals_.names[order_[i]];
      // AI4AnimationPy calls a BVH End Site "<parent>Site", we call it "<parent>_End".
      bool is_end_site = false;
      if (!has_child[i] && parents_[i] != kNoJoint) {
        const std::string& parent = globals_.names[order_[static_cast<std::size_t>(parents_[i])]];
        is_end_site = name == parent + "Site" || name == parent + "_End";
      }
      joints.push_back({name, parents_[i], rest_of(i), is_end_site ? JointKind::kEndSite : JointKind::kBone});
    }
    return joints;
  }

  const GlobalMotion& globals_;
  std::vector<std::size_t> order_;  // File joint of each of ours.
  std::vector<int> parents_;        // In our order.
  double scale_;
  Motion motion_;
  std::vector<float> values_;
};

}  // namespace

Result<Motion> make_local_motion(const GlobalMotion& globals, double scale) {
  std::vector<std::size_t> order = parents_first(globals.parents);
  if (order.empty()) return Error{ErrorCode::kInvalid, "the parents of the joints form a cycle", {}};
  return Builder(globals, std::move(order), scale).build();
}

}  // namespace zoe::io::npz
