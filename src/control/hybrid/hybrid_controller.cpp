// SPDX-License-Identifier: MIT
#include <cmath>

#include "zoe/control/hybrid.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/core/hash64.h"

#include "control/hybrid/hybrid_state.h"
#include "control/neural/network_batch.h"

namespace zoe::control {
namespace {

std::uint64_t hybrid_content(const HybridModel& model) {
  Hash64 hash;
  const auto add = [&](const auto& values) { hash.add(std::as_bytes(std::span(values))); };
  add(std::array{model.neural.parts.network->fingerprint(), model.matching->fingerprint()});
  for (const Confidence* one : {&model.confidence.network, &model.confidence.matching}) {
    add(one->mean);
    add(one->hidden);
    add(one->last);
  }
  return hash.finish();
}

// Columns of features that are positions and velocities of joints.
std::vector<PoseColumn> pose_columns_of(const features::Layout& layout) {
  std::vector<PoseColumn> out;
  const auto& channels = layout.schema().block(features::BlockKind::kInput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const features::Channel& channel = channels[c];
    if (channel.group != features::Group::kJoint || channel.parts.size() != 1) continue;
    const bool is_velocity = channel.parts[0] == features::Part::kVelocity;
    if (!is_velocity && channel.parts[0] != features::Part::kPosition) continue;
    int column = layout.columns(features::BlockKind::kInput)[c].begin;
    for (const int joint : layout.channel_joints(features::BlockKind::kInput)[c])
      for (int axis = 0; axis < 3; ++axis) out.push_back({column++, joint, axis, is_velocity});
  }
  return out;
}

class HybridController final : public Controller {
 public:
  explicit HybridController(HybridModelPtr model)
      : Controller({.skeleton = model->neural.parts.body.skeleton,
                    .rate_hz = model->neural.layout.fps(),
                    .contact_joints = model->neural.parts.body.contact_joints,
                    .legs = model->neural.legs,
                    .styles = {},
                    .actions = {},
                    .motion_range = model->neural.parts.body.motion_range,
                    .content = hybrid_content(*model),
                    .stand = model->neural.parts.body.stand}),
        model_(std::move(model)) {}

  const char* type() const override { return "hybrid"; }
  std::size_t model_bytes() const override {
    return model_->neural.parts.network->weight_bytes() + model_->database->bytes();
  }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override { return std::make_unique<HybridState>(model_); }
  std::unique_ptr<Workspace> make_workspace(int max_characters) const override {
    return std::make_unique<NetworkBatch>(model_->neural, max_characters);
  }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    static_cast<HybridState&>(state).start_both(now);
  }
  void step_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept override {
    static_cast<NetworkBatch&>(*workspace)
        .for_chunks(items.size(), pool, [&](std::size_t begin, std::size_t end, NetworkBatch::Slot& slot) {
          step_chunk(items.subspan(begin, end - begin), slot);
        });
  }
  bool steps_in_parts() const override { return true; }

 private:
  void step_chunk(std::span<const StepItem> items, NetworkBatch::Slot& slot) const noexcept {
    const auto state = [&](std::size_t i) -> HybridState& { return static_cast<HybridState&>(*items[i].state); };
    for (std::size_t i = 0; i < items.size(); ++i) {
      StepItem item = items[i];
      item.intent = &state(i).cautious(*item.intent);
      state(i).encode(model_->neural, item, slot.x_of(i), &slot.phase[i], slot.window);
      state(i).count_outside(slot.x_of(i));
    }
    slot.run(model_->neural, items.size());
    for (std::size_t i = 0; i < items.size(); ++i) state(i).decode(model_->neural, items[i], slot.y_of(i));
  }

  HybridModelPtr model_;
};

HybridState& hybrid_state(const ControllerState& state, const char* what) {
  auto* hybrid = dynamic_cast<HybridState*>(const_cast<ControllerState*>(&state));
  ZOE_CHECK(hybrid != nullptr, what);
  return *hybrid;
}

}  // namespace

MatchOptions hybrid_match_options(const NeuralOptions& options) {
  MatchOptions match;
  const TrajectoryOptions person;
  const float facing = match.trajectory.facing_half_life_s / person.facing_half_life_s;
  match.trajectory = options.trajectory;
  match.trajectory.facing_half_life_s *= facing;
  match.lock_feet = options.lock_feet;
  match.locks = options.locks;
  return match;
}

Result<ControllerPtr> make_hybrid_controller(HybridParts parts) {
  const auto wrong = [](const char* what) {
    return Error{ErrorCode::kInvalid, std::string("controller 'hybrid': ") + what, {}};
  };
  ZOE_CHECK(parts.database != nullptr, "a hybrid needs a database");
  const HybridOptions& options = parts.options;
  if (!(options.threshold >= 0 && options.threshold <= 1)) return wrong("the threshold must be 0 to 1");
  ZOE_TRY_ASSIGN(ControllerPtr matching, make_motion_matching(parts.database, parts.neural.body, parts.match));
  ZOE_TRY_ASSIGN(NeuralModel neural, make_neural_model(std::move(parts.neural)));
  if (neural.layout.steps(features::BlockKind::kOutput) != 1) return wrong("the network gives several frames at once");
  if (!neural.layout.schema().styles.empty() || !neural.layout.schema().actions.empty())
    return wrong("networks with styles or actions are not supported");
  const double ratio = matching->rate_hz() / neural.layout.fps();
  const long steps = std::lround(ratio);
  if (steps < 1 || steps > 16 || std::abs(ratio - static_cast<double>(steps)) > 1e-6)
    return wrong("the rate of the database is no multiple of the network's");
  FeatureSpace space(parts.database->layout(), parts.database->normalisation());
  std::vector<PoseColumn> columns = pose_columns_of(parts.database->layout());
  return ControllerPtr(std::make_shared<HybridController>(
      std::make_shared<const HybridModel>(HybridModel{.neural = std::move(neural),
                                                      .database = parts.database,
                                                      .matching = std::move(matching),
                                                      .space = std::move(space),
                                                      .trajectory = parts.match.trajectory,
                                                      .confidence = std::move(parts.confidence),
                                                      .options = options,
                                                      .match_steps = static_cast<int>(steps),
                                                      .pose_columns = std::move(columns)})));
}

const HybridReport& hybrid_report(const ControllerState& state) {
  return hybrid_state(state, "hybrid_report: not a state of a hybrid").report;
}

void force_hybrid(ControllerState& state, HybridMode mode) {
  hybrid_state(state, "force_hybrid: not a state of a hybrid").mode = mode;
}

}  // namespace zoe::control
