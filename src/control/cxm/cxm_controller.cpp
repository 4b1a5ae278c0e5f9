// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "control/cxm/cxm_model.h"
#include "control/neural/network_batch.h"

namespace zoe::control {
namespace {

using features::BlockKind;

class CxmWorkspace final : public NetworkBatch {
 public:
  CxmWorkspace(const NeuralModel& model, int max_characters) : NetworkBatch(model, max_characters) {
    due.reserve(static_cast<std::size_t>(std::max(max_characters, 1)));
  }
  std::vector<const StepItem*> due;
};

CxmState& state_of(const StepItem& item) { return static_cast<CxmState&>(*item.state); }

class CxmController final : public Controller {
 public:
  explicit CxmController(CxmModel model)
      : Controller({.skeleton = model.neural.parts.body.skeleton,
                    .rate_hz = model.neural.layout.fps(),
                    .contact_joints = model.neural.parts.body.contact_joints,
                    .legs = model.neural.legs,
                    .styles = model.neural.layout.schema().styles,
                    .actions = model.neural.layout.schema().actions,
                    .motion_range = model.neural.parts.body.motion_range,
                    .content = model.neural.parts.network->fingerprint(),
                    .stand = model.neural.parts.body.stand}),
        model_(std::move(model)) {}

  const char* type() const override { return model_.neural.parts.type.c_str(); }
  std::size_t model_bytes() const override { return model_.neural.parts.network->weight_bytes(); }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override {
    return std::make_unique<CxmState>(model_, skeleton());
  }
  std::unique_ptr<Workspace> make_workspace(int max_characters) const override {
    return std::make_unique<CxmWorkspace>(model_.neural, max_characters);
  }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    static_cast<CxmState&>(state).start(model_, now);
  }

  // Characters that are due go through the network together, then all play a frame.
  void step_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept override {
    auto& memory = static_cast<CxmWorkspace&>(*workspace);
    memory.due.clear();
    for (const StepItem& item : items) {
      if (state_of(item).is_due(model_)) memory.due.push_back(&item);
    }
    memory.for_chunks(memory.due.size(), pool, [&](std::size_t begin, std::size_t end, NetworkBatch::Slot& slot) {
      for (std::size_t i = begin; i < end; ++i) {
        state_of(*memory.due[i]).ask(model_, *memory.due[i], slot.x_of(i - begin), slot.window);
      }
      slot.run(model_.neural, end - begin);
      for (std::size_t i = begin; i < end; ++i) state_of(*memory.due[i]).take(model_, slot.y_of(i - begin));
    });
    const auto play = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) state_of(items[i]).play(model_, items[i]);
    };
    if (pool == nullptr) return play(0, items.size());
    constexpr std::size_t kGrain = 16;
    pool->parallel_for(items.size(), kGrain, play);
  }

 private:
  CxmModel model_;
};

// An output frame that stays in the start pose, as features.
std::vector<float> standing_frame(const NeuralModel& model) {
  const Body& body = model.parts.body;
  const std::vector<float> contacts(body.contact_joints.size(), 1.0F);
  features::RuntimeHistory history(model.layout, body.skeleton, model.layout.fps());
  history.push(body.start.view(), {}, 1 / model.layout.fps(), {.contacts = contacts});
  std::vector<float> sequence(model.y_size());
  history.encode(BlockKind::kOutput, nullptr, sequence);
  sequence.resize(static_cast<std::size_t>(model.decoder.width()));
  return sequence;
}

}  // namespace

Result<CxmModel> make_cxm_model(NeuralParts parts) {
  ZOE_TRY_ASSIGN(NeuralModel neural, make_neural_model(std::move(parts)));
  const auto wrong = [&](std::string what) {
    return Error{ErrorCode::kInvalid, fmt::format("controller '{}': {}", neural.parts.type, what), {}};
  };
  const features::SampleTimes& times = neural.layout.schema().block(BlockKind::kOutput).steps;
  const double fps = neural.layout.fps(), first = times.start_s * fps;
  const bool is_by_frame = times.count > 1 && std::abs(times.step_s() * fps - 1) < 1e-3;
  if (!is_by_frame || std::abs(first - std::round(first)) > 1e-3 || first < -0.5 || first > 1.5) {
    return wrong("the network's output must be a sequence, frame by frame from now on");
  }
  if (neural.has_phase) return wrong("a network of sequences has no phase");
  const int first_frame = static_cast<int>(std::lround(first)), last_frame = first_frame + times.count - 1;
  const double rate_hz = static_cast<double>(neural.parts.options.predictions_hz);
  const double frames = rate_hz > 0 ? std::max(std::round(fps / rate_hz), 1.0) : 1e9;
  if (!(frames <= last_frame)) {
    return wrong(
        fmt::format("sequence.predictions_hz = {:g}: a sequence lasts {:.2f} s, so use at least {:g} per second",
                    rate_hz, last_frame / fps, fps / last_frame));
  }
  neural.way_times = {0, last_frame / fps, last_frame + 1};
  std::vector<float> standing = standing_frame(neural);
  return CxmModel{.neural = std::move(neural),
                  .first_frame = first_frame,
                  .last_frame = last_frame,
                  .interval = static_cast<int>(frames),
                  .standing = std::move(standing)};
}

Result<ControllerPtr> make_cxm_controller(NeuralParts parts) {
  ZOE_TRY_ASSIGN(CxmModel model, make_cxm_model(std::move(parts)));
  return ControllerPtr(std::make_shared<CxmController>(std::move(model)));
}

}  // namespace zoe::control
