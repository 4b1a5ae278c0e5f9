// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "control/neural/neural_model.h"

namespace zoe::control {
namespace {

using features::BlockKind;

constexpr int kChunk = 64;  // Characters that go through the network together: enough to share its weights.

// Memory for one chunk; as many as threads may be at work.
struct Slot {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  nn::NetworkState network;
  std::vector<float> x, phase, y, window;
};

class NeuralWorkspace : public Workspace {
 public:
  NeuralWorkspace(const NeuralModel& model, int max_characters) : chunk_(std::min(max_characters, kChunk)) {
    const int chunks = (max_characters + kChunk - 1) / kChunk;
    const int slots = std::min(chunks, static_cast<int>(std::thread::hardware_concurrency()) + 1);
    const auto batch = static_cast<std::size_t>(chunk_);
    for (int i = 0; i < std::max(slots, 1); ++i) {
      auto slot = std::make_unique<Slot>();
      slot->network = nn::make_state(*model.parts.network, chunk_);
      slot->x.resize(batch * model.x_size());
      slot->phase.resize(batch);
      slot->y.resize(batch * model.y_size());
      slot->window.resize(features::RuntimeHistory::window_size(model.layout));
      slots_.push_back(std::move(slot));
    }
  }
  int chunk() const { return chunk_; }
  // Waits where more threads come than there are slots.
  Slot& take() {
    for (;;) {
      for (const auto& slot : slots_) {
        if (!slot->taken.test_and_set(std::memory_order_acquire)) return *slot;
      }
      std::this_thread::yield();
    }
  }
  static void give_back(Slot& slot) { slot.taken.clear(std::memory_order_release); }

 private:
  int chunk_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

class NeuralController final : public Controller {
 public:
  explicit NeuralController(NeuralModel model)
      : Controller({.skeleton = model.parts.body.skeleton,
                    .rate_hz = model.layout.fps(),
                    .contact_joints = model.parts.body.contact_joints,
                    .styles = model.layout.schema().styles,
                    .actions = model.layout.schema().actions}),
        model_(std::move(model)) {}

  const char* kind() const override { return model_.parts.kind.c_str(); }
  std::size_t model_bytes() const override { return model_.parts.network->weight_bytes(); }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override {
    return std::make_unique<NeuralState>(model_, skeleton());
  }
  std::unique_ptr<Workspace> make_workspace(int max_characters) const override {
    return std::make_unique<NeuralWorkspace>(model_, std::max(max_characters, 1));
  }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    static_cast<NeuralState&>(state).start(model_, now);
  }
  void step_many(std::span<const StepItem> items, Workspace* workspace, ThreadPool* pool) const noexcept override {
    auto& memory = static_cast<NeuralWorkspace&>(*workspace);
    const auto run = [&](std::size_t begin, std::size_t end) {
      Slot& slot = memory.take();
      step_chunk(items.subspan(begin, end - begin), slot);
      NeuralWorkspace::give_back(slot);
    };
    const auto chunk = static_cast<std::size_t>(memory.chunk());
    if (pool != nullptr) {
      pool->parallel_for(items.size(), chunk, run);
    } else {
      for (std::size_t begin = 0; begin < items.size(); begin += chunk) run(begin, std::min(begin + chunk, items.size()));
    }
  }

 private:
  void step_chunk(std::span<const StepItem> items, Slot& slot) const noexcept {
    const std::size_t x = model_.x_size(), y = model_.y_size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      static_cast<NeuralState&>(*items[i].state)
          .encode(model_, items[i], std::span(slot.x).subspan(i * x, x), &slot.phase[i], slot.window);
    }
    const std::span<const float> inputs[] = {std::span(slot.x).first(items.size() * x),
                                             std::span(slot.phase).first(items.size())};
    const std::span<float> outputs[] = {std::span(slot.y).first(items.size() * y)};
    const bool ran = nn::NetworkJob{.network = model_.parts.network.get(),
                                    .state = &slot.network,
                                    .batch = static_cast<int>(items.size()),
                                    .inputs = std::span(inputs).first(model_.has_phase ? 2 : 1),
                                    .outputs = outputs}
                         .run();
    ZOE_CHECK(ran, "the network's ports were checked when the controller was made");
    for (std::size_t i = 0; i < items.size(); ++i) {
      static_cast<NeuralState&>(*items[i].state)
          .decode(model_, items[i], std::span<const float>(slot.y).subspan(i * y, y));
    }
  }

  NeuralModel model_;
};

}  // namespace

Result<ControllerPtr> make_neural_controller(NeuralParts parts) {
  const auto wrong = [&](std::string what) {
    return Error{ErrorCode::kInvalid, fmt::format("controller '{}': {}", parts.kind, what), {}};
  };
  ZOE_CHECK(parts.network != nullptr && parts.body.skeleton != nullptr, "a neural controller needs a network and a body");
  const nn::Network& network = *parts.network;
  const auto layout_text = network.metadata().find("layout");
  if (layout_text == network.metadata().end()) {
    return wrong("the network's file says nothing about its features ('layout'); train it with zoe train controller");
  }
  auto layout = features::Layout::from_toml(layout_text->second, *parts.body.skeleton);
  if (!layout) return wrong("the network is of another skeleton: " + layout.error().message);
  if (layout->steps(BlockKind::kOutput) != 1) return wrong("the network gives several frames at once");
  auto decoder = features::Decoder::create(*layout, parts.body.skeleton);
  if (!decoder) return wrong(decoder.error().message);

  const auto inputs = network.inputs();
  const auto outputs = network.outputs();
  const bool has_phase = inputs.size() == 2 && inputs[1].name == "phase";
  const auto is_port = [](const nn::Port& port, std::size_t size) {
    return port.shape.size() == size;
  };
  if (inputs.empty() || (inputs.size() == 2 && !has_phase) || inputs.size() > 2 || outputs.size() != 1) {
    return wrong("the network must have inputs x (and phase) and one output y");
  }
  if (!is_port(inputs[0], layout->size(BlockKind::kInput)) || !is_port(outputs[0], layout->size(BlockKind::kOutput))) {
    return wrong("the network's inputs or outputs are not as wide as its layout says");
  }
  OutputMap map(*layout);
  NeuralModel model{.parts = std::move(parts), .layout = std::move(*layout), .decoder = std::move(*decoder), .outputs = std::move(map), .legs = {}};
  model.has_phase = has_phase;
  if (model.parts.body.legs.size() > 16) return wrong("more than 16 legs");
  for (const BodyLeg& leg : model.parts.body.legs) model.legs.push_back(leg.leg);
  return ControllerPtr(std::make_shared<NeuralController>(std::move(model)));
}

}  // namespace zoe::control
