// SPDX-License-Identifier: MIT
#include "stream/vmc_frames.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "stream/vmc_bones.h"

namespace zoe::stream {
namespace {

// Seven numbers after a text. False: no transform.
bool read_transform(const OscMessage& message, Transform& out) {
  if (!message.has("sfffffff")) return false;
  float n[7];
  for (std::size_t i = 0; i < 7; ++i) {
    n[i] = message.arguments[i + 1].number;
    if (!(std::abs(n[i]) < 1e6F)) return false;
  }
  const float length = std::sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
  if (!(length > 0.5F && length < 2)) return false;
  // Unity's space is left-handed: x is mirrored.
  out = {{-n[0], n[1], n[2]}, {n[3] / length, -n[4] / length, -n[5] / length, n[6] / length}, {1, 1, 1}};
  return true;
}

}  // namespace

void VmcFrames::add(std::span<const std::byte> datagram, std::int64_t now_ns) {
  bones_.resize(vmc_bones().size());
  if (!read_osc(datagram, [&](const OscMessage& message) { take_message(message, now_ns); })) ++counts_.refused;
}

void VmcFrames::take_message(const OscMessage& message, std::int64_t now_ns) {
  if (message.address == "/VMC/Ext/OK" && message.has("i")) {
    has_ended_ = message.arguments[0].integer == 0;
  } else if (message.address == "/VMC/Ext/T" && message.has("f")) {
    const float time_s = message.arguments[0].number;
    if (std::abs(time_s) < 1e8F) finish_frame(std::llround(static_cast<double>(time_s) * 1e9));
  } else if (message.address == "/VMC/Ext/Root/Pos") {
    read_transform(message, root_);
  } else if (message.address == "/VMC/Ext/Bone/Pos") {
    Transform local;
    if (!read_transform(message, local)) {
      ++counts_.refused;
      return;
    }
    const int index = find_vmc_bone(message.arguments[0].text);
    if (index < 0) return;
    if (bones_[idx(index)].is_fresh) finish_frame(now_ns);
    Bone& bone = bones_[idx(index)];
    bone.is_known = bone.is_fresh = true;
    bone.local = local;
  }
}

Result<SkeletonPtr> VmcFrames::make_skeleton() const {
  std::vector<JointDesc> joints = {{.name = "root", .parent = kNoJoint, .rest_local = {}}};
  for (const int index : joints_) {
    int above = vmc_bones()[idx(index)].parent, parent = 0;
    for (; above >= 0 && parent == 0; above = vmc_bones()[idx(above)].parent) {
      const auto found = std::find(joints_.begin(), joints_.end(), above);
      if (found != joints_.end()) parent = static_cast<int>(found - joints_.begin()) + 1;
    }
    joints.push_back({.name = std::string(vmc_bones()[idx(index)].vrm),
                      .parent = parent,
                      .rest_local = {bones_[idx(index)].local.translation, {}, {1, 1, 1}}});
  }
  return Skeleton::create(std::move(joints));
}

void VmcFrames::finish_frame(std::int64_t time_ns) {
  bool has_bones = false, is_steady = true, is_grown = false;
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    Bone& bone = bones_[i];
    has_bones |= bone.is_fresh;
    is_steady &= bone.is_fresh == bone.was_fresh;
    is_grown |= bone.is_known && std::find(joints_.begin(), joints_.end(), static_cast<int>(i)) == joints_.end();
  }
  if (!has_bones) return;
  for (Bone& bone : bones_) {
    bone.was_fresh = bone.is_fresh;
    bone.is_fresh = false;
  }
  if (is_grown) {
    if (!is_steady) return;
    joints_.clear();
    for (std::size_t i = 0; i < bones_.size(); ++i)
      if (bones_[i].is_known) joints_.push_back(static_cast<int>(i));
    Result<SkeletonPtr> skeleton = make_skeleton();
    if (!skeleton) return;
    frame_.subject = {.id = subject_, .name = "vmc", .fps = 60, .skeleton = std::move(*skeleton)};
    frame_.pose = make_pose(*frame_.subject.skeleton);
    frame_.pose.scales.assign(frame_.pose.rotations.size(), Vec3{1, 1, 1});
    ++counts_.skeletons;
  }
  if (frame_.subject.skeleton == nullptr) return;
  frame_.time_ns = time_ns;
  ++frame_.sequence;
  frame_.pose.translations[0] = root_.translation;
  frame_.pose.rotations[0] = root_.rotation;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    frame_.pose.translations[j + 1] = bones_[idx(joints_[j])].local.translation;
    frame_.pose.rotations[j + 1] = bones_[idx(joints_[j])].local.rotation;
  }
  is_ready_ = true;
}

bool VmcFrames::take(Frame& out) {
  if (!is_ready_) return false;
  is_ready_ = false;
  ++counts_.poses;
  out = frame_;
  return true;
}

}  // namespace zoe::stream
