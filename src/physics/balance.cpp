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
constexpr double kEffort = 0.25;     // Of offsets: ½ kEffort |u|² per frame beside the residuals.
constexpr int kLonger = 2;           // Frames by which each window of a plan is longer than the one before it.
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

// A time of a person as frames of a body of another size.
int usual_frames(const BodyModel& model, double person_s) {
  constexpr double kRoot_m = 0.95;
  const double scale = std::sqrt(model.plan().root_height_m / kRoot_m);
  return static_cast<int>(std::lround(person_s * scale / model.options().frame_s));
}

}  // namespace

int usual_horizon_frames(const BodyModel& model) { return std::clamp(usual_frames(model, 0.6), 8, 72); }
int usual_window_frames(const BodyModel& model) { return std::clamp(usual_frames(model, 4.0 / 60), 2, 8); }

Balancer::Balancer(BodyModelPtr model, const Motion& targets, const BalanceOptions& options, double assist_n)
    : model_(plan_model(model, options)), targets_(targets), options_(options), assist_n_(assist_n) {
  ZOE_CHECK(options.horizon_frames > 0 && options.window_frames >= 0 && options.most_rounds > 0,
            "Balancer: a plan needs frames and rounds");
  if (options_.window_frames == 0) options_.window_frames = usual_window_frames(*model_);
  const BodyPlan& plan = model_->plan();
  controls_ = balance_controls(*model_, targets_);
  num_residuals_ = 3 * plan.bones.size() + 8 + idx(model_->num_dofs());
  // What is far ahead is planned again anyway.
  window_begin_.push_back(0);
  for (int length = options_.window_frames; window_begin_.back() < options.horizon_frames; length += kLonger)
    window_begin_.push_back(std::min(window_begin_.back() + length, options.horizon_frames));
  const std::size_t windows = window_begin_.size() - 1, num_unknowns = windows * controls_.size();
  const std::size_t num_rows = idx(options.horizon_frames) * num_residuals_;
  for (std::size_t i = 0; i < windows; ++i) starts_.emplace_back(model_);
  const std::size_t num_lanes = options.executor == nullptr ? 1 : idx(options.executor->num_threads());
  for (std::size_t i = 0; i < num_lanes; ++i)
    lanes_.push_back({BodyState(model_), std::vector<Vec3d>(plan.bones.size()), std::vector<double>(num_rows),
                      std::vector<double>(num_unknowns), 0});
  planned_.assign(idx(options.horizon_frames) * controls_.size(), 0);
  for (auto* values : {&change_, &tried_, &best_, &gradient_, &step_}) values->assign(num_unknowns, 0);
  nominal_.resize(num_rows);
  jacobian_.resize(num_unknowns * num_rows);
  hessian_.resize(num_unknowns * num_unknowns), factor_.resize(hessian_.size());
  offsets_.resize(plan.bones.size());
}

std::size_t Balancer::window_end(std::size_t window) const {
  return idx(std::min(window_begin_[window + 1], end_ - first_));
}

// change: [controls] of the window of this frame.
void Balancer::write_offsets(std::size_t frame, std::span<const double> change, std::span<Vec3d> out) const {
  const double* planned = planned_.data() + frame * controls_.size();
  for (const BalanceControl& control : controls_) out[idx(control.bone)] = Vec3d{};
  for (std::size_t i = 0; i < controls_.size(); ++i)
    out[idx(controls_[i].bone)] += controls_[i].axis * std::clamp(planned[i] + change[i], -kMostOffset, kMostOffset);
}

double Balancer::effort(std::span<const double> change) const {
  const std::size_t n = controls_.size();
  double sum = 0;
  for (std::size_t w = 0; w < num_windows_; ++w)
    for (std::size_t frame = idx(window_begin_[w]); frame < window_end(w); ++frame)
      for (std::size_t i = 0; i < n; ++i) {
        const double angle = planned_[frame * n + i] + change[w * n + i];
        sum += 0.5 * kEffort * angle * angle;
      }
  return sum;
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

double Balancer::roll_out(std::size_t window, std::span<const double> change, Lane& lane, bool keeps_starts) {
  const std::size_t n = controls_.size();
  BodyState& trial = lane.trial;
  trial.copy_from(starts_[window]);
  TickOptions options;
  options.assist_n = assist_n_, options.offsets_rad = lane.offsets;
  double loss = 0;
  for (std::size_t w = window; w < num_windows_; ++w) {
    if (keeps_starts && w > window) starts_[w].copy_from(trial);
    for (std::size_t frame = idx(window_begin_[w]); frame < window_end(w); ++frame) {
      write_offsets(frame, change.subspan(w * n, n), lane.offsets);
      const Vec3d before = trial.centre_of_mass_m() - trial.target_centre_of_mass_m();
      trial.tick(targets_.frame(first_ + static_cast<int>(frame)), options);
      ++lane.num_ticks;
      const std::span<double> r = std::span(lane.residuals).subspan(frame * num_residuals_, num_residuals_);
      read_residuals(trial, before, r);
      loss += half_square(r);
    }
  }
  return loss;
}

// Jacobian of all residuals, then gradient and Hessian by Gauss and Newton.
void Balancer::differentiate(int round) {
  const std::size_t num_rows = idx(end_ - first_) * num_residuals_, n = num_unknowns(), num_controls = controls_.size();
  const auto vary = [&](std::size_t i, Lane& lane) {
    // Signs alternate from plan to plan: on average the differences are centred.
    const double step = (i + idx(round)) % 2 == 0 ? kVariation : -kVariation;
    const std::size_t window = i / num_controls, row = first_row(window);
    const std::span<double> varied = std::span(lane.varied).first(n);
    std::ranges::fill(varied, 0.0);
    varied[i] = step;
    roll_out(window, varied, lane, false);
    double* column = jacobian_.data() + i * num_rows;
    for (std::size_t k = row; k < num_rows; ++k) column[k] = (lane.residuals[k] - nominal_[k]) / step;
  };
  const std::size_t num_lanes = lanes_.size();
  const auto run = [&](std::size_t begin, std::size_t end) {
    for (std::size_t lane = begin; lane < end; ++lane)
      for (std::size_t i = lane; i < n; i += num_lanes) vary(i, lanes_[lane]);
  };
  if (options_.executor != nullptr)
    options_.executor->parallel_for(num_lanes, 1, run);
  else
    run(0, num_lanes);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t window = i / num_controls, row = first_row(window);
    const double* column = jacobian_.data() + i * num_rows;
    gradient_[i] = 0;
    for (std::size_t frame = idx(window_begin_[window]); frame < window_end(window); ++frame)
      gradient_[i] += kEffort * planned_[frame * num_controls + i % num_controls];
    for (std::size_t k = row; k < num_rows; ++k) gradient_[i] += column[k] * nominal_[k];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = jacobian_.data() + j * num_rows;
      double sum = i == j ? kEffort * static_cast<double>(window_end(window) - idx(window_begin_[window])) : 0;
      for (std::size_t k = row; k < num_rows; ++k) sum += column[k] * other[k];
      hessian_[i * n + j] = hessian_[j * n + i] = sum;
    }
  }
}

// Damped steps of three damping factors and two lengths each are simulated; the best is added if it lowers the loss.
bool Balancer::improve(double loss) {
  const std::size_t n = num_unknowns();
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
      for (std::size_t i = 0; i < n; ++i) tried[i] = std::clamp(length * step[i], -kMostOffset, kMostOffset);
      const double found = roll_out(0, tried, lanes_[0], false) + effort(tried);
      if (!(found < loss)) continue;
      loss = found, best_damping = damping;
      std::ranges::copy(tried, best_.begin());
    }
  }
  damping_ = std::clamp(best_damping > 0 ? best_damping : 10 * damping_, 1e-3, 1e3);
  if (!(best_damping > 0)) return false;
  const std::size_t num_controls = controls_.size();
  for (std::size_t w = 0; w < num_windows_; ++w)
    for (std::size_t frame = idx(window_begin_[w]); frame < window_end(w); ++frame)
      for (std::size_t i = 0; i < num_controls; ++i) {
        double& angle = planned_[frame * num_controls + i];
        angle = std::clamp(angle + best_[w * num_controls + i], -kMostOffset, kMostOffset);
      }
  return true;
}

void Balancer::plan(const BodyState& state, int frame) {
  // What was planned for these frames is the first guess.
  if (first_ > 0) {
    const std::size_t done = std::min(idx(frame - first_) * controls_.size(), planned_.size());
    std::shift_left(planned_.begin(), planned_.end(), static_cast<std::ptrdiff_t>(done));
    std::fill(planned_.end() - static_cast<std::ptrdiff_t>(done), planned_.end(), 0.0);
  }
  first_ = frame, end_ = std::min(frame + options_.horizon_frames, targets_.num_frames);
  num_windows_ = 0;
  while (num_windows_ + 1 < window_begin_.size() && window_begin_[num_windows_] < end_ - first_) ++num_windows_;
  const std::span<double> none = std::span(change_).first(num_unknowns());
  starts_[0].copy_from(state);
  for (int round = 0; round < options_.most_rounds; ++round) {
    const double loss = roll_out(0, none, lanes_[0], true) + effort(none);
    if (loss < (round > 0 ? kTrouble : options_.good_enough) * (end_ - first_)) break;
    std::ranges::copy(lanes_[0].residuals, nominal_.begin());
    differentiate(frame / options_.window_frames + round);
    improve(loss);
  }
  num_ticks_ = 0;
  for (const Lane& lane : lanes_) num_ticks_ += lane.num_ticks;
}

std::span<const Vec3d> Balancer::offsets(const BodyState& state, int frame) {
  if (controls_.empty()) return {};
  if (first_ == 0 || frame >= first_ + options_.window_frames) plan(state, frame);
  write_offsets(idx(frame - first_), std::span(change_).first(controls_.size()), offsets_);
  return offsets_;
}

}  // namespace zoe::physics
