// SPDX-License-Identifier: MIT
#include "zoe/control/step_trace.h"

#include "control/cxm/cxm_model.h"
#include "control/neural/network_batch.h"

namespace zoe::control {
namespace {

void record(const NetworkBatch::Slot& slot, TracedStep& out) {
  out.x = slot.x;
  out.y = slot.y;
  out.phase_turns = slot.phase[0];
}

void step(const NeuralModel& model, NeuralState& state, const StepItem& item, NetworkBatch::Slot& slot,
          TracedStep& out) {
  state.encode(model, item, slot.x_of(0), slot.phase.data(), slot.window);
  slot.run(model, 1);
  record(slot, out);
  state.decode(model, item, slot.y_of(0));
}

void step(const CxmModel& model, CxmState& state, const StepItem& item, NetworkBatch::Slot& slot, TracedStep& out) {
  if (state.is_due(model)) {
    state.ask(model, item, slot.x_of(0), slot.window);
    slot.run(model.neural, 1);
    record(slot, out);
    state.take(model, slot.y_of(0));
  }
  state.play(model, item);
}

const NeuralModel& neural_of(const NeuralModel& model) { return model; }
const NeuralModel& neural_of(const CxmModel& model) { return model.neural; }

// use(i, state, frame) after each step i.
template <typename State, typename Model, typename Use>
void run(const Model& model, std::span<const Intent> intents, std::vector<TracedStep>& steps, const Use& use) {
  const Body& body = neural_of(model).parts.body;
  State state(model, body.skeleton);
  CharacterFrame before{{}, body.start, std::vector<float>(body.contact_joints.size())}, now = before;
  state.start(model, now);
  NetworkBatch batch(neural_of(model), 1);
  for (std::size_t i = 0; i < intents.size(); ++i) {
    const Intent intent = sanitised(intents[i]);
    std::swap(before, now);
    const StepItem item{&state, &intent, &before, &now};
    batch.for_chunks(1, nullptr, [&](std::size_t, std::size_t, NetworkBatch::Slot& slot) {
      step(model, state, item, slot, steps[i]);
    });
    use(i, state, now);
  }
}

template <typename State, typename Model>
Result<std::vector<TracedStep>> trace(const NeuralParts& parts, std::span<const Intent> intents,
                                      Result<Model> (*make)(NeuralParts)) {
  std::vector<TracedStep> steps(intents.size());
  ZOE_TRY_ASSIGN(const Model model, make(parts));
  run<State>(model, intents, steps, [&](std::size_t i, const NeuralState& state, const CharacterFrame& now) {
    steps[i].root = now.root;
    steps[i].contacts = now.contacts;
    steps[i].pose = state.own_pose();
    steps[i].displayed = now.pose;
  });
  NeuralParts without_locks = parts;
  without_locks.options.lock_feet = false;
  ZOE_TRY_ASSIGN(const Model smooth, make(without_locks));
  std::vector<TracedStep> again(intents.size());
  run<State>(smooth, intents, again,
             [&](std::size_t i, const NeuralState&, const CharacterFrame& now) { steps[i].smoothed = now.pose; });
  return steps;
}

StepShape shape_of(const NeuralModel& model) {
  StepShape shape{.way_times = model.way_times,
                  .has_phase_input = model.has_phase,
                  .signal_times = model.outputs.phases().times,
                  .signal_columns = 2 * model.outputs.phases().num_channels,
                  .usual_styles = model.usual_styles,
                  .usual_actions = model.usual_actions};
  for (const OutputMap::Feedback& feedback : model.outputs.feedback()) {
    if (feedback.group == features::Group::kPhaseLocal) shape.local_phase_columns = feedback.width;
  }
  for (const int joint : model.decoder.joints()) shape.decoded.push_back({joint, model.decoder.takes_position(joint)});
  return shape;
}

}  // namespace

Result<std::vector<TracedStep>> trace_steps(const NeuralParts& parts, std::span<const Intent> intents) {
  if (parts.type == "cxm") return trace<CxmState>(parts, intents, make_cxm_model);
  ZOE_TRY(make_neural_controller(parts));  // Refuses networks of sequences.
  return trace<NeuralState>(parts, intents, make_neural_model);
}

Result<StepShape> step_shape(const NeuralParts& parts) {
  if (parts.type == "cxm") {
    ZOE_TRY_ASSIGN(CxmModel model, make_cxm_model(parts));
    StepShape shape = shape_of(model.neural);
    shape.interval = model.interval;
    shape.first_frame = model.first_frame;
    shape.last_frame = model.last_frame;
    shape.played_frames = model.played_frames();
    shape.standing_frame = std::move(model.standing);
    return shape;
  }
  ZOE_TRY_ASSIGN(const NeuralModel model, make_neural_model(parts));
  return shape_of(model);
}

}  // namespace zoe::control
