// SPDX-License-Identifier: MIT
#include "zoe/features/decode.h"

#include <algorithm>

#include "features/yaw.h"
#include "zoe/core/check.h"
#include "zoe/math/rotation_6d.h"

namespace zoe::features {
namespace {

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

Error usage(std::string message) { return {ErrorCode::kUsage, "decoding: " + std::move(message), {}}; }

// The rotation whose z column points along z and whose y column lies in the plane of both.
Quat look(Vec3 z, Vec3 y) {
  const Affine m = to_affine(from_6d(Rotation6{z, cross(y, z)}));  // Columns z, x, y.
  return rotation_of(Affine{m.y, m.z, m.x, {}});
}

}  // namespace

Result<Decoder> Decoder::create(const Layout& layout, const SkeletonPtr& skeleton, BlockKind kind) {
  ZOE_CHECK(skeleton != nullptr && skeleton->num_joints() == layout.num_joints(), "Decoder: not the layout's skeleton");
  Decoder out;
  out.skeleton_ = skeleton;
  out.width_ = layout.width(kind);
  int pose_at = 0, root_at = 0;
  const auto& channels = layout.schema().block(kind).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    if (channel.times.count != 1 || channel.times.start_s != 0) continue;  // A trajectory: for the controller.
    const int column = layout.columns(kind)[i].begin;
    const std::vector<int>& joints = layout.channel_joints(kind)[i];
    if (channel.group == Group::kRootDelta) {
      out.delta_ = column;
      root_at = channel.at_frames;
    } else if (channel.group == Group::kRoot && channel.parts[0] == Part::kOwnVelocity) {
      out.own_velocity_ = column;
      root_at = channel.at_frames;
    } else if (channel.group == Group::kContact) {
      out.contacts_ = column;
      out.num_contacts_ = static_cast<int>(joints.size());
    } else if (channel.group == Group::kJoint && channel.space != Space::kTracking) {
      const bool first = out.joints_.empty();
      if (!first && joints != out.joints_) continue;  // Some joints once more.
      if (!first && (channel.space == Space::kParent) != out.in_parent_) return usage("joint channels are in different spaces");
      out.joints_ = joints;
      out.in_parent_ = channel.space == Space::kParent;
      pose_at = channel.at_frames;
      const int stride = 3 * static_cast<int>(channel.parts.size());
      for (std::size_t p = 0; p < channel.parts.size(); ++p) {
        const Field field{column + 3 * static_cast<int>(p), stride};
        switch (channel.parts[p]) {
          case Part::kPosition: out.position_ = field; break;
          case Part::kXAxis: out.x_axis_ = field; break;
          case Part::kYAxis: out.y_axis_ = field; break;
          case Part::kZAxis: out.z_axis_ = field; break;
          case Part::kRotationLog: out.log_ = field; break;
          case Part::kVelocity: out.velocity_ = field; break;
          default: break;
        }
      }
    }
  }
  if (out.delta_ < 0 && out.own_velocity_ < 0) return usage("the block has no root.delta or root.own_velocity");
  if (out.joints_.empty() || !out.position_.exists()) return usage("the block has no joint.position");
  if (!out.log_.exists() && !(out.y_axis_.exists() && (out.z_axis_.exists() || out.x_axis_.exists()))) {
    return usage("the block has no rotations of joints: two axes or rotation_log");
  }
  out.pose_before_root_ = root_at > pose_at;
  out.frame_s_ = static_cast<float>(1 / layout.fps());
  for (const GatherOp& op : layout.ops(kind)) {
    if (op.kind != GatherOp::Kind::kDelta || op.column != out.delta_) continue;
    out.travel_scale_ = op.travel_scale;
    out.turn_scale_ = op.turn_scale;
  }
  out.index_of_.assign(idx(skeleton->num_joints()), -1);
  for (std::size_t i = 0; i < out.joints_.size(); ++i) out.index_of_[idx(out.joints_[i])] = static_cast<int>(i);
  // The topmost decoded joints carry the body's place, and so does all down to the hips.
  out.is_placed_.assign(out.index_of_.size(), 1);
  for (int j = 0; j < skeleton->num_joints(); ++j)
    for (int p = skeleton->parent(j); p != kNoJoint; p = skeleton->parent(p))
      if (out.index_of_[idx(p)] >= 0) out.is_placed_[idx(j)] = 0;
  for (int j = layout.root_joints().hip; j != kNoJoint; j = skeleton->parent(j)) out.is_placed_[idx(j)] = 1;
  return out;
}

DecodedFrame Decoder::make_frame() const {
  DecodedFrame frame;
  frame.positions.resize(joints_.size());
  frame.rotations.resize(joints_.size());
  if (velocity_.exists()) frame.velocities.resize(joints_.size());
  frame.contacts.resize(idx(num_contacts_));
  frame.model_rotations.resize(index_of_.size());
  frame.models.resize(index_of_.size());
  return frame;
}

Vec3 Decoder::read(const Field& field, std::span<const float> values, std::size_t i) const {
  const float* v = values.data() + field.column + static_cast<std::ptrdiff_t>(i) * field.stride;
  return {v[0], v[1], v[2]};
}

Quat Decoder::read_rotation(std::span<const float> values, std::size_t i) const {
  if (log_.exists()) return from_rotation_vector(read(log_, values, i) * 2.0F);
  const Vec3 y = read(y_axis_, values, i);
  if (z_axis_.exists()) return look(read(z_axis_, values, i), y);
  return from_6d(Rotation6{read(x_axis_, values, i), y});
}

PlanarRoot Decoder::move_root(std::span<const float> values, const PlanarRoot& before) const {
  if (delta_ >= 0) {
    const float* v = values.data() + delta_;
    return moved_by(before, {{v[0] / travel_scale_, 0, v[2] / travel_scale_}, v[1] / turn_scale_});
  }
  // Velocities are in the axes after the step.
  const float* v = values.data() + own_velocity_;
  PlanarRoot after = before;
  after.facing_rad += v[4] * frame_s_;
  after.position += Yaw::of(after.facing_rad).out_of({v[0], v[1], v[2]}) * frame_s_;
  return after;
}

void Decoder::decode(std::span<const float> values, const PlanarRoot& root_before, DecodedFrame& out) const noexcept {
  ZOE_CHECK(values.size() == idx(width_), "Decoder: not one step of the block");
  ZOE_CHECK(out.positions.size() == joints_.size(), "Decoder: the frame is not from make_frame()");
  out.root = move_root(values, root_before);
  out.pose_root = pose_before_root_ ? root_before : out.root;
  const Yaw yaw = Yaw::of(out.pose_root.facing_rad);
  const Quat turn = rotation_of(out.pose_root);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    out.positions[i] = read(position_, values, i);
    out.rotations[i] = read_rotation(values, i);
    if (velocity_.exists()) out.velocities[i] = read(velocity_, values, i);
    // In parent space they stay parent-relative, except for joints that hang on the root.
    if (in_parent_ && skeleton_->parent(joints_[i]) != kNoJoint) continue;
    out.positions[i] = out.pose_root.position + yaw.out_of(out.positions[i]);
    out.rotations[i] = turn * out.rotations[i];
    if (velocity_.exists()) out.velocities[i] = yaw.out_of(out.velocities[i]);
  }
  if (contacts_ >= 0) std::copy_n(values.data() + contacts_, out.contacts.size(), out.contacts.begin());
}

void Decoder::to_pose(DecodedFrame& frame, Pose& pose, bool use_positions) const noexcept {
  ZOE_CHECK(pose.rotations.size() == index_of_.size(), "Decoder: the pose is of another skeleton");
  for (std::size_t j = 0; j < index_of_.size(); ++j) {
    const int parent = skeleton_->parent(static_cast<int>(j));
    const bool has_parent = parent != kNoJoint;
    const Quat parent_rotation = has_parent ? frame.model_rotations[idx(parent)] : Quat{};
    if (const int i = index_of_[j]; i >= 0) {
      const Quat rotation = frame.rotations[idx(i)];
      const bool is_local = in_parent_ && has_parent;
      const Quat local = is_local ? rotation : conjugate(parent_rotation) * rotation;
      pose.rotations[j] = normalized(nearest_to(pose.rotations[j], local));
      if (is_placed_[j] != 0 || use_positions) {
        const Vec3 place = frame.positions[idx(i)];
        pose.translations[j] = is_local || !has_parent ? place : inverse(frame.models[idx(parent)]).apply_point(place);
      } else {
        pose.translations[j] = skeleton_->rest_local(static_cast<int>(j)).translation;
      }
    }
    const Affine local = to_affine(Transform{pose.translations[j], pose.rotations[j], pose.scales.empty() ? Vec3{1, 1, 1} : pose.scales[j]});
    frame.models[j] = has_parent ? frame.models[idx(parent)] * local : local;
    frame.model_rotations[j] = parent_rotation * pose.rotations[j];
  }
}

}  // namespace zoe::features
