// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "features/row_parts.h"
#include "zoe/core/check.h"
#include "zoe/features/frame_rows.h"

namespace zoe::features {
namespace {

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

// The joint as seen from its parent joint, or from the root where it has none.
Affine from_parent(const FrameState& state, std::span<const Affine> models, const PlanarRoot& root, int joint) {
  const int parent = state.skeleton->parent(joint);
  Affine frame;
  if (parent == kNoJoint) {
    frame = to_affine(rotation_of(root));
    frame.t = root.position;
  } else {
    frame = models[idx(parent)];
  }
  return inverse(frame) * models[idx(joint)];
}

// Its rotation alone; a joint may be scaled.
Quat turn_of(const Affine& m) { return rotation_of(Affine{normalized(m.x), normalized(m.y), normalized(m.z), {}}); }

class RowWriter {
 public:
  RowWriter(const Layout& layout, const FrameState& state, std::span<float> row)
      : layout_(layout), state_(state), row_(row), yaw_(Yaw::of(state.root.facing_rad)) {}

  void run() {
    std::fill(row_.begin(), row_.end(), 0.0F);
    const Vec3 velocity = (state_.root.position - state_.root_before.position) * rate_;
    write_root(row_, state_.root, yaw_, velocity, (state_.root.facing_rad - state_.root_before.facing_rad) * rate_);
    for (const RowSource& source : layout_.row_sources()) write(source);
  }

 private:
  void write(const RowSource& source) {
    float* out = &row_[idx(source.offset)];
    // A group's sources take their values one after another.
    const auto copy = [&](std::span<const float>& values) {
      const std::size_t count = std::min(values.size(), idx(source.width));
      std::copy_n(values.begin(), count, out);
      values = values.subspan(count);
    };
    switch (source.group) {
      case Group::kJoint: write_joints(source, out); break;
      case Group::kContact: copy(contacts_); break;
      case Group::kPhaseLocal: copy(local_phases_); break;
      case Group::kGuidance: copy(guidance_); break;
      case Group::kStyle: copy(styles_); break;
      case Group::kAction: copy(actions_); break;
      case Group::kPhaseGlobal:
        out[0] = state_.global_phase.x;
        out[1] = state_.global_phase.y;
        break;
      case Group::kTerrain: write_terrain(layout_.schema().terrain_lateral_m, state_.root, yaw_, state_.terrain, out); break;
      default: break;
    }
  }

  void write_joints(const RowSource& source, float* out) const {
    Vec3 origin = state_.root.position;
    if (source.space == Space::kTracking) {
      const Vec3 head = state_.model_from_joint[idx(source.joints[0])].t;
      origin = {head.x, origin.y, head.z};
    }
    const std::size_t stride = 3 * source.parts.size();
    for (const Part part : source.parts) {
      float* to = out;
      out += 3;
      for (const int joint : source.joints) {
        put(to, source.space == Space::kParent ? seen_from_parent(part, joint) : seen_from_root(part, joint, origin));
        to += stride;
      }
    }
  }

  Vec3 seen_from_root(Part part, int joint, Vec3 origin) const {
    const Affine& now = state_.model_from_joint[idx(joint)];
    const Affine& before = state_.model_from_joint_before[idx(joint)];
    switch (part) {
      case Part::kPosition: return yaw_.into(now.t - origin);
      case Part::kXAxis: return yaw_.into(normalized(now.x));
      case Part::kYAxis: return yaw_.into(normalized(now.y));
      case Part::kZAxis: return yaw_.into(normalized(now.z));
      case Part::kVelocity: return yaw_.into((now.t - before.t) * rate_);
      case Part::kRotationLog: return log_of(Affine{yaw_.into(now.x), yaw_.into(now.y), yaw_.into(now.z), {}});
      default: return yaw_.into(turning(before, now));
    }
  }

  Vec3 seen_from_parent(Part part, int joint) const {
    const Affine now = from_parent(state_, state_.model_from_joint, state_.root, joint);
    switch (part) {
      case Part::kPosition: return now.t;
      case Part::kXAxis: return normalized(now.x);
      case Part::kYAxis: return normalized(now.y);
      case Part::kZAxis: return normalized(now.z);
      case Part::kRotationLog: return log_of(now);
      default: break;
    }
    const Affine before = from_parent(state_, state_.model_from_joint_before, state_.root_before, joint);
    return part == Part::kVelocity ? (now.t - before.t) * rate_ : turning(before, now);
  }

  // The quaternion's logarithm: axis times half the angle, as PFNN's code has it.
  static Vec3 log_of(const Affine& m) { return to_rotation_vector(turn_of(m)) * 0.5F; }

  // Angular velocity, rad/s, in the axes the two are given in.
  Vec3 turning(const Affine& before, const Affine& now) const {
    return to_rotation_vector(turn_of(now) * conjugate(turn_of(before))) * rate_;
  }

  const Layout& layout_;
  const FrameState& state_;
  std::span<float> row_;
  Yaw yaw_;
  float rate_ = static_cast<float>(1 / state_.dt_s);
  std::span<const float> contacts_ = state_.contacts, local_phases_ = state_.local_phases, guidance_ = state_.guidance,
                         styles_ = state_.styles, actions_ = state_.actions;
};

}  // namespace

void encode_row(const Layout& layout, const FrameState& state, std::span<float> row) noexcept {
  ZOE_CHECK(row.size() >= idx(layout.frame_width()), "encode_row: the row is too short");
  ZOE_CHECK(state.skeleton != nullptr && state.skeleton->num_joints() == layout.num_joints() &&
                state.model_from_joint.size() >= idx(layout.num_joints()) &&
                state.model_from_joint_before.size() >= idx(layout.num_joints()),
            "encode_row: the pose is not of the layout's skeleton");
  RowWriter(layout, state, row.first(idx(layout.frame_width()))).run();
}

}  // namespace zoe::features
