// SPDX-License-Identifier: MIT
// Part of Zoetrope. Derivatives of one tick of a simulated body: how the state after it, and residuals of a loss,
// depend on the state before it and on changes of the targets. By finite differences of the tick itself, so servos,
// feed-forward, assist and contacts are part of them.
//
//   physics::TransitionProbe probe(model, physics::full_layout(*model), residuals);
//   physics::Transition tick;                                // sized at the first call
//   probe.differentiate(state, clip.frame(7), {}, tick);     // state: before the tick
//   // x' ≈ x + tick.a · dx + tick.b · du
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// Which coordinates and targets are varied. The others follow without being looked at.
struct TransitionLayout {
  std::vector<int> dofs;   // Indices into the model's degrees of freedom, rising. State: their positions, velocities.
  std::vector<int> bones;  // Whose targets have offsets: three controls each, radians.

  std::size_t num_states() const { return 2 * dofs.size(); }
  std::size_t num_controls() const { return 3 * bones.size(); }
};
// Everything: all degrees of freedom, all bones but the root.
TransitionLayout full_layout(const BodyModel& model);

struct TransitionSteps {
  double position = 1e-4;  // Metres and radians.
  double velocity = 1e-3;  // Metres and radians per second.
  double offset = 1e-4;    // Radians.
  bool centred = false;    // Twice the ticks, errors of second order.
};

// Residuals r of a state after a tick; a loss is ½ |r|².
struct Residuals {
  std::size_t count = 0;
  std::function<void(const BodyState&, std::span<double>)> read;
};

// Row-major matrices. n states, m controls, r residuals.
struct Transition {
  std::vector<double> a;          // [n × n] State after by state before.
  std::vector<double> b;          // [n × m] State after by offsets.
  std::vector<double> c;          // [r × n] Residuals after the tick by state before.
  std::vector<double> d;          // [r × m] Likewise by offsets.
  std::vector<double> residuals;  // [r] Of the tick as it is.
};

// Sized once; differentiate() allocates only where `out` has another size. One thread at a time.
class TransitionProbe {
 public:
  TransitionProbe(BodyModelPtr model, TransitionLayout layout, Residuals residuals, const TransitionSteps& steps = {});

  const TransitionLayout& layout() const { return layout_; }
  // Costs n + m + 1 ticks, centred 2 (n + m) + 1. `before` may be after().
  void differentiate(const BodyState& before, const PoseView& target, const TickOptions& options, Transition& out);
  // The state after the tick of the last differentiate().
  const BodyState& after() const { return after_; }

 private:
  BodyModelPtr model_;
  TransitionLayout layout_;
  Residuals residuals_;
  TransitionSteps steps_;
  BodyState before_, after_, trial_;
  std::vector<Vec3d> offsets_;
  std::vector<double> coordinates_, change_, moved_, moved_back_, read_, read_back_;
};

// Scratch of rollout_gradient(), sized at its first use.
struct RolloutScratch {
  std::vector<Transition> ticks;
  std::vector<double> adjoint, next;
};

// Loss ½ Σ |r|² of a rollout from `start` over targets[first, first + count), and its gradient with respect to the
// offsets of the layout's bones, by the adjoint recursion over transitions. offsets_rad: [count × bones of the plan];
// gradient: [count × m]. Exact up to the differences where the layout holds all degrees of freedom.
double rollout_gradient(TransitionProbe& probe, const BodyState& start, const Motion& targets, int first, int count,
                        double assist_n, std::span<const Vec3d> offsets_rad, std::span<double> gradient,
                        RolloutScratch& scratch);

}  // namespace zoe::physics
