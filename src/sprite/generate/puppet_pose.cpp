// SPDX-License-Identifier: MIT
#include "sprite/generate/puppet_pose.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::sprite {
namespace {

// A puppet's head joint is at the top of the head, a pose's in its middle.
constexpr double kHeadMiddle = 0.55;
// Depths of puppets are in lengths of a leg.
constexpr double kLegsPerHeight = 0.45;

struct NamedLimbJoint {
  const char* name;
  paint::Joint joint;
};
constexpr std::array<NamedLimbJoint, 12> kLimbJoints{{{"right_shoulder", paint::kRightShoulder},
                                                      {"right_elbow", paint::kRightElbow},
                                                      {"right_hand", paint::kRightHand},
                                                      {"left_shoulder", paint::kLeftShoulder},
                                                      {"left_elbow", paint::kLeftElbow},
                                                      {"left_hand", paint::kLeftHand},
                                                      {"right_hip", paint::kRightHip},
                                                      {"right_knee", paint::kRightKnee},
                                                      {"right_foot", paint::kRightFoot},
                                                      {"left_hip", paint::kLeftHip},
                                                      {"left_knee", paint::kLeftKnee},
                                                      {"left_foot", paint::kLeftFoot}}};

// positions: of the rig's joints.
paint::Pose pose_of_joints(const PuppetRig& rig, const std::vector<Point>& positions, Point offset, int size) {
  paint::Pose pose;
  const auto put = [&](paint::Joint joint, Point p) {
    const Point on_canvas = (p + offset) * (1.0 / size);
    pose.points[joint] = {static_cast<float>(on_canvas.x), static_cast<float>(on_canvas.y), 0, 1};
  };
  const auto at = [&](std::string_view name) { return positions[idx(rig.find(name))]; };
  put(paint::kHips, at("hips"));
  put(paint::kNeck, at("neck"));
  put(paint::kHead, mix(at("neck"), at("head"), kHeadMiddle));
  for (const auto& [name, joint] : kLimbJoints) put(joint, at(name));
  return pose;
}

}  // namespace

paint::Pose pose_of_rig(const PuppetRig& rig, Point offset, int size) {
  std::vector<Point> positions;
  for (const PuppetJoint& joint : rig.joints) positions.push_back(joint.position);
  return pose_of_joints(rig, positions, offset, size);
}

paint::Pose pose_of_puppet(const Puppet& puppet, const PuppetPose& driven, Point offset, int size) {
  const PuppetRig& rig = puppet.rig();
  std::vector<Point> positions;
  for (const PuppetJoint& joint : rig.joints) positions.push_back(joint.position);
  for (std::size_t b = 0; b < puppet.bones().size(); ++b) {
    const PuppetBone& bone = puppet.bones()[b];
    positions[idx(bone.from)] = driven.bones[b].from;
    positions[idx(bone.to)] = carried(rig, bone, driven.bones[b], rig.joints[idx(bone.to)].position);
  }
  paint::Pose pose = pose_of_joints(rig, positions, offset, size);
  const auto deepen = [&](const char* part, paint::Joint first) {
    for (std::size_t p = 0; p < puppet.parts().size(); ++p) {
      if (puppet.parts()[p].name != part) continue;
      // The root is at the trunk.
      const double depth = driven.depths[p] * kLegsPerHeight;
      pose.points[first].depth = static_cast<float>(0.4 * depth);
      pose.points[first + 1].depth = pose.points[first + 2].depth = static_cast<float>(depth);
    }
  };
  deepen("right_arm", paint::kRightShoulder);
  deepen("left_arm", paint::kLeftShoulder);
  deepen("right_leg", paint::kRightHip);
  deepen("left_leg", paint::kLeftHip);
  return pose;
}

bool has_all_joints(const paint::Pose& pose) {
  return std::all_of(pose.points.begin(), pose.points.end(), [](const paint::PosePoint& p) { return p.known > 0.5F; });
}

PuppetRig rig_of_pose(const paint::Pose& pose, int size) {
  const auto at = [&](paint::Joint joint) {
    return Point{static_cast<double>(pose.points[joint].x), static_cast<double>(pose.points[joint].y)} *
           static_cast<double>(size);
  };
  const Point hips = at(paint::kHips), neck = at(paint::kNeck), head = at(paint::kHead);
  PuppetRig rig;
  for (const JointName& name : joint_names(PuppetBody::kHumanoid)) {
    PuppetJoint joint{name.name, rig.find(name.parent), {}, 1};
    const std::string_view word = name.name;
    if (word == "hips") joint.position = hips;
    if (word == "chest") joint.position = mix(hips, neck, 0.6);
    if (word == "neck") joint.position = neck;
    if (word == "head") joint.position = neck + (head - neck) * (1 / kHeadMiddle);
    for (const auto& [limb, which] : kLimbJoints)
      if (word == limb) joint.position = at(which);
    rig.joints.push_back(joint);
  }
  return rig;
}

PuppetPose puppet_pose_of(const Puppet& puppet, const paint::Pose& pose, int size) {
  const PuppetRig target = rig_of_pose(pose, size);
  const PuppetRig& rig = puppet.rig();
  PuppetPose out;
  for (const PuppetBone& bone : puppet.bones()) {
    const Point from = target.joints[idx(bone.from)].position, to = target.joints[idx(bone.to)].position;
    const Point drawn = rig.joints[idx(bone.to)].position - rig.joints[idx(bone.from)].position;
    const double long_now = distance(from, to), long_drawn = length(drawn);
    BonePose posed{.from = from};
    if (long_now > 0.5 && long_drawn > 0.5) {
      posed.turn_rad = portable_atan2(cross(drawn, to - from), dot(drawn, to - from));
      posed.along = std::clamp(long_now / long_drawn, 0.4, 2.5);
    }
    out.bones.push_back(posed);
  }
  out.depths.assign(puppet.parts().size(), 0);
  for (std::size_t p = 0; p < puppet.parts().size(); ++p) {
    const std::string& name = puppet.parts()[p].name;
    for (const auto& [part, first] : {std::pair{"right_arm", paint::kRightShoulder},
                                      {"left_arm", paint::kLeftShoulder},
                                      {"right_leg", paint::kRightHip},
                                      {"left_leg", paint::kLeftHip}}) {
      if (name == part)
        out.depths[p] = static_cast<double>(pose.points[first + 1].depth + pose.points[first + 2].depth) / 2;
    }
  }
  return out;
}

}  // namespace zoe::sprite
