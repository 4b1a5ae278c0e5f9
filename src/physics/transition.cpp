// SPDX-License-Identifier: MIT
#include "zoe/physics/transition.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/motion/motion.h"

#include "physics/dense.h"
#include "physics/engine.h"

namespace zoe::physics {

TransitionLayout full_layout(const BodyModel& model) {
  TransitionLayout layout;
  const BodyPlan& plan = model.plan();
  for (int dof = 0; dof < 6; ++dof) layout.dofs.push_back(dof);
  for (std::size_t b = 1; b < plan.bones.size(); ++b) {
    layout.bones.push_back(static_cast<int>(b));
    for (int i = 0; i < 3; ++i) layout.dofs.push_back(model.inside().dof_of_bone[b] + i);
  }
  std::ranges::sort(layout.dofs);  // The engine's order is by branches.
  return layout;
}

TransitionProbe::TransitionProbe(BodyModelPtr model, TransitionLayout layout, Residuals residuals,
                                 const TransitionSteps& steps)
    : model_(std::move(model)),
      layout_(std::move(layout)),
      residuals_(std::move(residuals)),
      steps_(steps),
      before_(model_),
      after_(model_),
      trial_(model_) {
  offsets_.resize(model_->plan().bones.size());
  coordinates_.resize(after_.num_coordinates());
  for (auto* values : {&change_, &moved_, &moved_back_}) values->resize(2 * idx(model_->num_dofs()));
  read_.resize(residuals_.count), read_back_.resize(residuals_.count);
}

void TransitionProbe::differentiate(const BodyState& before, const PoseView& target, const TickOptions& options,
                                    Transition& out) {
  const std::size_t n = layout_.num_states(), m = layout_.num_controls(), r = residuals_.count;
  const std::size_t half = n / 2, num_dofs = idx(model_->num_dofs());
  out.a.resize(n * n), out.b.resize(n * m), out.c.resize(r * n), out.d.resize(r * m), out.residuals.resize(r);
  TickOptions varied = options;
  if (options.offsets_rad.empty())
    std::ranges::fill(offsets_, Vec3d{});
  else
    std::ranges::copy(options.offsets_rad, offsets_.begin());
  varied.offsets_rad = offsets_;
  before_.copy_from(before);
  after_.copy_from(before_);
  after_.tick(target, varied);
  after_.read_coordinates(coordinates_);
  if (r > 0) residuals_.read(after_, out.residuals);

  const auto probe = [&](bool is_control, std::size_t column, double step, std::span<double> moved,
                         std::span<double> read) {
    trial_.copy_from(before_);
    if (is_control) {
      offsets_[idx(layout_.bones[column / 3])][column % 3] += step;
    } else {
      const std::size_t dof = idx(layout_.dofs[column % half]) + (column < half ? 0 : num_dofs);
      change_[dof] = step;
      trial_.displace(change_);
      change_[dof] = 0;
    }
    trial_.tick(target, varied);
    if (is_control) offsets_[idx(layout_.bones[column / 3])][column % 3] -= step;
    trial_.difference_from(coordinates_, moved);
    if (r > 0) residuals_.read(trial_, read);
  };
  for (std::size_t i = 0; i < n + m; ++i) {
    const bool is_control = i >= n;
    const std::size_t column = is_control ? i - n : i, width = is_control ? m : n;
    const double step = is_control ? steps_.offset : column < half ? steps_.position : steps_.velocity;
    probe(is_control, column, step, moved_, read_);
    if (steps_.centred) {
      probe(is_control, column, -step, moved_back_, read_back_);
    } else {
      std::ranges::fill(moved_back_, 0.0);
      std::ranges::copy(out.residuals, read_back_.begin());
    }
    const double scale = 1 / (steps_.centred ? 2 * step : step);
    const std::span<double> states = is_control ? out.b : out.a, errors = is_control ? out.d : out.c;
    for (std::size_t row = 0; row < n; ++row) {
      const std::size_t dof = idx(layout_.dofs[row % half]) + (row < half ? 0 : num_dofs);
      states[row * width + column] = (moved_[dof] - moved_back_[dof]) * scale;
    }
    for (std::size_t row = 0; row < r; ++row) errors[row * width + column] = (read_[row] - read_back_[row]) * scale;
  }
}

double rollout_gradient(TransitionProbe& probe, const BodyState& start, const Motion& targets, int first, int count,
                        double assist_n, std::span<const Vec3d> offsets_rad, std::span<double> gradient,
                        RolloutScratch& scratch) {
  const std::size_t n = probe.layout().num_states(), m = probe.layout().num_controls();
  ZOE_CHECK(count > 0 && first >= 0 && first + count <= targets.num_frames, "rollout_gradient: frames out of range");
  const std::size_t num_bones = offsets_rad.size() / idx(count);
  ZOE_CHECK(gradient.size() == idx(count) * m && offsets_rad.size() == idx(count) * num_bones,
            "rollout_gradient: wrong size");
  scratch.ticks.resize(idx(count));
  double loss = 0;
  for (int i = 0; i < count; ++i) {
    TickOptions options;
    options.assist_n = assist_n;
    options.offsets_rad = offsets_rad.subspan(idx(i) * num_bones, num_bones);
    Transition& tick = scratch.ticks[idx(i)];
    probe.differentiate(i == 0 ? start : probe.after(), targets.frame(first + i), options, tick);
    for (const double r : tick.residuals) loss += 0.5 * r * r;
  }
  scratch.adjoint.assign(n, 0);
  for (int i = count - 1; i >= 0; --i) {
    const Transition& tick = scratch.ticks[idx(i)];
    const std::span<double> at = gradient.subspan(idx(i) * m, m);
    std::ranges::fill(at, 0.0);
    scratch.next.assign(n, 0);
    add_transposed_product(tick.b, scratch.adjoint, at);
    add_transposed_product(tick.d, tick.residuals, at);
    add_transposed_product(tick.a, scratch.adjoint, scratch.next);
    add_transposed_product(tick.c, tick.residuals, scratch.next);
    std::swap(scratch.adjoint, scratch.next);
  }
  return loss;
}

}  // namespace zoe::physics
