// SPDX-License-Identifier: MIT
#include "train/style/role_chain.h"

namespace zoe::train {
namespace {

// [..., roles, 6] -> [..., roles, 3, 3]: the first two columns made orthonormal.
at::Tensor matrices_of(const at::Tensor& six) {
  const auto unit = [](const at::Tensor& v) { return v / (v.square().sum(-1, true) + 1e-8).sqrt(); };
  const at::Tensor x = unit(six.narrow(-1, 0, 3)), raw = six.narrow(-1, 3, 3);
  const at::Tensor y = unit(raw - x * (x * raw).sum(-1, true));
  return at::stack({x, y, at::linalg_cross(x, y)}, -1);
}

}  // namespace

Result<RoleChain> RoleChain::create(const std::vector<std::int64_t>& above, const std::vector<double>& offsets,
                                    int width, const at::TensorOptions& options) {
  RoleChain chain;
  const std::size_t roles = above.size();
  if (roles == 0) return chain;
  if (offsets.size() != 3 * roles) return Error{ErrorCode::kUsage, "model.offsets needs three numbers for each role"};
  if (static_cast<std::size_t>(width) < 6 * roles + 4)
    return Error{ErrorCode::kUsage, "model.chain has more roles than x has columns for"};
  std::vector<std::size_t> depth(roles, 0);
  std::vector<std::vector<std::int64_t>> members;
  std::vector<std::int64_t> place(roles, 0);  // Within the level.
  for (std::size_t role = 0; role < roles; ++role) {
    if ((above[role] == 0) != (role == 0) || above[role] < 0 || above[role] > static_cast<std::int64_t>(role))
      return Error{ErrorCode::kUsage, "model.chain must name roles that come before"};
    if (role > 0) depth[role] = depth[static_cast<std::size_t>(above[role] - 1)] + 1;
    if (depth[role] >= members.size()) members.emplace_back();
    place[role] = static_cast<std::int64_t>(members[depth[role]].size());
    members[depth[role]].push_back(static_cast<std::int64_t>(role));
  }
  std::vector<std::int64_t> order(roles);
  std::int64_t first = 0;
  for (const std::vector<std::int64_t>& level : members) {
    std::vector<std::int64_t> parents;
    std::vector<double> bones;
    for (const std::int64_t role : level) {
      const auto r = static_cast<std::size_t>(role);
      parents.push_back(role == 0 ? 0 : place[static_cast<std::size_t>(above[r] - 1)]);
      bones.insert(bones.end(), offsets.begin() + static_cast<std::ptrdiff_t>(3 * r),
                   offsets.begin() + static_cast<std::ptrdiff_t>(3 * r + 3));
      order[r] = first + place[r];
    }
    first += static_cast<std::int64_t>(level.size());
    const auto count = static_cast<std::int64_t>(level.size());
    chain.levels_.push_back({at::tensor(level).to(options.device()), at::tensor(parents).to(options.device()),
                             at::tensor(bones).to(options).view({count, 3, 1})});
  }
  chain.order_ = at::tensor(order).to(options.device());
  chain.roles_ = static_cast<std::int64_t>(roles);
  return chain;
}

at::Tensor RoleChain::positions(const at::Tensor& y) const {
  const at::Tensor local = matrices_of(y.narrow(2, 0, 6 * roles_).reshape({y.size(0), y.size(1), roles_, 6}));
  std::vector<at::Tensor> places;
  at::Tensor rotations, before;
  for (const Level& level : levels_) {
    const at::Tensor own = local.index_select(2, level.roles);
    if (!rotations.defined()) {
      rotations = own;
      before = at::zeros({y.size(0), y.size(1), 1, 3}, y.options());
    } else {
      const at::Tensor above = rotations.index_select(2, level.parents);
      before = before.index_select(2, level.parents) + at::matmul(above, level.offsets).squeeze(-1);
      rotations = at::matmul(above, own);
    }
    places.push_back(before);
  }
  return at::cat(places, 2).index_select(2, order_);
}

at::Tensor RoleChain::ground_speeds(const at::Tensor& y, const at::Tensor& positions, const at::Tensor& which,
                                    double fps) const {
  const std::int64_t steps = y.size(1) - 1;
  const at::Tensor now = positions.index_select(2, which), before = now.narrow(1, 0, steps),
                   after = now.narrow(1, 1, steps), row = y.narrow(1, 1, steps);
  const at::Tensor across = row.narrow(2, 6 * roles_ + 1, 1) / fps, along = row.narrow(2, 6 * roles_ + 2, 1) / fps;
  const at::Tensor turn = row.narrow(2, 6 * roles_ + 3, 1) / fps;
  // The position before, in the axes of the facing after: turned back by the turn.
  const at::Tensor x = before.select(3, 0), z = before.select(3, 2), c = turn.cos(), s = turn.sin();
  const at::Tensor dx = after.select(3, 0) + across - (c * x - s * z),
                   dz = after.select(3, 2) + along - (s * x + c * z);
  return fps * (dx.square() + dz.square() + 1e-8).sqrt();
}

at::Tensor RoleChain::timing_error(const at::Tensor& made, const at::Tensor& source, const at::Tensor& which,
                                   double correlation) {
  constexpr double kMoves = 0.1, kLeastSize = 0.35;  // Leg lengths; of the source's size.
  const auto about_mean = [&](const at::Tensor& all) {
    const at::Tensor path = all.index_select(2, which).narrow(3, 1, 2);  // [batch, steps, which, up and along]
    return path - path.mean(1, true);
  };
  const auto size_of = [](const at::Tensor& path) { return (path.square().mean(1).sum(2) + 1e-6).sqrt(); };
  const at::Tensor a = about_mean(made), b = about_mean(source), size_a = size_of(a), size_b = size_of(b);
  const at::Tensor together = (a * b).mean(1).sum(2) / (size_a * size_b);
  const at::Tensor moves = (size_b / kMoves).clamp_max(1);  // [batch, which]
  return (moves * (at::relu(correlation - together) + at::relu(kLeastSize - size_a / size_b))).mean();
}

}  // namespace zoe::train
