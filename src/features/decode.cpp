// SPDX-License-Identifier: MIT
#include "zoe/features/decode.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/math/lanes.h"
#include "zoe/math/portable_quat.h"
#include "zoe/math/rotation_6d.h"

#include "features/words.h"
#include "features/yaw.h"

namespace zoe::features {
namespace {

Error usage(std::string message) { return {ErrorCode::kUsage, "decoding: " + std::move(message), {}}; }

// The rotation whose z column points along z and whose y column is in the plane of both.
Quat look(Vec3 z, Vec3 y) {
  const Affine m = axes_from_6d(Rotation6{z, cross(y, z)});  // Columns z, x, y.
  return rotation_of(Affine{m.y, m.z, m.x, {}});
}

// Its first position and direction are the next root, relative to the present one: NSM's root motion.
bool leads_to_next_frame(const Channel& channel, double fps) {
  return channel.group == Group::kRoot && channel.space == Space::kRoot && channel.at_frames == 0 &&
         channel.parts.size() > 1 && channel.parts[0] == Part::kPosition && channel.parts[1] == Part::kDirection &&
         std::abs(channel.times.start_s * fps - 1) < 1e-6;
}

}  // namespace

// Finds the numbers of each joint among the channels of one moment. The first channel wins.
void Decoder::add_channel(const Layout& layout, const Channel& channel, std::span<const int> joints, int column) {
  const int stride = part_widths(channel.parts);
  for (std::size_t i = 0; i < joints.size(); ++i, column += stride) {
    const int joint = joints[i];
    int& index = index_of_[idx(joint)];
    if (index < 0) {
      index = static_cast<int>(columns_.size());
      columns_.push_back({.joint = joint});
    }
    JointColumns& c = columns_[idx(index)];
    const bool hangs = layout.hangs_on_hips()[idx(joint)] != 0;
    const bool in_parent = channel.space == Space::kParent && hangs;
    int at = column;
    for (const Part part : channel.parts) {
      const auto take = [&](int& field) { return field < 0 && (field = at, true); };
      switch (part) {
        case Part::kPosition:
          if (take(c.position)) c.position_is_local = in_parent;
          break;
        case Part::kVelocity:
          if (take(c.velocity)) c.velocity_is_local = in_parent;
          break;
        case Part::kXAxis:
          take(c.x_axis);
          break;
        case Part::kYAxis:
          take(c.y_axis);
          break;
        case Part::kZAxis:
          take(c.z_axis);
          break;
        case Part::kRotationLog:
          take(c.log);
          break;
        default:
          break;
      }
      if (part >= Part::kXAxis && part <= Part::kRotationLog) {
        c.rotation_is_local = in_parent || (channel.space == Space::kCanonical && hangs);
        if (channel.space == Space::kCanonical) {
          c.is_canonical = true;
          c.after = layout.rest_rotations()[idx(joint)];
          if (hangs) c.before = conjugate(layout.rest_rotations()[idx(skeleton_->parent(joint))]);
        }
      }
      at += part_width(part);
    }
  }
}

Result<Decoder> Decoder::create(const Layout& layout, const SkeletonPtr& skeleton, BlockKind kind) {
  ZOE_CHECK(skeleton != nullptr && skeleton->num_joints() == layout.num_joints(), "Decoder: not the layout's skeleton");
  Decoder out;
  out.skeleton_ = skeleton;
  out.width_ = layout.width(kind);
  out.index_of_.assign(idx(skeleton->num_joints()), -1);
  std::optional<int> pose_at, root_at;
  const auto& channels = layout.schema().block(kind).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    const int column = layout.columns(kind)[i].begin;
    if (channel.times.count != 1 ||
        channel.times.start_s != 0) {  // A trajectory: for the controller, unless it begins a frame ahead.
      if (leads_to_next_frame(channel, layout.fps())) out.trajectory_ = column;
      continue;
    }
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
    } else if (channel.group == Group::kPhaseDelta) {
      out.phase_delta_ = column;
    } else if (channel.group == Group::kJoint && channel.space != Space::kTracking && channel.space != Space::kGoal) {
      if (pose_at.value_or(channel.at_frames) != channel.at_frames) continue;  // Another moment.
      pose_at = channel.at_frames;
      out.add_channel(layout, channel, joints, column);
    }
  }
  if (!root_at && out.trajectory_ >= 0) root_at = 1;
  if (!root_at)
    return usage(
        "the block has no root.delta or root.own_velocity, nor a trajectory that begins one frame "
        "ahead");
  const auto some = [&](auto predicate) { return std::any_of(out.columns_.begin(), out.columns_.end(), predicate); };
  if (!some([](const JointColumns& c) { return c.position >= 0; })) return usage("the block has no joint.position");
  std::erase_if(out.columns_, [](const JointColumns& c) { return c.position < 0 || !c.has_rotation(); });
  if (out.columns_.empty()) return usage("the block has no rotations of joints: two axes or rotation_log");
  out.has_velocities_ =
      std::all_of(out.columns_.begin(), out.columns_.end(), [](const JointColumns& c) { return c.velocity >= 0; });
  out.pose_before_root_ = *root_at > *pose_at;
  out.frame_s_ = static_cast<float>(1 / layout.fps());
  for (const GatherOp& op : layout.ops(kind)) {
    if (op.kind != GatherOp::Kind::kDelta || op.column != out.delta_) continue;
    out.travel_scale_ = op.travel_scale;
    out.turn_scale_ = op.turn_scale;
  }
  std::fill(out.index_of_.begin(), out.index_of_.end(), -1);
  for (std::size_t i = 0; i < out.columns_.size(); ++i) {
    out.index_of_[idx(out.columns_[i].joint)] = static_cast<int>(i);
    out.joints_.push_back(out.columns_[i].joint);
  }
  // The topmost decoded joints carry the body's position, and so do all down to the hips.
  out.is_placed_.assign(out.index_of_.size(), 1);
  for (int j = 0; j < skeleton->num_joints(); ++j)
    for (int p = skeleton->parent(j); p != kNoJoint; p = skeleton->parent(p))
      if (out.index_of_[idx(p)] >= 0) out.is_placed_[idx(j)] = 0;
  for (int j = layout.root_joints().hip; j != kNoJoint; j = skeleton->parent(j)) out.is_placed_[idx(j)] = 1;
  out.carries_place_.assign(out.index_of_.size(), 0);
  for (int j = 0; j < skeleton->num_joints(); ++j)
    if (out.is_placed_[idx(j)] != 0)
      for (int p = skeleton->parent(j); p != kNoJoint; p = skeleton->parent(p)) out.carries_place_[idx(p)] = 1;
  return out;
}

DecodedFrame Decoder::make_frame() const {
  DecodedFrame frame;
  frame.positions.resize(joints_.size());
  frame.rotations.resize(joints_.size());
  if (has_velocities_) frame.velocities.resize(joints_.size());
  frame.contacts.resize(idx(num_contacts_));
  frame.model_rotations.resize(index_of_.size());
  frame.models.resize(index_of_.size());
  return frame;
}

Quat Decoder::read_rotation(const JointColumns& c, std::span<const float> values) const {
  const auto vector = [&](int column) {
    return Vec3{values[idx(column)], values[idx(column + 1)], values[idx(column + 2)]};
  };
  if (c.log >= 0) return portable_from_rotation_vector(vector(c.log) * 2.0F);
  const Vec3 y = vector(c.y_axis);
  if (c.z_axis >= 0) return look(vector(c.z_axis), y);
  return from_6d(Rotation6{vector(c.x_axis), y});
}

bool Decoder::read_four(std::size_t first, std::span<const float> values, Quat turn, Quat* out) const {
  const std::span<const JointColumns> c = std::span(columns_).subspan(first, 4);
  const bool by_z = c[0].z_axis >= 0;
  for (const JointColumns& one : c) {
    if (one.log >= 0 || (one.z_axis >= 0) != by_z || one.is_canonical != c[0].is_canonical ||
        one.rotation_is_local != c[0].rotation_is_local)
      return false;
  }
  const auto vectors = [&](int JointColumns::*column) {
    const float *a = &values[idx(c[0].*column)], *b = &values[idx(c[1].*column)], *d = &values[idx(c[2].*column)],
                *e = &values[idx(c[3].*column)];
    return Vec3x4{Float4::Lanes{a[0], b[0], d[0], e[0]}, Float4::Lanes{a[1], b[1], d[1], e[1]},
                  Float4::Lanes{a[2], b[2], d[2], e[2]}};
  };
  const Vec3x4 y = vectors(&JointColumns::y_axis);
  Quat4 rotation;
  if (by_z) {  // As look().
    const Vec3x4 z = vectors(&JointColumns::z_axis);
    const Affine4 m = axes_from_6d(Rotation6T<Float4>{z, cross(y, z)});
    rotation = rotation_of(Affine4{m.y, m.z, m.x, {}});
  } else {
    rotation = rotation_of(axes_from_6d(Rotation6T<Float4>{vectors(&JointColumns::x_axis), y}));
  }
  if (c[0].is_canonical) {
    const auto quats = [&](Quat JointColumns::*which) {
      return transposed(lanes_at(&(c[0].*which).x), lanes_at(&(c[1].*which).x), lanes_at(&(c[2].*which).x),
                        lanes_at(&(c[3].*which).x));
    };
    rotation = quats(&JointColumns::before) * rotation * quats(&JointColumns::after);
  }
  store4(c[0].rotation_is_local ? rotation : in_all_lanes(turn) * rotation, out);
  return true;
}

RootDelta Decoder::root_step(std::span<const float> values) const noexcept {
  ZOE_CHECK(values.size() == idx(width_), "Decoder: not one step of the block");
  if (delta_ >= 0) {
    const float* v = values.data() + delta_;
    return {{v[0] / travel_scale_, 0, v[2] / travel_scale_}, v[1] / turn_scale_};
  }
  if (own_velocity_ < 0) {
    const float* v = values.data() + trajectory_;
    return {{v[0], 0, v[1]}, portable_atan2(v[2], v[3])};
  }
  // Velocities are in the axes after the step.
  const float* v = values.data() + own_velocity_;
  const float turn = v[4] * frame_s_;
  return {Yaw::of(turn).out_of({v[0], v[1], v[2]}) * frame_s_, turn};
}

void Decoder::decode(std::span<const float> values, const PlanarRoot& root_before, DecodedFrame& out) const noexcept {
  decode(values, root_before, moved_by(root_before, root_step(values)), out);
}

void Decoder::decode(std::span<const float> values, const PlanarRoot& root_before, const PlanarRoot& root,
                     DecodedFrame& out) const noexcept {
  ZOE_CHECK(values.size() == idx(width_), "Decoder: not one step of the block");
  ZOE_CHECK(out.positions.size() == joints_.size(), "Decoder: the frame is not from make_frame()");
  out.root = root;
  out.pose_root = pose_before_root_ ? root_before : root;
  const Yaw yaw = Yaw::of(out.pose_root.facing_rad);
  const Quat turn = rotation_of(out.pose_root);
  const auto vector = [&](int column) {
    return Vec3{values[idx(column)], values[idx(column + 1)], values[idx(column + 2)]};
  };
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointColumns& c = columns_[i];
    const Vec3 position = vector(c.position);
    out.positions[i] = c.position_is_local ? position : out.pose_root.position + yaw.out_of(position);
    if (!has_velocities_) continue;
    const Vec3 velocity = vector(c.velocity);
    out.velocities[i] = c.velocity_is_local ? velocity : yaw.out_of(velocity);
  }
  for (std::size_t i = 0; i < joints_.size();) {
    if (i + 4 <= joints_.size() && read_four(i, values, turn, &out.rotations[i])) {
      i += 4;
      continue;
    }
    for (const std::size_t end = std::min(i + 4, joints_.size()); i < end; ++i) {
      const JointColumns& c = columns_[i];
      const Quat rotation = c.is_canonical ? c.before * read_rotation(c, values) * c.after : read_rotation(c, values);
      out.rotations[i] = c.rotation_is_local ? rotation : turn * rotation;
    }
  }
  if (contacts_ >= 0) std::copy_n(values.data() + contacts_, out.contacts.size(), out.contacts.begin());
  if (phase_delta_ >= 0) out.phase_delta = values[idx(phase_delta_)];
}

void Decoder::to_pose(DecodedFrame& frame, Pose& pose, bool use_positions) const noexcept {
  ZOE_CHECK(pose.rotations.size() == index_of_.size(), "Decoder: the pose is of another skeleton");
  for (std::size_t j = 0; j < index_of_.size(); ++j) {
    const int parent = skeleton_->parent(static_cast<int>(j));
    const bool has_parent = parent != kNoJoint;
    const Quat parent_rotation = has_parent ? frame.model_rotations[idx(parent)] : Quat{};
    if (const int i = index_of_[j]; i >= 0) {
      const Quat rotation = frame.rotations[idx(i)];
      const JointColumns& columns = columns_[idx(i)];
      const Quat local = columns.rotation_is_local ? rotation : conjugate(parent_rotation) * rotation;
      pose.rotations[j] = normalized(nearest_to(pose.rotations[j], local));
      if (is_placed_[j] != 0 || use_positions) {
        const Vec3 place = frame.positions[idx(i)];
        pose.translations[j] =
            columns.position_is_local || !has_parent ? place : inverse(frame.models[idx(parent)]).apply_point(place);
      } else {
        pose.translations[j] = skeleton_->rest_local(static_cast<int>(j)).translation;
      }
    }
    frame.model_rotations[j] = parent_rotation * pose.rotations[j];
    if (carries_place_[j] == 0 && !use_positions) continue;
    const Affine local = to_affine(
        Transform{pose.translations[j], pose.rotations[j], pose.scales.empty() ? Vec3{1, 1, 1} : pose.scales[j]});
    frame.models[j] = has_parent ? frame.models[idx(parent)] * local : local;
  }
}

}  // namespace zoe::features
