// SPDX-License-Identifier: MIT
// Part of Zoetrope. Neural controllers: the model that all characters share, and the state of each.
#pragma once

#include "zoe/control/deed_state.h"
#include "zoe/control/neural.h"
#include "zoe/features/decode.h"
#include "zoe/features/runtime_history.h"

#include "control/goal/prop_legs.h"
#include "control/goal/prop_reach.h"
#include "control/neural/leash.h"
#include "control/neural/output_map.h"
#include "control/neural/planted_feet.h"
#include "control/neural/pose_filter.h"

namespace zoe::control {

struct NeuralModel {
  NeuralParts parts;
  features::Layout layout;
  features::Decoder decoder;
  OutputMap outputs;
  std::vector<Leg> legs;
  std::vector<std::uint8_t> is_leg_joint;    // [joints] A leg's hip, and all below it.
  bool has_phase = false;                    // The network has an input "phase": cycles.
  features::SampleTimes way_times{0, 1, 7};  // Times of the trajectory ahead.

  // What the network sees of the ground: first columns of x, or -1; see features/ground_signals.h.
  int ground_heights = -1, ground_grid = -1;
  // What it senses of props, see deeds.h.
  DeedColumns deeds;
  std::shared_ptr<const DeedSenses> senses;
  ReachBody reach;
  bool sees_ground() const { return ground_heights >= 0 || ground_grid >= 0; }

  std::vector<float> usual_styles, usual_actions;  // [the layout's labels] while the intent has none.

  std::size_t x_size() const { return layout.size(features::BlockKind::kInput); }
  std::size_t y_size() const { return layout.size(features::BlockKind::kOutput); }
};

// Fails where network, layout and body do not fit together. The error names the part.
Result<NeuralModel> make_neural_model(NeuralParts parts);

struct NeuralState : ControllerState {
  NeuralState(const NeuralModel& model, SkeletonPtr skeleton);

  // The network's input for this step, and its output into the next frame. Neither allocates. window:
  // [RuntimeHistory::window_size()] of working memory.
  void encode(const NeuralModel& model, const StepItem& item, std::span<float> x, float* phase,
              std::span<float> window) noexcept;
  void decode(const NeuralModel& model, const StepItem& item, std::span<const float> y) noexcept;
  // For the caches: all that encode(), and all that decode(), will read and write.
  void prefetch_for_encode() const noexcept;
  void prefetch_for_decode(const CharacterFrame& now) const noexcept;
  // A step without the network: root, pose and phases continue as they moved.
  void coast(const NeuralModel& model, const StepItem& item) noexcept;
  void start(const NeuralModel& model, CharacterFrame& now) noexcept;

  // As Controller::begin_model_in().
  void begin_in(const NeuralModel& model, std::span<const MotionMoment> moments);

  // A moment of the history, and the network's input for it with a given trajectory ahead. Steps consist of these two.
  // A replayed clip gives training's rows through them.
  struct Moment {
    PoseView pose;
    PlanarRoot root;
    std::span<const float> contacts, local_phases;
    float phase_turns = 0;
    std::span<const features::SignalTrack> signals;
    std::span<const float> styles = {}, actions = {};
  };
  void remember(const NeuralModel& model, const Moment& moment);
  void forget() { history_.reset(); }
  // Takes the phases of the moment after the step, and of those ahead, from its output.
  void lead_phases(const NeuralModel& model, std::span<const float> y) noexcept;
  const PhaseTrack& phases() const { return phases_; }
  // The model's pose after a step, before the filter and foot locking.
  const Pose& own_pose() const { return pose_; }
  void encode_input(const features::ControlSeries& way, std::span<float> x, std::span<float> window) const;

 protected:
  void describe(StateArchive& archive) override;
  bool move_space(const PlanarRoot& offset) noexcept override;
  std::optional<DeedProgress> deed() const override {
    if (!uses_props_) return {};
    DeedProgress progress = deeds_.progress();
    progress.holds = (progress.holds || reach_.keeps()) && reach_.grips();
    progress.pulled_m = pulled_m_;
    return progress;
  }

  TrajectoryPoint point_;
  TrajectoryPoint led_;  // Follows the springs alone, see lead().
  Leash leash_;
  // The model's own prediction of the trajectory from point_, at NeuralModel::way_times.
  features::ControlSeries own_;
  bool has_own_way_ = false;

  // For a type that may replace the prediction of a step. Called after root, pose and contacts are decoded and before
  // they become the past: point_, pose_ and frame_.contacts may be changed.
  virtual void take_over(const NeuralModel& model, const StepItem& item) noexcept {
    (void)model;
    (void)item;
  }
  // The same for the displayed pose, before its feet are locked.
  virtual void blend_shown(const StepItem& item) noexcept { (void)item; }
  virtual bool locks_feet() const noexcept { return true; }

  features::DecodedFrame frame_;
  Pose pose_;  // The model's output. Filter and foot locking work on a copy, so that they do not feed back.
  FootLockState feet_;

 private:
  void remember_now(const NeuralModel& model);
  // The predicted step of the root, less the sliding of feet in contact. Overwrites pose_ and frame_.
  RootDelta led_by_feet(const NeuralModel& model, std::span<const float> y) noexcept;
  // Moves the root by `delta` and pulls it towards the path of the intent.
  void move_root(const NeuralModel& model, const StepItem& item, const RootDelta& delta) noexcept;
  // The same of a body that uses props: the path leads its direction only.
  void move_beside_path(const NeuralModel& model, const Intent& intent, const PlanarRoot& moved, Vec3 velocity,
                        float turn_speed) noexcept;
  // The same near the goal of a deed: the root is pulled to the prediction from the goal's side. next: the model's.
  bool move_to_goal(const NeuralModel& model, const RootDelta& delta, std::span<const float> next) noexcept;
  // Hips, and hands after the feet, to the used prop.
  void meet_props(const NeuralModel& model, CharacterFrame& now, bool hands) noexcept;
  // The moment of meet_props(). seen: as of props_now().
  PropReach::Moment reach_moment(const NeuralModel& model, std::span<const Prop> seen) const noexcept;
  // A step of the root does not lead into props.
  void stop_at_props(const PlanarRoot& before) noexcept;
  // Props and the goal into x.
  void look_at_props(const NeuralModel& model, const Intent& intent, std::span<float> x) noexcept;
  // The change of the pose from step to step, measured on the network's last pose.
  void find_drift(const NeuralModel& model) noexcept;
  void begin_coasting(const NeuralModel& model) noexcept;
  // Writes item.now, with feet locked: fully nearby, not at all far away.
  void show(const NeuralModel& model, const StepItem& item) noexcept;
  void smooth(const NeuralModel& model, CharacterFrame& now) noexcept;
  void lead_labels(const NeuralModel& model, const Intent& intent);
  void move_labels(const NeuralModel& model, const Intent& intent);
  // The ground around the path `control_` into x, for models that see it.
  void look_at_ground(const NeuralModel& model, std::span<float> x) const noexcept;
  void lock_feet(const NeuralModel& model, CharacterFrame& now) noexcept;
  // Of bodies that use props: feet that a pull tore from their locks, or whose legs are in a prop, step.
  void step_torn_feet(const NeuralModel& model, CharacterFrame& now) noexcept;
  void forget_feet() noexcept;

  features::RuntimeHistory history_;
  bool coasts_ = false;  // Has coasted since its start. Else the next fields are not up to date.
  // The start of coast(). Poses with the hips relative to the root, without scales.
  Pose rooted_, answer_;               // The current pose, and the network's last.
  std::vector<Quat> drift_rotations_;  // Change per step: differences of quaternions.
  std::vector<Vec3> drift_translations_;
  int steps_since_answer_ = 0;
  RootDelta delta_;
  float phase_delta_ = 0;
  std::vector<float> drift_phases_;  // Of local_phases_.
  features::ControlSeries wanted_, control_;
  PoseFilter filter_;
  float lock_share_ = 1;                 // 0: no foot is locked, 1: all feet in contact are.
  Pose unlocked_;                        // Scratch of show().
  std::vector<float> styles_, actions_;  // Present values. They approach the desired ones.
  float phase_turns_ = 0;
  std::vector<float> local_phases_;
  std::vector<std::vector<float>> signals_;  // As in the model's feedback().
  bool uses_props_ = false, feet_lead_ = false, soft_feet_ = false;
  PlantedFeet planted_;
  DeedState deeds_;
  PropReach reach_;
  PropLegs prop_legs_;
  float pulled_m_ = 0;  // As DeedProgress::pulled_m.
  PhaseTrack phases_;
  std::vector<features::SignalTrack> signal_tracks_;  // Views of signals_ and phases_.
};

}  // namespace zoe::control
