// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/prefetch.h"

#include "control/neural/network_batch.h"
#include "control/neural/neural_model.h"

namespace zoe::control {
namespace {

class NeuralController final : public Controller {
 public:
  explicit NeuralController(NeuralModel model)
      : Controller({.skeleton = model.parts.body.skeleton,
                    .rate_hz = model.layout.fps(),
                    .contact_joints = model.parts.body.contact_joints,
                    .legs = model.legs,
                    .styles = model.layout.schema().styles,
                    .actions = model.layout.schema().actions,
                    .motion_range = model.parts.body.motion_range,
                    .content = model.parts.network->fingerprint(),
                    .sees_ground = model.sees_ground(),
                    .stand = model.parts.body.stand}),
        model_(std::move(model)) {}

  const char* type() const override { return model_.parts.type.c_str(); }
  std::size_t model_bytes() const override { return model_.parts.network->weight_bytes(); }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override {
    return std::make_unique<NeuralState>(model_, skeleton());
  }
  std::unique_ptr<Workspace> make_workspace(int max_characters) const override {
    return std::make_unique<NetworkBatch>(model_, max_characters);
  }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    static_cast<NeuralState&>(state).start(model_, now);
  }
  bool begin_model_in(ControllerState& state, std::span<const MotionMoment> moments) const override {
    // Other phases of a clip are not known here.
    if (model_.has_phase || model_.outputs.phases().times.count > 0) return false;
    for (const OutputMap::Feedback& feedback : model_.outputs.feedback()) {
      const auto width = static_cast<std::size_t>(feedback.width);
      const auto lacks = [&](const MotionMoment& moment) { return moment.local_phases.size() != width; };
      if (feedback.group == features::Group::kPhaseLocal && std::any_of(moments.begin(), moments.end(), lacks))
        return false;
    }
    static_cast<NeuralState&>(state).begin_in(model_, moments);
    return true;
  }
  void step_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept override {
    static_cast<NetworkBatch&>(*workspace)
        .for_chunks(items.size(), pool, [&](std::size_t begin, std::size_t end, NetworkBatch::Slot& slot) {
          step_chunk(items.subspan(begin, end - begin), slot);
        });
  }
  void coast_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept override {
    // Phases that the network advances would stand still.
    if (model_.outputs.phases().times.count > 0) return step_many(items, workspace, pool);
    const auto run = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) static_cast<NeuralState&>(*items[i].state).coast(model_, items[i]);
    };
    if (pool != nullptr) {
      pool->parallel_for(items.size(), 64, run);
    } else {
      run(0, items.size());
    }
  }
  bool steps_in_parts() const override { return true; }

 private:
  void step_chunk(std::span<const StepItem> items, NetworkBatch::Slot& slot) const noexcept {
    const auto state = [&](std::size_t i) -> NeuralState& { return static_cast<NeuralState&>(*items[i].state); };
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i + 2 < items.size()) prefetch(&state(i + 2), sizeof(NeuralState));
      if (i + 1 < items.size()) state(i + 1).prefetch_for_encode();
      state(i).encode(model_, items[i], slot.x_of(i), &slot.phase[i], slot.window);
    }
    slot.run(model_, items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i + 1 < items.size()) state(i + 1).prefetch_for_decode(*items[i + 1].now);
      state(i).decode(model_, items[i], slot.y_of(i));
    }
  }

  NeuralModel model_;
};

}  // namespace

Result<ControllerPtr> make_neural_controller(NeuralParts parts) {
  ZOE_TRY_ASSIGN(NeuralModel model, make_neural_model(std::move(parts)));
  if (model.layout.steps(features::BlockKind::kOutput) != 1) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("controller '{}': the network gives several frames at once", model.parts.type),
                 {}};
  }
  return ControllerPtr(std::make_shared<NeuralController>(std::move(model)));
}

}  // namespace zoe::control
