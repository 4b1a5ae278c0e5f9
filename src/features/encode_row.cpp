// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/features/frame_rows.h"
#include "zoe/math/lanes.h"
#include "zoe/math/portable_quat.h"

#include "features/row_parts.h"
#include "features/words.h"

namespace zoe::features {
namespace {

// Rotations of joints from their rest pose, once each.
struct RestTurns {
  static constexpr std::size_t kSize = 256;  // Joints beyond it are computed anew.
  std::bitset<kSize> known;
  // Not initialised: sixteen bytes each, in the memory order of Quat.
  alignas(16) std::array<Float4::Lanes, kSize> values;

  Quat at(std::size_t joint) const { return std::bit_cast<Quat>(values[joint]); }
  void set(std::size_t joint, Quat turn) {
    values[joint] = std::bit_cast<Float4::Lanes>(turn);
    known.set(joint);
  }
};

// The axes of four maps.
Affine4 axes_of_four(const Affine* const maps[4]) {
  const auto four = [&](std::size_t first) {
    const auto row = [&](int i) { return lanes_at(&maps[i]->x.x + first); };
    return transposed(row(0), row(1), row(2), row(3));
  };
  const Quat4 a = four(0), b = four(4), c = four(8);
  return {{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}, {}};
}

// As unscaled_rotation(), handedness() and part_of_rotation() for four, with the same bits.
Float4 handedness_of_four(const Affine4& m) {
  return select(dot(cross(m.x, m.y), m.z) < Float4(0.0F), Float4(-1.0F), Float4(1.0F));
}
Quat4 unscaled_rotations(const Affine4& m) {
  const Float4 sign = handedness_of_four(m);
  return rotation_of(Affine4{normalized(m.x) * sign, normalized(m.y) * sign, normalized(m.z) * sign, {}});
}

class RowWriter {
 public:
  RowWriter(const Layout& layout, const FrameState& state, std::span<float> row)
      : layout_(layout), state_(state), row_(row), yaw_(Yaw::of(state.root.facing_rad)) {}

  void run() {
    std::fill(row_.begin(), row_.end(), 0.0F);
    const Vec3 velocity = (state_.root.position - state_.root_before.position) * rate_;
    write_root(row_, state_.root, yaw_, velocity, (state_.root.facing_rad - state_.root_before.facing_rad) * rate_);
    for (const RowSource& source : layout_.row_sources()) write(source);
    spread_contacts(layout_, row_);
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
      case Group::kJoint:
        write_joints(source, out);
        break;
      case Group::kContact:
        copy(contacts_);
        break;
      case Group::kPhaseLocal:
        copy(local_phases_);
        break;
      case Group::kGuidance:
        copy(guidance_);
        break;
      case Group::kStyle:
        copy(styles_);
        break;
      case Group::kAction:
        copy(actions_);
        break;
      case Group::kPhaseGlobal:
        out[0] = state_.global_phase.x;
        out[1] = state_.global_phase.y;
        break;
      case Group::kGoal:
        write_goal(goal_, out);
        break;
      case Group::kSignal:
        for (const SignalTrack& signal : state_.signals)
          if (signal.name == source.name)
            std::copy_n(signal.values.begin(), std::min(signal.values.size(), idx(source.width)), out);
        break;
      case Group::kTerrain:
        write_terrain(layout_.schema().terrain_lateral_m, state_.root, yaw_, state_.ground, out);
        break;
      default:
        break;
    }
  }

  void write_joints(const RowSource& source, float* out) const {
    // Relative to model_origin, as the joints are.
    Vec3 origin = state_.root.position - state_.model_origin;
    Yaw yaw = yaw_;
    if (source.space == Space::kTracking) {
      const Vec3 head = state_.model_from_joint[idx(source.joints[0])].t;
      origin = {head.x, origin.y, head.z};
    } else if (source.space == Space::kGoal) {
      origin = goal_.position - state_.model_origin;
      yaw = yaw_along(goal_.direction);
    }
    const int stride = part_widths(source.parts);
    const bool canonical = source.space == Space::kCanonical;
    if (canonical) write_turns(source, stride, out);
    for (const Part part : source.parts) {
      float* to = out;
      out += part_width(part);
      if (part == Part::kContact || (canonical && is_turn(part))) continue;  // spread_contacts(), write_turns()
      std::size_t i = 0;
      if (is_plain(source.space, part)) {
        for (; i + 4 <= source.joints.size(); i += 4, to += 4 * stride)
          write_four(part, &source.joints[i], origin, yaw, to, stride);
      }
      for (; i < source.joints.size(); ++i, to += stride)
        put(to, value(source.space, part, source.joints[i], origin, yaw));
    }
  }

  // Canonical rotations, in all parts that have them.
  void write_turns(const RowSource& source, int stride, float* out) const {
    if (std::none_of(source.parts.begin(), source.parts.end(), is_turn)) return;
    RestTurns turns;  // Each joint's rotation counts for itself and its children.
    const bool has_log = std::count(source.parts.begin(), source.parts.end(), Part::kRotationLog) > 0;
    std::size_t i = 0;
    // Most joints of the body: all rotations at once.
    if (!has_log && 2 * source.joints.size() > idx(layout_.num_joints()) &&
        idx(layout_.num_joints()) <= RestTurns::kSize) {
      turn_all(turns);
      for (; i + 4 <= source.joints.size(); i += 4, out += 4 * stride)
        write_four_turns(source, &source.joints[i], turns, stride, out);
    }
    for (; i < source.joints.size(); ++i) {
      const Affine axes = to_affine(canonical_rotation(source.joints[i], turns));
      float* to = out;
      for (const Part part : source.parts) {
        if (is_turn(part)) put(to, part_of_rotation(part, axes));
        to += part_width(part);
      }
      out += stride;
    }
  }

  // As turned_from_rest(), of all joints.
  void turn_all(RestTurns& turns) const {
    const std::size_t count = idx(layout_.num_joints());
    const std::span<const Quat> rest = layout_.rest_rotations();
    std::size_t j = 0;
    for (; j + 4 <= count; j += 4) {
      const Affine* maps[4];
      for (std::size_t i = 0; i < 4; ++i) maps[i] = &state_.model_from_joint[j + i];
      const Quat4 turned = unscaled_rotations(axes_of_four(maps)) * conjugate(load4(&rest[j]));
      const Quat4 rows = transposed(turned.x.lanes, turned.y.lanes, turned.z.lanes, turned.w.lanes);
      turns.values[j] = rows.x.lanes;
      turns.values[j + 1] = rows.y.lanes;
      turns.values[j + 2] = rows.z.lanes;
      turns.values[j + 3] = rows.w.lanes;
      for (std::size_t i = 0; i < 4; ++i) turns.known.set(j + i);
    }
    for (; j < count; ++j) turned_from_rest(static_cast<int>(j), turns);
  }

  void write_four_turns(const RowSource& source, const int* joints, const RestTurns& turns, int stride,
                        float* out) const {
    const auto root = std::bit_cast<Float4::Lanes>(rotation_of(state_.root));
    Float4::Lanes own[4], above[4];
    for (int i = 0; i < 4; ++i) {
      const std::size_t j = idx(joints[i]);
      own[i] = turns.values[j];
      above[i] = layout_.hangs_on_hips()[j] == 0 ? root : turns.values[idx(state_.skeleton->parent(joints[i]))];
    }
    const Affine4 axes = to_affine(conjugate(transposed(above[0], above[1], above[2], above[3])) *
                                   transposed(own[0], own[1], own[2], own[3]));
    const Float4 sign = handedness_of_four(axes);
    for (const Part part : source.parts) {
      float* to = out;
      out += part_width(part);
      if (!is_turn(part)) continue;
      const Vec3x4 value = normalized(part == Part::kXAxis ? axes.x : part == Part::kYAxis ? axes.y : axes.z) * sign;
      for (int i = 0; i < 4; ++i, to += stride) put(to, {value.x.lanes[i], value.y.lanes[i], value.z.lanes[i]});
    }
  }

  static bool is_turn(Part part) { return part >= Part::kXAxis && part <= Part::kRotationLog; }

  // Parts that seen_from() computes without trigonometry.
  static bool is_plain(Space space, Part part) {
    const bool is_axis = part == Part::kXAxis || part == Part::kYAxis || part == Part::kZAxis;
    if (is_axis) return space != Space::kParent && space != Space::kCanonical;
    return (part == Part::kPosition || part == Part::kVelocity) && space != Space::kParent;
  }

  // As seen_from() for four joints, with the same bits.
  void write_four(Part part, const int* joints, Vec3 origin, const Yaw& yaw, float* out, int stride) const {
    const Affine* now[4];
    for (int i = 0; i < 4; ++i) now[i] = &state_.model_from_joint[idx(joints[i])];
    const auto columns = [&](Vec3 Affine::*column) {
      const Vec3 &a = now[0]->*column, &b = now[1]->*column, &c = now[2]->*column, &d = now[3]->*column;
      return Vec3x4{Float4::Lanes{a.x, b.x, c.x, d.x}, Float4::Lanes{a.y, b.y, c.y, d.y},
                    Float4::Lanes{a.z, b.z, c.z, d.z}};
    };
    Vec3x4 value;
    if (part == Part::kPosition) {
      value = columns(&Affine::t) - in_all_lanes(origin);
    } else if (part == Part::kVelocity) {
      const Vec3x4 t = columns(&Affine::t);
      for (int i = 0; i < 4; ++i) now[i] = &state_.model_from_joint_before[idx(joints[i])];
      value = (t - columns(&Affine::t) + in_all_lanes(origin_moved_)) * Float4(rate_);
    } else {
      const Vec3x4 x = columns(&Affine::x), y = columns(&Affine::y), z = columns(&Affine::z);
      const Float4 sign = handedness_of_four({x, y, z, {}});
      value = turned_into(yaw, normalized(part == Part::kXAxis ? x : part == Part::kYAxis ? y : z)) * sign;
    }
    if (part == Part::kPosition || part == Part::kVelocity) value = turned_into(yaw, value);
    for (int i = 0; i < 4; ++i, out += stride) put(out, {value.x.lanes[i], value.y.lanes[i], value.z.lanes[i]});
  }
  // As Yaw::into().
  static Vec3x4 turned_into(const Yaw& yaw, const Vec3x4& v) {
    const Float4 sine(yaw.sine), cosine(yaw.cosine);
    return {cosine * v.x - sine * v.z, v.y, sine * v.x + cosine * v.z};
  }

  Vec3 value(Space space, Part part, int joint, Vec3 origin, const Yaw& yaw) const {
    if (space == Space::kParent) return seen_from_parent(part, joint);
    return seen_from(part, joint, origin, yaw);
  }

  Vec3 seen_from(Part part, int joint, Vec3 origin, const Yaw& yaw) const {
    const Affine& now = state_.model_from_joint[idx(joint)];
    const Affine& before = state_.model_from_joint_before[idx(joint)];
    switch (part) {
      case Part::kPosition:
        return yaw.into(now.t - origin);
      case Part::kXAxis:
        return yaw.into(normalized(now.x)) * handedness(now);
      case Part::kYAxis:
        return yaw.into(normalized(now.y)) * handedness(now);
      case Part::kZAxis:
        return yaw.into(normalized(now.z)) * handedness(now);
      case Part::kVelocity:
        return yaw.into((now.t - before.t + origin_moved_) * rate_);
      case Part::kRotationLog:
        return log_of(Affine{yaw.into(now.x), yaw.into(now.y), yaw.into(now.z), {}});
      default:
        return yaw.into(turning(before, now));
    }
  }

  Vec3 seen_from_parent(Part part, int joint) const {
    const Affine now = from_parent(state_.model_from_joint, state_.root, state_.model_origin, joint);
    if (part == Part::kPosition) return now.t;
    if (part <= Part::kRotationLog) return part_of_rotation(part, now);
    const Affine before =
        from_parent(state_.model_from_joint_before, state_.root_before, state_.model_origin_before, joint);
    return part == Part::kVelocity ? (now.t - before.t) * rate_ : turning(before, now);
  }

  static Vec3 part_of_rotation(Part part, const Affine& m) {
    switch (part) {
      case Part::kXAxis:
        return normalized(m.x) * handedness(m);
      case Part::kYAxis:
        return normalized(m.y) * handedness(m);
      case Part::kZAxis:
        return normalized(m.z) * handedness(m);
      default:
        return log_of(m);
    }
  }

  // The joint relative to its parent joint, or to the root where it is not below the hips.
  Affine from_parent(std::span<const Affine> models, const PlanarRoot& root, Vec3 origin, int joint) const {
    if (layout_.hangs_on_hips()[idx(joint)] != 0)
      return inverse(models[idx(state_.skeleton->parent(joint))]) * models[idx(joint)];
    Affine frame = to_affine(rotation_of(root));
    frame.t = root.position - origin;
    return inverse(frame) * models[idx(joint)];
  }

  // Rotation of the joint from its rest pose beyond its parent's, in model axes at rest: identity at rest for any bone
  // axes.
  Quat canonical_rotation(int joint, RestTurns& turns) const {
    const Quat turned = turned_from_rest(joint, turns);
    if (layout_.hangs_on_hips()[idx(joint)] == 0) return conjugate(rotation_of(state_.root)) * turned;
    return conjugate(turned_from_rest(state_.skeleton->parent(joint), turns)) * turned;
  }
  Quat turned_from_rest(int joint, RestTurns& turns) const {
    const std::size_t j = idx(joint);
    if (j < RestTurns::kSize && turns.known[j]) return turns.at(j);
    const Quat turned = unscaled_rotation(state_.model_from_joint[j]) * conjugate(layout_.rest_rotations()[j]);
    if (j < RestTurns::kSize) turns.set(j, turned);
    return turned;
  }

  // The quaternion's logarithm: axis times half the angle, as in the code of PFNN.
  static Vec3 log_of(const Affine& m) { return portable_to_rotation_vector(unscaled_rotation(m)) * 0.5F; }

  // Angular velocity, rad/s, in the axes of both arguments.
  Vec3 turning(const Affine& before, const Affine& now) const {
    return portable_to_rotation_vector(unscaled_rotation(now) * conjugate(unscaled_rotation(before))) * rate_;
  }

  const Layout& layout_;
  const FrameState& state_;
  std::span<float> row_;
  Yaw yaw_;
  float rate_ = static_cast<float>(1 / state_.dt_s);
  Vec3 origin_moved_ = state_.model_origin - state_.model_origin_before;
  Goal goal_ = state_.goal != nullptr ? *state_.goal : Goal{state_.root.position, {yaw_.sine, 0, yaw_.cosine}};
  std::span<const float> contacts_ = state_.contacts, local_phases_ = state_.local_phases, guidance_ = state_.guidance,
                         styles_ = state_.styles, actions_ = state_.actions;
};

}  // namespace

void spread_contacts(const Layout& layout, std::span<float> row) {
  for (const auto& copy : layout.contact_copies()) row[idx(copy.to)] = 0;
  for (const auto& copy : layout.contact_copies()) row[idx(copy.to)] = std::max(row[idx(copy.to)], row[idx(copy.from)]);
}

void encode_row(const Layout& layout, const FrameState& state, std::span<float> row) noexcept {
  ZOE_CHECK(row.size() >= idx(layout.frame_width()), "encode_row: the row is too short");
  ZOE_CHECK(state.skeleton != nullptr && state.skeleton->num_joints() == layout.num_joints() &&
                state.model_from_joint.size() >= idx(layout.num_joints()) &&
                state.model_from_joint_before.size() >= idx(layout.num_joints()),
            "encode_row: the pose is not of the layout's skeleton");
  RowWriter(layout, state, row.first(idx(layout.frame_width()))).run();
}

}  // namespace zoe::features
