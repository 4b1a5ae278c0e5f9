// SPDX-License-Identifier: MIT
// Part of Zoetrope. A BodyState as bytes, as a copy, as a hash, and as coordinates that derivatives change.
#include <algorithm>
#include <cstring>

#include "zoe/core/hash64.h"

#include "physics/finite_bytes.h"
#include "physics/state_inside.h"

namespace zoe::physics {
namespace {

// One list of arrays for saving and restoring.
template <typename Visit>
void visit_state(const mjModel& model, mjData& data, double& ground, Vec3d& moved, Vec3d& com, Vec3d& com_velocity,
                 std::vector<mjtNum>& target, std::vector<mjtNum>& velocity, Pose& pose, const Visit& visit) {
  visit(&data.time, sizeof(mjtNum));
  visit(&ground, sizeof(double));
  visit(&moved, sizeof(Vec3d));
  visit(&com, sizeof(Vec3d));
  visit(&com_velocity, sizeof(Vec3d));
  visit(data.qpos, sizeof(mjtNum) * idx(model.nq));
  visit(data.qvel, sizeof(mjtNum) * idx(model.nv));
  visit(data.qacc_warmstart, sizeof(mjtNum) * idx(model.nv));
  visit(target.data(), sizeof(mjtNum) * target.size());
  visit(velocity.data(), sizeof(mjtNum) * velocity.size());
  visit(pose.translations.data(), sizeof(Vec3) * pose.translations.size());
  visit(pose.rotations.data(), sizeof(Quat) * pose.rotations.size());
  visit(pose.scales.data(), sizeof(Vec3) * pose.scales.size());
}

}  // namespace

std::size_t BodyState::num_saved_bytes() const {
  ZOE_CHECK(!inside_->shares, "BodyState: a body of a world is not saved alone");
  std::size_t size = 0;
  Inside& s = *inside_;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void*, std::size_t bytes) { size += bytes; });
  return size;
}

void BodyState::save(std::span<std::byte> out) const {
  ZOE_CHECK(out.size() == num_saved_bytes(), "BodyState::save: wrong size");
  std::size_t at = 0;
  Inside& s = *inside_;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void* values, std::size_t bytes) {
                std::memcpy(out.data() + at, values, bytes);
                at += bytes;
              });
}

Result<void> BodyState::restore(std::span<const std::byte> bytes) {
  ZOE_CHECK(!inside_->shares, "BodyState: a body of a world is not saved alone");
  if (bytes.size() != num_saved_bytes())
    return Error{ErrorCode::kInvalid, "the saved state is of another body: its size differs", {}};
  Inside& s = *inside_;
  // Doubles first; all of them must be finite.
  const std::size_t size_of_doubles = sizeof(double) * (11 + 2 * idx(s.engine()->nq) + 3 * idx(s.engine()->nv));
  if (!all_finite_in<double>(bytes.first(size_of_doubles)) || !all_finite_in<float>(bytes.subspan(size_of_doubles)))
    return Error{ErrorCode::kInvalid, "the saved state has a number that is not finite", {}};
  mj_resetData(s.engine(), s.data.get());
  std::size_t at = 0;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void* values, std::size_t size) {
                std::memcpy(values, bytes.data() + at, size);
                at += size;
              });
  anatomy::compute_model_pose(*s.parts().skeleton, s.pose.view(), s.posed);
  // Kinematics normalises rotations once more, which may change their last bits.
  std::ranges::copy_n(s.data->qpos, s.engine()->nq, s.now.begin());
  mj_kinematics(s.engine(), s.data.get());
  mj_comPos(s.engine(), s.data.get());
  std::ranges::copy(s.now, s.data->qpos);
  return {};
}

void BodyState::copy_from(const BodyState& other) {
  ZOE_CHECK(!inside_->shares, "BodyState: a body of a world is not saved alone");
  ZOE_CHECK(inside_->model == other.inside_->model || (inside_->parts().skeleton == other.inside_->parts().skeleton &&
                                                       inside_->engine()->nq == other.inside_->engine()->nq),
            "BodyState::copy_from: another body");
  Inside& s = *inside_;
  const Inside& o = *other.inside_;
  // A tick needs no more than this. All of the engine's data are some megabytes, and copies take longer than ticks.
  s.data->time = o.data->time;
  std::ranges::copy_n(o.data->qpos, s.engine()->nq, s.data->qpos);
  std::ranges::copy_n(o.data->qvel, s.engine()->nv, s.data->qvel);
  std::ranges::copy_n(o.data->qacc_warmstart, s.engine()->nv, s.data->qacc_warmstart);
  std::ranges::copy_n(o.data->xpos, 3 * s.engine()->nbody, s.data->xpos);
  std::ranges::copy_n(o.data->xquat, 4 * s.engine()->nbody, s.data->xquat);
  std::ranges::copy_n(o.data->subtree_com, 3 * s.engine()->nbody, s.data->subtree_com);
  std::ranges::copy_n(o.data->cvel, 6 * s.engine()->nbody, s.data->cvel);
  s.data->ncon = o.data->ncon;
  std::copy_n(o.data->contact, o.data->ncon, s.data->contact);
  s.ground_y_m = o.ground_y_m, s.moved = o.moved;
  s.target = o.target, s.previous = o.previous, s.velocity = o.velocity;
  s.com = o.com, s.com_velocity = o.com_velocity;
  s.pose = o.pose;
  std::ranges::copy(o.posed.rotations, s.posed.rotations.begin());
  std::ranges::copy(o.posed.positions, s.posed.positions.begin());
}

std::uint64_t BodyState::hash() const {
  Hash64 hash;
  Inside& s = *inside_;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void* values, std::size_t bytes) {
                hash.add({static_cast<const std::byte*>(values), bytes});
              });
  return hash.finish();
}

std::size_t BodyState::num_coordinates() const { return idx(inside_->engine()->nq) + idx(inside_->engine()->nv); }

void BodyState::read_coordinates(std::span<double> out) const {
  const Inside& s = *inside_;
  ZOE_CHECK(out.size() == num_coordinates(), "BodyState::read_coordinates: wrong size");
  std::copy_n(s.data->qpos, s.engine()->nq, out.data());
  std::copy_n(s.data->qvel, s.engine()->nv, out.data() + s.engine()->nq);
}

void BodyState::displace(std::span<const double> change) {
  Inside& s = *inside_;
  const std::size_t nv = idx(s.engine()->nv);
  ZOE_CHECK(change.size() == 2 * nv, "BodyState::displace: wrong size");
  mj_integratePos(s.engine(), s.data->qpos, change.data(), 1);
  for (std::size_t i = 0; i < nv; ++i) s.data->qvel[i] += change[nv + i];
  mj_kinematics(s.engine(), s.data.get());
  mj_comPos(s.engine(), s.data.get());
}

void BodyState::difference_from(std::span<const double> coordinates, std::span<double> change) const {
  const Inside& s = *inside_;
  const std::size_t nq = idx(s.engine()->nq), nv = idx(s.engine()->nv);
  ZOE_CHECK(coordinates.size() == nq + nv && change.size() == 2 * nv, "BodyState::difference_from: wrong size");
  mj_differentiatePos(s.engine(), change.data(), 1, coordinates.data(), s.data->qpos);
  for (std::size_t i = 0; i < nv; ++i) change[nv + i] = s.data->qvel[i] - coordinates[nq + i];
}

void BodyState::velocity_error(std::span<double> out) const {
  const Inside& s = *inside_;
  ZOE_CHECK(out.size() == s.velocity.size(), "BodyState::velocity_error: wrong size");
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = s.data->qvel[i] - s.velocity[i];
}

}  // namespace zoe::physics
