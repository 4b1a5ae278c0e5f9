// SPDX-License-Identifier: MIT
// Part of Zoetrope. What all characters of a neural controller share, and what each keeps.
#pragma once

#include "zoe/control/neural.h"
#include "zoe/features/decode.h"
#include "zoe/features/runtime_history.h"

#include "control/neural/output_map.h"
#include "control/neural/pose_filter.h"

namespace zoe::control {

struct NeuralModel {
  NeuralParts parts;
  features::Layout layout;
  features::Decoder decoder;
  OutputMap outputs;
  std::vector<Leg> legs;
  bool has_phase = false;                    // The network has an input "phase": turns of one cycle.
  features::SampleTimes way_times{0, 1, 7};  // At which the way ahead is laid out.

  std::vector<float> usual_styles, usual_actions;  // [the layout's labels] while the intent wishes for none.

  std::size_t x_size() const { return layout.size(features::BlockKind::kInput); }
  std::size_t y_size() const { return layout.size(features::BlockKind::kOutput); }
};

// Fails where network, layout and body do not fit together, and says which part does not.
Result<NeuralModel> make_neural_model(NeuralParts parts);

struct NeuralState : ControllerState {
  NeuralState(const NeuralModel& model, SkeletonPtr skeleton);

  // The network's input for this step, and its output into the next frame. Neither allocates.
  // window: [RuntimeHistory::window_size()] to work in.
  void encode(const NeuralModel& model, const StepItem& item, std::span<float> x, float* phase,
              std::span<float> window) noexcept;
  void decode(const NeuralModel& model, const StepItem& item, std::span<const float> y) noexcept;
  // A step without the network: root, pose and phases go on as they did.
  void coast(const NeuralModel& model, const StepItem& item) noexcept;
  void start(const NeuralModel& model, CharacterFrame& now) noexcept;

  // A moment as the model shall remember it, and the network's input for it with a given way ahead. Steps are made of
  // these two; a replayed clip gives training's rows through them.
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
  // What a step's output says of the phases of the moment after it and of those ahead.
  void lead_phases(const NeuralModel& model, std::span<const float> y) noexcept;
  const PhaseTrack& phases() const { return phases_; }
  void encode_input(const features::ControlSeries& way, std::span<float> x, std::span<float> window) const;

 protected:
  std::uint64_t hash_more(std::uint64_t hash) const override;

  TrajectoryPoint point_;
  TrajectoryPoint led_;  // Springs alone, see lead().
  // Where the model itself means to go from point_, at NeuralModel::way_times.
  features::ControlSeries own_;
  bool has_own_way_ = false;

 private:
  void remember_now(const NeuralModel& model);
  // The root by `delta`, pulled to where the intent leads.
  void move_root(const NeuralModel& model, const StepItem& item, const RootDelta& delta) noexcept;
  // From the pose that the network gave: what a step adds to it.
  void find_drift(const NeuralModel& model) noexcept;
  void begin_coasting(const NeuralModel& model) noexcept;
  // Writes item.now, with feet locked by as much as is fit for how closely it is looked at.
  void show(const NeuralModel& model, const StepItem& item) noexcept;
  void lead_labels(const NeuralModel& model, const Intent& intent);
  void move_labels(const NeuralModel& model, const Intent& intent);
  void lock_feet(const NeuralModel& model, CharacterFrame& now) noexcept;
  void forget_feet() noexcept;

  features::RuntimeHistory history_;
  features::DecodedFrame frame_;
  Pose pose_;            // As the model gave it: feet are locked on a copy, so that locking does not feed back.
  bool coasts_ = false;  // It did since it started; else what follows is not kept up.
  // What coast() goes on from. Poses with the hips as seen from the root, without scales.
  Pose rooted_, answer_;               // As it is, and as the network last gave it.
  std::vector<Quat> drift_rotations_;  // What a step adds: differences of quaternions.
  std::vector<Vec3> drift_translations_;
  int steps_since_answer_ = 0;
  RootDelta delta_;
  float phase_delta_ = 0;
  std::vector<float> drift_phases_;  // Of local_phases_.
  features::ControlSeries wanted_, control_;
  PoseFilter filter_;
  FootLockState feet_;
  float lock_share_ = 1;                 // 0: no foot is locked, 1: all that touch are.
  Pose unlocked_;                        // Scratch of show().
  std::vector<float> styles_, actions_;  // Of now: on their way to the wish.
  float phase_turns_ = 0;
  std::vector<float> local_phases_;
  std::vector<std::vector<float>> signals_;  // As the model's feedback().
  PhaseTrack phases_;
  std::vector<features::SignalTrack> signal_tracks_;  // Views of signals_ and phases_.
};

}  // namespace zoe::control
