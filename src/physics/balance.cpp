// SPDX-License-Identifier: MIT
#include "zoe/physics/balance.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "physics/dense.h"
#include "physics/engine.h"

namespace zoe::physics {
namespace {

constexpr double kVariation = 0.03;  // Radians. Contacts come and go within smaller changes.
constexpr double kMostOffset = 0.7;  // Radians.
constexpr double kEffort = 1;        // Of offsets: ½ kEffort |u|² beside the residuals.
constexpr double kTrouble = 0.7;     // Of the loss per frame: above it a plan is improved again.
// Tolerable errors. Lengths are fractions of the body's height, speeds of √(g × height).
constexpr double kPosition = 0.03, kOrientation_rad = 0.2, kSpeed = 0.08, kSpin_rad_s = 1.5, kJointSpeed_rad_s = 6;
constexpr double kCapture = 0.04;

double half_square(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += 0.5 * value * value;
  return sum;
}

// The same body with the steps of plans.
BodyModelPtr plan_model(const BodyModelPtr& model, const BalanceOptions& options) {
  if (options.steps_per_frame <= 0 || options.steps_per_frame == model->options().steps_per_frame) return model;
  BodyModelOptions other = model->options();
  other.steps_per_frame = options.steps_per_frame;
  return BodyModel::create(model->plan(), model->inside().skeleton, other).value();
}

}  // namespace

Balancer::Balancer(BodyModelPtr model, const Motion& targets, const BalanceOptions& options, double assist_n)
    : model_(plan_model(model, options)), targets_(targets), options_(options), assist_n_(assist_n), trial_(model_) {
  ZOE_CHECK(options.horizon_frames > 0 && options.window_frames > 0 && options.most_rounds > 0,
            "Balancer: a plan needs frames and rounds");
  const BodyPlan& plan = model_->plan();
  bones_ = balancing_bones(plan);
  window_frames_ = idx(options.window_frames);
  num_controls_ = 3 * bones_.size();
  num_residuals_ = 3 * plan.bones.size() + 8 + idx(model_->num_dofs());
  const std::size_t windows = (idx(options.horizon_frames) + window_frames_ - 1) / window_frames_;
  const std::size_t num_unknowns = windows * num_controls_;
  for (std::size_t i = 0; i < windows; ++i) starts_.emplace_back(model_);
  for (auto* values : {&controls_, &tried_, &best_, &gradient_, &step_}) values->assign(num_unknowns, 0);
  nominal_.resize(windows * window_frames_ * num_residuals_), varied_.resize(nominal_.size());
  jacobian_.resize(num_unknowns * nominal_.size());
  hessian_.resize(num_unknowns * num_unknowns), factor_.resize(hessian_.size());
  offsets_.resize(plan.bones.size());
}

void Balancer::write_offsets(std::span<const double> controls) {
  for (std::size_t i = 0; i < controls.size(); ++i) offsets_[idx(bones_[i / 3])][i % 3] = controls[i];
}

// Errors divided by what is tolerable: bones' origins, centre of mass, the root's orientation, velocities.
void Balancer::read_residuals(const BodyState& state, Vec3d before, std::span<double> out) const {
  const BodyPlan& plan = model_->plan();
  const double size = plan.height_m, num_bones = static_cast<double>(plan.bones.size());
  std::size_t at = 0;
  const auto add = [&](Vec3d error, double tolerable) {
    for (std::size_t i = 0; i < 3; ++i) out[at++] = error[i] / tolerable;
  };
  for (int bone = 0; idx(bone) < plan.bones.size(); ++bone)
    add(state.bone_origin_m(bone) - state.target_origin_m(bone), kPosition * size * std::sqrt(num_bones));
  const Vec3d centre = state.centre_of_mass_m(), error = centre - state.target_centre_of_mass_m();
  add(error, kPosition * size);
  // Where the body would come to rest above: a pendulum on its head moves away from it (Pratt et al., "Capture point",
  // 2006). An error of it grows; that of the centre of mass alone may be on its way back.
  const double pendulum_s = std::sqrt(std::max(centre.y - state.ground_m(centre), 0.1 * size) / kGravityM_s2);
  const Vec3d capture = error + (error - before) * (pendulum_s / model_->options().frame_s);
  out[at++] = capture.x / (kCapture * size), out[at++] = capture.z / (kCapture * size);
  add(to_rotation_vector(normalized(conjugate(state.target_rotation(0)) * state.bone_rotation(0))), kOrientation_rad);
  const std::span<double> velocities = out.subspan(at);
  state.velocity_error(velocities);
  const double speed = kSpeed * std::sqrt(kGravityM_s2 * size);
  const double joints = kJointSpeed_rad_s * std::sqrt(static_cast<double>(velocities.size()));
  for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] /= i < 3 ? speed : i < 6 ? kSpin_rad_s : joints;
}

double Balancer::roll_out(std::size_t window, std::span<const double> controls, std::span<double> residuals,
                          bool keeps_starts) {
  trial_.copy_from(starts_[window]);
  double loss = 0;
  for (std::size_t w = window; w < num_windows_; ++w) {
    if (keeps_starts && w > window) starts_[w].copy_from(trial_);
    write_offsets(controls.subspan(w * num_controls_, num_controls_));
    TickOptions options;
    options.assist_n = assist_n_, options.offsets_rad = offsets_;
    const std::size_t end = std::min((w + 1) * window_frames_, idx(end_ - first_));
    for (std::size_t frame = w * window_frames_; frame < end; ++frame) {
      const Vec3d before = trial_.centre_of_mass_m() - trial_.target_centre_of_mass_m();
      trial_.tick(targets_.frame(first_ + static_cast<int>(frame)), options);
      ++num_ticks_;
      const std::span<double> r = residuals.subspan(frame * num_residuals_, num_residuals_);
      read_residuals(trial_, before, r);
      loss += half_square(r);
    }
  }
  return loss;
}

// Jacobian of all residuals, then gradient and Hessian by Gauss and Newton.
void Balancer::differentiate(std::span<double> controls, int round) {
  const std::size_t num_rows = idx(end_ - first_) * num_residuals_, n = controls.size();
  for (std::size_t i = 0; i < n; ++i) {
    // Signs alternate from plan to plan: on average the differences are centred.
    const bool is_up = (i + idx(round)) % 2 == 0;
    const double step = is_up ? kVariation : -kVariation, before = controls[i];
    const std::size_t row = first_row(i / num_controls_);
    controls[i] += step;
    roll_out(i / num_controls_, controls, varied_, false);
    controls[i] = before;
    double* column = jacobian_.data() + i * num_rows;
    for (std::size_t k = row; k < num_rows; ++k) column[k] = (varied_[k] - nominal_[k]) / step;
    gradient_[i] = kEffort * controls[i];
    for (std::size_t k = row; k < num_rows; ++k) gradient_[i] += column[k] * nominal_[k];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = jacobian_.data() + j * num_rows;
      double sum = i == j ? kEffort : 0;
      for (std::size_t k = row; k < num_rows; ++k) sum += column[k] * other[k];
      hessian_[i * n + j] = hessian_[j * n + i] = sum;
    }
  }
}

// Damped steps of three lengths and two damping factors each are simulated; the best is taken if it lowers the loss.
void Balancer::improve(std::span<double> controls, double loss) {
  const std::size_t n = controls.size();
  const std::span<double> factor = std::span(factor_).first(n * n), step = std::span(step_).first(n);
  const std::span<double> tried = std::span(tried_).first(n);
  double best_damping = 0;
  for (const double scale : {0.1, 1.0, 10.0}) {
    const double damping = damping_ * scale;
    std::copy_n(hessian_.data(), n * n, factor.data());
    for (std::size_t i = 0; i < n; ++i) factor[i * n + i] += damping * (hessian_[i * n + i] + 10);
    for (std::size_t i = 0; i < n; ++i) step[i] = -gradient_[i];
    if (!factor_cholesky(factor, n)) continue;
    solve_cholesky(factor, step);
    for (const double length : {1.0, 0.4}) {
      for (std::size_t i = 0; i < n; ++i)
        tried[i] = std::clamp(controls[i] + length * step[i], -kMostOffset, kMostOffset);
      const double found = roll_out(0, tried, varied_, false) + kEffort * half_square(tried);
      if (!(found < loss)) continue;
      loss = found, best_damping = damping;
      std::ranges::copy(tried, best_.begin());
    }
  }
  if (best_damping > 0) std::copy_n(best_.data(), n, controls.data());
  damping_ = std::clamp(best_damping > 0 ? best_damping : 10 * damping_, 1e-3, 1e3);
}

void Balancer::plan(const BodyState& state, int frame) {
  // What was planned for these frames is the first guess.
  if (first_ > 0) std::shift_left(controls_.begin(), controls_.end(), static_cast<std::ptrdiff_t>(num_controls_));
  std::fill(controls_.end() - static_cast<std::ptrdiff_t>(num_controls_), controls_.end(), 0.0);
  first_ = frame, end_ = std::min(frame + options_.horizon_frames, targets_.num_frames);
  num_windows_ = (idx(end_ - first_) + window_frames_ - 1) / window_frames_;
  const std::span<double> controls = std::span(controls_).first(num_windows_ * num_controls_);
  starts_[0].copy_from(state);
  for (int round = 0; round < options_.most_rounds; ++round) {
    const double loss = roll_out(0, controls, nominal_, true) + kEffort * half_square(controls);
    if (loss < (round > 0 ? kTrouble : options_.good_enough) * (end_ - first_)) break;
    differentiate(controls, frame / options_.window_frames + round);
    improve(controls, loss);
  }
}

std::span<const Vec3d> Balancer::offsets(const BodyState& state, int frame) {
  if (bones_.empty()) return {};
  if (first_ == 0 || frame >= first_ + options_.window_frames) plan(state, frame);
  write_offsets(std::span(controls_).first(num_controls_));
  return offsets_;
}

}  // namespace zoe::physics
