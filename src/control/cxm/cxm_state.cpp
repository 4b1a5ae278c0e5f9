// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/core/index.h"

#include "control/cxm/cxm_model.h"

namespace zoe::control {

CxmState::CxmState(const CxmModel& model, SkeletonPtr skeleton)
    : NeuralState(model.neural, std::move(skeleton)),
      width_(model.width()),
      interval_(model.interval),
      current_(idx(model.played_frames()) * width_),
      previous_(current_.size()),
      steps_(idx(model.last_frame)),
      blended_(width_) {}

std::span<float> CxmState::frame_of(std::vector<float>& sequence, int frame) const {
  const std::size_t last = sequence.size() / width_;
  return std::span(sequence).subspan((std::min(idx(frame), last) - 1) * width_, width_);
}

void CxmState::describe(StateArchive& archive) {
  NeuralState::describe(archive);
  describe_lane(archive);
  archive.number(age_, 0, interval_);
  archive.bits(std::span(current_));
  archive.bits(std::span(previous_));
  archive.bits(std::span(steps_));
}

void CxmState::start(const CxmModel& model, CharacterFrame& now) noexcept {
  NeuralState::start(model.neural, now);
  for (int frame = 1; frame <= model.played_frames(); ++frame) {
    std::copy(model.standing.begin(), model.standing.end(), frame_of(current_, frame).begin());
  }
  std::copy(current_.begin(), current_.end(), previous_.begin());
  std::fill(steps_.begin(), steps_.end(), RootDelta{});
  // Characters of a crowd are due in different frames, so that no frame has all of them.
  age_ = model.interval - lane() % model.interval;
}

void CxmState::ask(const CxmModel& model, const StepItem& item, std::span<float> x, std::span<float> window) noexcept {
  // The rest of the last sequence, extrapolated from its end.
  const float rate_hz = static_cast<float>(model.neural.layout.fps());
  PlanarRoot root = point_.root;
  own_.roots[0] = root;
  own_.velocities[0] = point_.velocity_mps;
  for (std::size_t i = 1; i < own_.roots.size(); ++i) {
    const RootDelta& step = steps_[std::min(idx(age_) + i, steps_.size()) - 1];
    const PlanarRoot next = moved_by(root, step);
    own_.roots[i] = next;
    own_.velocities[i] = (next.position - root.position) * rate_hz;
    root = next;
  }
  encode(model.neural, item, x, nullptr, window);
}

void CxmState::take(const CxmModel& model, std::span<const float> sequence) noexcept {
  std::swap(current_, previous_);
  // The previous sequence continues from its present frame, and repeats its last frame where it ends too early.
  for (int frame = 1; frame <= model.interval; ++frame) {
    const auto from = frame_of(previous_, std::min(frame + model.interval, model.played_frames()));
    std::copy(from.begin(), from.end(), frame_of(previous_, frame).begin());
  }
  for (int frame = 1; frame <= model.last_frame; ++frame) {
    const auto from = sequence.subspan(idx(frame - model.first_frame) * width_, width_);
    steps_[idx(frame - 1)] = model.neural.decoder.root_step(from);
    if (frame > model.played_frames()) continue;
    std::copy(from.begin(), from.end(), frame_of(current_, frame).begin());
  }
  age_ = 0;
  has_own_way_ = true;
}

void CxmState::play(const CxmModel& model, const StepItem& item) noexcept {
  ++age_;
  const auto a = frame_of(previous_, age_), b = frame_of(current_, age_);
  const float share = std::min(static_cast<float>(age_) / static_cast<float>(model.interval), 1.0F);
  // Numbers are blended before they become rotations: the decoder orthogonalises two axes.
  for (std::size_t i = 0; i < width_; ++i) blended_[i] = a[i] + (b[i] - a[i]) * share;
  decode(model.neural, item, blended_);
}

}  // namespace zoe::control
