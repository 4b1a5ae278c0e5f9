// SPDX-License-Identifier: MIT
// Part of Zoetrope. One character of type hybrid: the state of the network, and beside it that of motion matching. Both
// are in one space. While matching moves the character, its poses are the past of the network.
#pragma once

#include "zoe/control/hybrid.h"
#include "zoe/motion/inertialize.h"

#include "control/match/feature_space.h"
#include "control/neural/neural_model.h"

namespace zoe::control {

// A column of the database's features that a pose gives.
struct PoseColumn {
  int column, joint, axis;
  bool is_velocity;
};

struct HybridModel {
  NeuralModel neural;
  MotionDatabasePtr database;
  ControllerPtr matching;
  FeatureSpace space;
  TrajectoryOptions trajectory;  // Of matching.
  Confidences confidence;
  HybridOptions options;
  int match_steps = 1;  // Of matching, in one of the network.
  std::vector<PoseColumn> pose_columns;
};
using HybridModelPtr = std::shared_ptr<const HybridModel>;

class HybridState final : public NeuralState {
 public:
  explicit HybridState(HybridModelPtr model);

  void start_both(CharacterFrame& now) noexcept;
  // x: the network's input, before it is limited.
  void count_outside(std::span<const float> x) noexcept;

  // What the character shall do while its poses cannot be trusted: nearer to what was desired in the last moments, so
  // that sudden changes are spread. Valid until the next call.
  const Intent& cautious(const Intent& intent) noexcept;

  HybridReport report;
  HybridMode mode = HybridMode::kByConfidence;

 protected:
  void describe(StateArchive& archive) override;
  bool move_space(const PlanarRoot& offset) noexcept override;
  void take_over(const NeuralModel& model, const StepItem& item) noexcept override;
  void blend_shown(const StepItem& item) noexcept override;
  bool locks_feet() const noexcept override { return !report.matching || smooths_matching(); }

 private:
  // Poses of matching go through the network's filter too, before feet are locked: its switches are spikes otherwise.
  bool smooths_matching() const noexcept { return model_->neural.parts.options.locks.soft_s > 0; }
  void measure(const StepItem& item) noexcept;
  void measure_feet(float dt_s, PoseSigns& signs) const noexcept;
  void measure_joints(const StepItem& item, float dt_s, PoseSigns& signs) noexcept;
  void find_nearest(const StepItem& item, float dt_s, PoseSigns& signs) noexcept;
  bool decide() noexcept;  // True: matching moves the character in this step.
  void see_displayed(const CharacterFrame& before) noexcept;
  void begin_matching(const StepItem& item) noexcept;
  void step_matching(const StepItem& item) noexcept;

  HybridModelPtr model_;
  std::unique_ptr<ControllerState> match_;
  CharacterFrame match_before_, match_now_;
  DeadBlend blend_;
  Pose shown_, shown_before_;            // Displayed in the last two steps, in the root's space.
  PlanarRoot root_before_;               // Of shown_before_.
  std::vector<Vec3> velocities_before_;  // [joints] Relative to the root.
  Vec3 desired_mean_;
  float outside_ = 0;
  int steps_in_mode_ = 0, steps_trusted_ = 0, nearest_ = -1;
  bool has_before_ = false;
  // Working memory of a step.
  Intent cautious_;
  Pose between_;
  std::vector<Affine> joints_, joints_before_;
  features::ControlSeries ahead_;
  std::vector<float> current_, query_, scratch_;
};

}  // namespace zoe::control
