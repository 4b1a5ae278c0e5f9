// SPDX-License-Identifier: MIT
// Part of Zoetrope. Codebook matching at run time. The network predicts half a second of frames at a time. They are
// played, and blended with those of the previous sequence.
#pragma once

#include "control/neural/neural_model.h"

namespace zoe::control {

struct CxmModel {
  NeuralModel neural;
  int first_frame = 0;  // Of a sequence, in frames from its prediction: 0 or 1.
  int last_frame = 0;
  int interval = 3;             // Frames from one prediction to the next.
  std::vector<float> standing;  // [width] One frame of a sequence that stays in the start pose.

  std::size_t width() const { return static_cast<std::size_t>(neural.decoder.width()); }
  // Frames that are played: those of the interval after the prediction, and those of the next one, which are faded out.
  int played_frames() const { return std::min(2 * interval, last_frame); }
};

// Fails as make_neural_model() does, and where the layout's output is not a frame-by-frame sequence longer than the
// time between predictions.
Result<CxmModel> make_cxm_model(NeuralParts parts);

struct CxmState : NeuralState {
  CxmState(const CxmModel& model, SkeletonPtr skeleton);

  void start(const CxmModel& model, CharacterFrame& now) noexcept;
  bool is_due(const CxmModel& model) const { return age_ >= model.interval; }
  // The network's input. Only for a character that is due.
  void ask(const CxmModel& model, const StepItem& item, std::span<float> x, std::span<float> window) noexcept;
  // sequence: the network's output, [frames × width].
  void take(const CxmModel& model, std::span<const float> sequence) noexcept;
  // Plays one frame.
  void play(const CxmModel& model, const StepItem& item) noexcept;

 protected:
  void describe(StateArchive& archive) override;

 private:
  std::span<float> frame_of(std::vector<float>& sequence, int frame) const;

  std::size_t width_ = 0;
  int interval_ = 0;                       // CxmModel::interval.
  int age_ = 0;                            // Frames since the last prediction.
  std::vector<float> current_, previous_;  // [played_frames() × width], from frame 1 on.
  std::vector<RootDelta> steps_;           // [last_frame] Root steps of the last prediction.
  std::vector<float> blended_;             // [width]
};

}  // namespace zoe::control
