// SPDX-License-Identifier: MIT
#include "physics/support_force.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::physics {
namespace {

constexpr int kMostContacts = 24;  // Contacts; more add nothing.
constexpr double kFriction = 0.8;  // Less than the model's 1: a margin against slipping.
using Six = std::array<double, 6>;

struct SupportPoint {
  Vec3d arm;  // From the centre of mass.
  Vec3d force;
  int body = 0;
  bool used = true;
};

// Solves a x = b for a symmetric positive definite matrix (Cholesky).
Six solve_six(std::array<Six, 6> a, Six b) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = 6; i-- > 0;) {
    for (std::size_t k = i + 1; k < 6; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// Smallest forces with the requested sum and moment: f = Gᵀ (G Gᵀ + ε)⁻¹ b, G = [1; arm×]. Moments are divided by
// `size` so that both halves have the same unit.
void distribute(std::span<SupportPoint> points, const SupportGoal& goal, double size) {
  std::array<Six, 6> gram{};
  for (const SupportPoint& p : points) {
    if (!p.used) continue;
    const Vec3d r = p.arm / size;
    // Columns of G for the three axes: (e, r × e).
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3d e{};
      e[axis] = 1;
      const Vec3d m = cross(r, e);
      const Six column{e.x, e.y, e.z, m.x, m.y, m.z};
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) gram[i][j] += column[i] * column[j];
    }
  }
  // Forces count more than moments where both cannot be met: one foot cannot hold a turning body.
  for (std::size_t i = 0; i < 6; ++i) gram[i][i] += i < 3 ? 1e-6 : 1e-2;
  const Vec3d moment = goal.torque_nm / size;
  const Six x = solve_six(gram, {goal.force_n.x, goal.force_n.y, goal.force_n.z, moment.x, moment.y, moment.z});
  const Vec3d u{x[0], x[1], x[2]}, w{x[3], x[4], x[5]};
  for (SupportPoint& p : points) p.force = p.used ? u + cross(w, p.arm / size) : Vec3d{};
}

}  // namespace

void add_joint_torques(const mjModel& model, mjData& data, const JointForce& at, int first_dof) {
  // Jᵀ f along the chain to the root: velocities of dofs are about the root's centre of mass.
  const Vec3d moment = cross(at.arm, at.force);
  for (int dof = model.body_dofadr[at.body] + model.body_dofnum[at.body] - 1; dof >= first_dof + 6;
       dof = model.dof_parentid[dof]) {
    const mjtNum* c = data.cdof + 6 * dof;
    data.qfrc_applied[dof] +=
        c[0] * moment.x + c[1] * moment.y + c[2] * moment.z + c[3] * at.force.x + c[4] * at.force.y + c[5] * at.force.z;
  }
}

void add_support_torques(const mjModel& model, mjData& data, const SupportGoal& goal, const SupportedBody& body) {
  if (!(goal.force_n.y > 0)) return;  // In flight.
  std::array<SupportPoint, kMostContacts> all;
  std::size_t num_points = 0;
  const mjtNum* centre = data.subtree_com + 3 * body.root;
  const Vec3d com{centre[0], centre[1], centre[2]};
  const auto is_own = [&](int b) { return b >= body.root && b < body.root + body.num_bones; };
  double size = 1e-3;
  for (int i = 0; i < data.ncon && num_points < all.size(); ++i) {
    const mjContact& contact = data.contact[i];
    const int a = model.geom_bodyid[contact.geom1], b = model.geom_bodyid[contact.geom2];
    if (is_own(a) == is_own(b)) continue;
    // Whatever is below carries; what is beside does not.
    const int other = is_own(a) ? b : a;
    if (other != 0 && std::abs(contact.frame[1]) < 0.5) continue;
    SupportPoint& point = all[num_points++];
    point = {Vec3d{contact.pos[0], contact.pos[1], contact.pos[2]} - com, {}, is_own(a) ? a : b, true};
    size = std::max(size, length(point.arm));
  }
  const std::span<SupportPoint> points = std::span(all).first(num_points);
  for (int round = 0; round < 3; ++round) {
    distribute(points, goal, size);
    bool pulls = false;
    for (SupportPoint& p : points)
      if (p.used && p.force.y < 0) p.used = false, pulls = true;
    if (!pulls) break;
  }
  for (SupportPoint& p : points) {
    if (!p.used || !(p.force.y > 0)) continue;
    const double flat = std::hypot(p.force.x, p.force.z), most = kFriction * p.force.y;
    if (flat > most) p.force.x *= most / flat, p.force.z *= most / flat;
    add_joint_torques(model, data, {p.body, p.arm, -p.force}, body.first_dof);
  }
}

}  // namespace zoe::physics
