// SPDX-License-Identifier: MIT
#include "zoe/motion/remap.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace zoe {
namespace {

std::string_view without_namespace(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// For each target joint the source joint of that name, or kNoJoint. Each source joint is used once.
std::vector<int> match_by_name(const Skeleton& source, const Skeleton& target) {
  std::vector<int> match(static_cast<std::size_t>(target.num_joints()), kNoJoint);
  std::vector<bool> taken(static_cast<std::size_t>(source.num_joints()), false);
  for (const bool exact : {true, false}) {
    std::unordered_map<std::string_view, int> by_name;
    for (int j = source.num_joints() - 1; j >= 0; --j) {
      if (taken[static_cast<std::size_t>(j)]) continue;
      by_name[exact ? std::string_view(source.name(j)) : without_namespace(source.name(j))] = j;
    }
    for (int j = 0; j < target.num_joints(); ++j) {
      int& slot = match[static_cast<std::size_t>(j)];
      if (slot != kNoJoint) continue;
      const auto found = by_name.find(exact ? std::string_view(target.name(j)) : without_namespace(target.name(j)));
      if (found == by_name.end() || taken[static_cast<std::size_t>(found->second)]) continue;
      slot = found->second;
      taken[static_cast<std::size_t>(slot)] = true;
    }
  }
  return match;
}

// Nearest ancestor for which `accept` holds, or kNoJoint.
template <typename Accept>
int nearest_ancestor(const Skeleton& skeleton, int joint, Accept accept) {
  int ancestor = skeleton.parent(joint);
  while (ancestor != kNoJoint && !accept(ancestor)) ancestor = skeleton.parent(ancestor);
  return ancestor;
}

// ancestor_from_joint in one pose, by walking up.
Affine chain(const Skeleton& skeleton, const PoseView& pose, int joint, int ancestor) {
  Affine map = to_affine(pose.joint(joint));
  for (int j = skeleton.parent(joint); j != ancestor; j = skeleton.parent(j)) map = to_affine(pose.joint(j)) * map;
  return map;
}

// How one target joint gets its local transform.
struct Rule {
  int target = 0;
  int source = 0;
  int source_ancestor = kNoJoint;
  bool direct = false;          // Both parents match: locals can be copied without composing.
  Affine parent_from_ancestor;  // Target side, rest pose: undoes the unmatched joints in between.
  bool keeps_rest_offset = false;
};

bool keeps_rest(const Motion& motion, int joint) {
  const Vec3 rest = motion.skeleton->rest_local(joint).translation;
  const float tolerance = 1e-4F * (length(rest) + 1e-3F);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = static_cast<std::size_t>(joint); i < motion.translations.size(); i += n) {
    if (length(motion.translations[i] - rest) > tolerance) return false;
  }
  return true;
}

bool is_animated(const Motion& motion, int joint) {
  const Transform rest = motion.skeleton->rest_local(joint);
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    if (angle_between(rest.rotation, motion.frame(frame).rotations[static_cast<std::size_t>(joint)]) > 1e-3F)
      return true;
  }
  return !keeps_rest(motion, joint);
}

}  // namespace

Motion remap_by_name(const Motion& motion, SkeletonPtr target, RemapReport* report) {
  const Skeleton& source = *motion.skeleton;
  const std::vector<int> match = match_by_name(source, *target);
  const Pose rest = make_pose(*target);

  std::vector<Rule> rules;
  std::vector<bool> used(static_cast<std::size_t>(source.num_joints()), false);
  for (int j = 0; j < target->num_joints(); ++j) {
    const int s = match[static_cast<std::size_t>(j)];
    if (s == kNoJoint) continue;
    used[static_cast<std::size_t>(s)] = true;
    Rule rule{.target = j, .source = s};
    const int target_ancestor =
        nearest_ancestor(*target, j, [&](int a) { return match[static_cast<std::size_t>(a)] != kNoJoint; });
    rule.source_ancestor = target_ancestor == kNoJoint ? kNoJoint : match[static_cast<std::size_t>(target_ancestor)];
    // The matched ancestor must be above the source joint too. Where hierarchies disagree, model space decides.
    const int above = nearest_ancestor(source, s, [&](int a) { return a == rule.source_ancestor; });
    if (above != rule.source_ancestor) rule.source_ancestor = kNoJoint;
    rule.direct = target->parent(j) == target_ancestor && source.parent(s) == rule.source_ancestor;
    if (const int parent = target->parent(j); parent != kNoJoint && parent != target_ancestor) {
      rule.parent_from_ancestor = inverse(chain(*target, rest.view(), parent, target_ancestor));
    }
    rule.keeps_rest_offset = keeps_rest(motion, s);
    rules.push_back(rule);
  }
  if (report != nullptr) {
    report->num_matched = static_cast<int>(rules.size());
    for (int s = 0; s < source.num_joints(); ++s) {
      if (!used[static_cast<std::size_t>(s)] && is_animated(motion, s)) report->unmatched_source.push_back(s);
    }
  }

  const bool rest_has_scale = std::any_of(rest.scales.begin(), rest.scales.end(), [](Vec3 s) {
    return s != Vec3{1, 1, 1};
  });
  const bool with_scales = !motion.scales.empty() || rest_has_scale;
  Motion out = make_motion(target, motion.name, motion.fps, motion.num_frames, with_scales);
  out.start_time_s = motion.start_time_s;
  const auto n = static_cast<std::size_t>(target->num_joints());
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const PoseView pose = motion.frame(frame);
    for (const Rule& rule : rules) {
      Transform local = pose.joint(rule.source);
      if (!rule.direct)
        local = decompose(rule.parent_from_ancestor * chain(source, pose, rule.source, rule.source_ancestor));
      const std::size_t i = static_cast<std::size_t>(frame) * n + static_cast<std::size_t>(rule.target);
      if (!rule.keeps_rest_offset) out.translations[i] = local.translation;
      out.rotations[i] = local.rotation;
      if (with_scales) out.scales[i] = local.scale;
    }
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe
