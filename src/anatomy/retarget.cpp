// SPDX-License-Identifier: MIT
#include "zoe/anatomy/retarget.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "anatomy/retarget_legs.h"
#include "anatomy/retarget_match.h"

namespace zoe {
namespace {

using anatomy_detail::BodyMatch;
using anatomy_detail::compute_model_pose;
using anatomy_detail::JointMatch;
using anatomy_detail::LegGoal;
using anatomy_detail::LegMatch;
using anatomy_detail::ModelPose;

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

// The shortest turn from one direction to another; identity when either has none.
Quat turn_between(Vec3 from, Vec3 to) {
  const Vec3d a = normalized(to_double(from)), b = normalized(to_double(to));
  if (!(dot(a, a) > 0.5 && dot(b, b) > 0.5)) return {};
  const double c = dot(a, b);
  if (c < -1 + 1e-9) {
    const Vec3d side = std::abs(a.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    return to_float(from_axis_angle(normalized(cross(a, side)), 3.14159265358979323846));
  }
  const Vec3d axis = cross(a, b);
  return to_float(normalized(Quatd{axis.x, axis.y, axis.z, 1 + c}));
}

// model_from_body: the body looks along +z with +y up.
Quat body_frame(const SkeletonAnalysis& body) {
  const Vec3 up = normalized(body.up, Vec3{0, 1, 0});
  const Vec3 forward = normalized(body.forward - up * dot(body.forward, up), Vec3{0, 0, 1});
  return rotation_of(Affine{cross(up, forward), up, forward, {}});
}

// One of the two bodies in its reference pose.
struct Body {
  const SkeletonAnalysis& analysis;
  ModelPose reference;
  std::vector<const std::vector<int>*> legs;  // Matched ones, in the order of BodyMatch::legs.
  Vec3 pelvis_in_hips{};                      // Middle of the (hind) legs' upper ends, in the hips' frame.
  // Of each leg: height of the lowest foot joint of its pair above the ground.
  std::vector<float> sole_height;
  float pelvis_sole_height = 0;  // The same of the hind legs.
  std::vector<float> ahead;                   // Of each leg: how far before the pelvis it leaves; 0 for hind legs.

  float height(Vec3 p) const { return dot(p, analysis.up) - static_cast<float>(analysis.ground_height); }
  Vec3 at(int joint) const { return reference.positions[idx(joint)]; }
};

void measure_legs(Body& body) {
  if (body.legs.empty()) return;
  const Vec3 hips = body.at(body.analysis.hips);
  const auto reach = [&](const std::vector<int>* leg) { return distance(body.at(leg->front()), hips); };
  float nearest = reach(body.legs[0]);
  for (const auto* leg : body.legs) nearest = std::min(nearest, reach(leg));
  const auto is_front = [&](const std::vector<int>* leg) { return reach(leg) > nearest * 1.5F; };
  Vec3 sum{};
  int count = 0;
  for (const auto* leg : body.legs) {
    if (is_front(leg)) continue;
    sum += body.at(leg->front());
    ++count;
  }
  const Vec3 pelvis = sum / static_cast<float>(count);
  for (const auto* leg : body.legs)
    body.ahead.push_back(is_front(leg) ? dot(body.at(leg->front()) - pelvis, body.analysis.forward) : 0.0F);
  body.pelvis_in_hips = rotate(conjugate(body.reference.rotations[idx(body.analysis.hips)]), pelvis - hips);
  // In a reference pose out of a clip one foot may be in the air.
  const auto lowest = [&](bool front) {
    float height = std::numeric_limits<float>::max();
    for (const auto* leg : body.legs)
      if (is_front(leg) == front) height = std::min(height, body.height(body.at(leg->back())));
    return height;
  };
  for (const auto* leg : body.legs) body.sole_height.push_back(lowest(is_front(leg)));
  body.pelvis_sole_height = lowest(false);
}

double chain_length(const Body& body, const std::vector<int>& joints) {
  double sum = 0;
  for (std::size_t i = 1; i < joints.size(); ++i) sum += distance(body.at(joints[i]), body.at(joints[i - 1]));
  return sum;
}

// Target lengths over source lengths.
double length_ratio(const Body& source, const Body& target) {
  const auto total = [](const Body& body) {
    double sum = 0;
    for (const auto* leg : body.legs) sum += chain_length(body, *leg);
    if (!(sum > 0)) sum = chain_length(body, body.analysis.spine);
    return sum;
  };
  const double a = total(source), b = total(target);
  return a > 0 && b > 0 ? b / a : 1.0;
}

// Source model space to target model space: turned upright and scaled, ground onto ground.
struct Placement {
  const Body& source;
  const Body& target;
  Quat target_from_source;  // Upright to upright; the heading stays.
  float scale;

  // The heights `sole_s` and `sole_t` above the ground map onto each other, so that what stands stands. Below them all
  // shrinks as they do: ankles that near the ground do not sink into it.
  Vec3 place(Vec3 p, float sole_s, float sole_t) const {
    const float height = source.height(p);
    const float below = sole_s > 0 && sole_t > 0 ? sole_t / sole_s : scale;
    const float placed = sole_t + (height - sole_s) * (height < sole_s ? below : scale);
    const Vec3 level = rotate(target_from_source, p - source.analysis.up * dot(p, source.analysis.up)) * scale;
    return level + target.analysis.up * (placed + static_cast<float>(target.analysis.ground_height));
  }
  Vec3 place_root(Vec3 p) const { return place(p, 0, 0); }
  Vec3 place_pelvis(Vec3 p) const { return place(p, source.pelvis_sole_height, target.pelvis_sole_height); }
  Vec3 place_foot(Vec3 p, std::size_t leg) const { return place(p, source.sole_height[leg], target.sole_height[leg]); }
};

// How steeply a foot points down when it stands flat, radians: that of the lower foot of the pair, as in a reference
// pose out of a clip the other may be lifted.
float flat_slope(const BodyMatch& match, const Body& body, std::size_t leg, int JointMatch::*joint,
                 int JointMatch::*end) {
  float lowest = std::numeric_limits<float>::max(), slope = 0;
  for (const JointMatch& foot : match.joints) {
    if (foot.foot_of < 0 || (body.ahead[idx(foot.foot_of)] != 0) != (body.ahead[leg] != 0)) continue;
    const Vec3 ankle = body.at(foot.*joint), bone = body.at(foot.*end) - ankle;
    if (body.height(ankle) >= lowest) continue;
    lowest = body.height(ankle);
    slope = std::asin(std::clamp(-dot(normalized(bone), body.analysis.up), -1.0F, 1.0F));
  }
  return slope;
}

// A direction raised by an angle in its own upright plane.
Vec3 raised(Vec3 direction, Vec3 up, float angle_rad) {
  const Vec3 side = normalized(cross(direction, up));
  return rotate(from_axis_angle(side, angle_rad), direction);
}

// For each match the rotation that turns a source joint's model rotation into its counterpart's, from the right.
std::vector<Quat> calibrate(const BodyMatch& match, const Body& source, const Body& target) {
  const Quat target_from_source = body_frame(target.analysis) * conjugate(body_frame(source.analysis));
  std::vector<Quat> alignments, offsets;
  for (const JointMatch& joint : match.joints) {
    Quat align;
    if (joint.source_end != kNoJoint) {
      const Vec3 bone = source.at(joint.source_end) - source.at(joint.source);
      Vec3 goal = target.at(joint.target_end) - target.at(joint.target);
      if (joint.foot_of >= 0) {
        // Soles shall be parallel, not the lines from ankle to toes: ankles are higher in some rigs than in others.
        const std::size_t leg = idx(joint.foot_of);
        const float down = flat_slope(match, target, leg, &JointMatch::target, &JointMatch::target_end) -
                           flat_slope(match, source, leg, &JointMatch::source, &JointMatch::source_end);
        goal = raised(goal, target.analysis.up, down);
      }
      align = turn_between(rotate(target_from_source, bone), goal);
    } else if (joint.aligned_as >= 0) {
      align = alignments[idx(joint.aligned_as)];
    }
    alignments.push_back(align);
    const Quat source_as_target = align * target_from_source * source.reference.rotations[idx(joint.source)];
    // (align B Rs)⁻¹ Rt: a source bone that points as the target's reference bone does gives that reference.
    offsets.push_back(normalized(conjugate(source_as_target) * target.reference.rotations[idx(joint.target)]));
  }
  return offsets;
}

// Where the body points, level, from its pelvis to where its front legs leave; zero without front legs.
Vec3 trunk_direction(const Body& body, const ModelPose& pose) {
  const int hips = body.analysis.hips;
  const Vec3 pelvis = pose.positions[idx(hips)] + rotate(pose.rotations[idx(hips)], body.pelvis_in_hips);
  Vec3 sum{};
  for (std::size_t i = 0; i < body.legs.size(); ++i)
    if (body.ahead[i] != 0) sum += pose.positions[idx(body.legs[i]->front())] - pelvis;
  return normalized(sum - body.analysis.up * dot(sum, body.analysis.up));
}

// A longer back puts the front feet further ahead. The direction is averaged over a second, so that planted feet do not
// slide with every sway of the trunk.
void move_front_feet(const Placement& placement, std::span<const Vec3> directions, double fps, std::vector<LegGoal>& legs) {
  const auto window = static_cast<int>(std::lround(0.5 * fps));
  const int n = static_cast<int>(directions.size());
  for (int f = 0; f < n; ++f) {
    Vec3 sum{};
    for (int k = std::max(0, f - window); k <= std::min(n - 1, f + window); ++k) sum += directions[idx(k)];
    const Vec3 heading = rotate(placement.target_from_source, normalized(sum));
    for (std::size_t i = 0; i < legs.size(); ++i) {
      const float a = placement.source.ahead[i], b = placement.target.ahead[i];
      if (a != 0 && b != 0) legs[i].foot[idx(f)] += heading * (b - a * placement.scale);
    }
  }
}

Result<Pose> checked_reference(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                               const std::optional<Pose>& given, const char* whose) {
  const std::size_t n = idx(skeleton.num_joints());
  const auto fail = [&](const char* what) { return Error{ErrorCode::kInvalid, std::string(whose) + what, {}}; };
  if (analysis.hips == kNoJoint) return fail(" has no hips: give them in an overrides file");
  if (analysis.reference_positions.size() != n) return fail(" and its analysis differ in the number of joints");
  if (!given) {
    if (analysis.reference_clip >= 0) return fail("'s reference pose is a frame of a clip and must be given");
    return make_pose(skeleton);
  }
  if (given->rotations.size() != n || given->translations.size() != n)
    return fail("'s reference pose differs from it in the number of joints");
  return *given;
}

// Root and hips go where the source's are; every matched joint turns as its counterpart does.
void transfer_frame(const BodyMatch& match, const std::vector<Quat>& offsets, const Placement& placement,
                    const ModelPose& source, const Pose& reference, Motion& out, int frame) {
  const Skeleton& skeleton = *out.skeleton;
  const std::size_t n = idx(skeleton.num_joints()), first = idx(frame) * n;
  const SkeletonAnalysis& body = placement.target.analysis;
  std::vector<int> match_of(n, -1);
  for (std::size_t i = 0; i < match.joints.size(); ++i) match_of[idx(match.joints[i].target)] = static_cast<int>(i);
  std::vector<Quat> rotations(n);
  std::vector<Affine> model(n);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j), m = match_of[idx(j)];
    const Quat parent_rotation = parent == kNoJoint ? Quat{} : rotations[idx(parent)];
    Transform local = reference.view().joint(j);
    if (m >= 0) {
      const Quat turned = placement.target_from_source * source.rotations[idx(match.joints[idx(m)].source)];
      rotations[idx(j)] = normalized(turned * offsets[idx(m)]);
      local.rotation = normalized(conjugate(parent_rotation) * rotations[idx(j)]);
    } else {
      rotations[idx(j)] = normalized(parent_rotation * local.rotation);
    }
    if (j == body.hips || (match.has_root && j == body.root)) {
      const int from = j == body.hips ? placement.source.analysis.hips : placement.source.analysis.root;
      Vec3 p = source.positions[idx(from)];
      if (j == body.hips) {
        p = placement.place_pelvis(p + rotate(source.rotations[idx(from)], placement.source.pelvis_in_hips)) -
            rotate(rotations[idx(j)], placement.target.pelvis_in_hips);
      } else {
        p = placement.place_root(p);
      }
      local.translation = parent == kNoJoint ? p : inverse(model[idx(parent)]).apply_point(p);
    }
    model[idx(j)] = parent == kNoJoint ? to_affine(local) : model[idx(parent)] * to_affine(local);
    out.translations[first + idx(j)] = local.translation;
    out.rotations[first + idx(j)] = local.rotation;
    if (!out.scales.empty()) out.scales[first + idx(j)] = local.scale;
  }
}

void measure_feet(const Motion& motion, std::span<const LegGoal> legs, double metres_per_unit, RetargetReport& report) {
  ModelPose pose;
  double sum = 0;
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_pose(*motion.skeleton, motion.frame(f), pose);
    for (const LegGoal& leg : legs) {
      const double error = metres_per_unit * distance(pose.positions[idx(leg.joints.back())], leg.foot[idx(f)]);
      sum += error;
      report.worst_foot_error_m = std::max(report.worst_foot_error_m, error);
    }
  }
  const auto count = static_cast<double>(legs.size()) * motion.num_frames;
  report.mean_foot_error_m = count > 0 ? sum / count : 0.0;
}

}  // namespace

Pose reference_pose(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips) {
  Pose pose = make_pose(skeleton);
  if (analysis.reference_clip < 0 || idx(analysis.reference_clip) >= clips.size()) return pose;
  const Motion& clip = clips[idx(analysis.reference_clip)];
  if (analysis.reference_frame < 0 || analysis.reference_frame >= clip.num_frames) return pose;
  const PoseView frame = clip.frame(analysis.reference_frame);
  pose.translations.assign(frame.translations.begin(), frame.translations.end());
  pose.rotations.assign(frame.rotations.begin(), frame.rotations.end());
  if (!frame.scales.empty()) pose.scales.assign(frame.scales.begin(), frame.scales.end());
  return pose;
}

Result<Motion> retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const SkeletonPtr& target,
                        const SkeletonAnalysis& target_analysis, const RetargetOptions& options,
                        RetargetReport* report) {
  ZOE_CHECK(source.skeleton && target, "retarget() needs two skeletons");
  ZOE_TRY_ASSIGN(const Pose source_pose, checked_reference(*source.skeleton, source_analysis, options.source_reference,
                                                           "the source"));
  ZOE_TRY_ASSIGN(const Pose target_pose,
                 checked_reference(*target, target_analysis, options.target_reference, "the target"));
  const BodyMatch match = anatomy_detail::match_bodies(source_analysis, target_analysis);
  if (match.joints.size() < 3)
    return Error{ErrorCode::kInvalid, "source and target have no spine, limb or tail in common: nothing to retarget", {}};

  Body from{source_analysis, {}, {}}, to{target_analysis, {}, {}};
  compute_model_pose(*source.skeleton, source_pose.view(), from.reference);
  compute_model_pose(*target, target_pose.view(), to.reference);
  for (const LegMatch& leg : match.legs) {
    from.legs.push_back(&leg.source);
    to.legs.push_back(&leg.target);
  }
  measure_legs(from);
  measure_legs(to);
  const double scale = length_ratio(from, to);
  const Placement placement{from, to, turn_between(source_analysis.up, target_analysis.up), static_cast<float>(scale)};
  const std::vector<Quat> offsets = calibrate(match, from, to);

  const bool with_scales = std::ranges::any_of(target_pose.scales, [](Vec3 s) { return !(s == Vec3{1, 1, 1}); });
  Motion out = make_motion(target, source.name, source.fps, source.num_frames, with_scales);
  out.start_time_s = source.start_time_s;
  std::vector<LegGoal> legs;
  const Vec3 left = rotate(body_frame(target_analysis), Vec3{1, 0, 0});
  for (const LegMatch& leg : match.legs) legs.push_back({leg.target, {}, left});
  std::vector<Vec3> directions;
  ModelPose pose;
  for (int f = 0; f < source.num_frames; ++f) {
    compute_model_pose(*source.skeleton, source.frame(f), pose);
    transfer_frame(match, offsets, placement, pose, target_pose, out, f);
    for (std::size_t i = 0; i < legs.size(); ++i)
      legs[i].foot.push_back(placement.place_foot(pose.positions[idx(match.legs[i].source.back())], i));
    directions.push_back(trunk_direction(from, pose));
  }
  move_front_feet(placement, directions, source.fps, legs);
  if (options.foot_ik) anatomy_detail::reach_feet(out, legs, to.reference);
  make_continuous(out);
  if (report != nullptr) {
    *report = {};
    report->num_matched_joints = static_cast<int>(match.joints.size());
    report->num_matched_legs = static_cast<int>(match.legs.size());
    report->scale = scale;
    measure_feet(out, legs, target_analysis.metres_per_unit, *report);
  }
  return out;
}

}  // namespace zoe
