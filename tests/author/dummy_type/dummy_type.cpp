// SPDX-License-Identifier: MIT
#include "author/dummy_type/dummy_type.h"

#include "zoe/character/copy_pose.h"
#include "zoe/control/trajectory.h"

namespace zoe::author::test {
namespace {

constexpr const char* kSchema = R"(name = "controller_dummy"
fps = 30.0
[joints]
pose = ["body"]
contacts = ["feet", "toes"]
[input]
channels = ["joint.position"]
[output]
channels = ["root.delta per=second at=1", "joint parts=position,z_axis,y_axis at=1", "contact at=1"]
)";

class DummyController final : public control::Controller {
 public:
  DummyController(control::Body body, float speed)
      : Controller({.skeleton = body.skeleton,
                    .rate_hz = 60,
                    .contact_joints = body.contact_joints,
                    .styles = {},
                    .actions = {},
                    .motion_range = body.motion_range}),
        body_(std::move(body)),
        speed_(speed) {}
  const char* type() const override { return "dummy"; }
  std::size_t model_bytes() const override { return sizeof(float); }

 protected:
  struct State : control::ControllerState {
    PlanarRoot root;

   protected:
    void describe(StateArchive& archive) override { archive.bits(root); }
  };
  std::unique_ptr<control::ControllerState> allocate_state() const override { return std::make_unique<State>(); }
  void start(control::ControllerState& state, control::CharacterFrame& now) const noexcept override {
    static_cast<State&>(state).root = {};
    pose(static_cast<State&>(state), now);
  }
  void step(const control::StepItem& item) const noexcept override {
    auto& state = static_cast<State&>(*item.state);
    state.root.position = state.root.position + item.intent->velocity_at(0) * (speed_ * static_cast<float>(step_s()));
    pose(state, *item.now);
  }

 private:
  void pose(const State& state, control::CharacterFrame& now) const {
    copy_pose(body_.start.view(), span_of(now.pose));
    now.root = state.root;
    now.pose.translations[0] = now.pose.translations[0] + state.root.position;
  }
  control::Body body_;
  float speed_;
};

Result<void> fit(const FitContext& context) {
  float speed = 1;
  for (const std::string& setting : context.settings) {
    if (setting.starts_with("speed=")) speed = std::stof(setting.substr(6));
  }
  const std::vector<float> values{speed};
  const NamedArray arrays[] = {{"speed", view_of(values)}};
  return write_safetensors(context.run / context.config.network, arrays, {});
}

Result<control::ControllerPtr> load(const control::ControllerParts& parts, const control::ControllerConfig& config) {
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(control::Body body, control::load_body(body_file));
  ZOE_TRY_ASSIGN(const Safetensors model, parts.tensors(config.network));
  ZOE_TRY_ASSIGN(const ArrayView speed, model.find("speed"));
  ZOE_TRY_ASSIGN(const std::vector<float> values, to_floats(speed));
  return control::ControllerPtr(std::make_shared<const DummyController>(std::move(body), values[0]));
}

}  // namespace

Type dummy_type() {
  return {.run_time = {"dummy", "glides in the start pose", load,
                       [](const control::ControllerConfig& config) {
                         return std::vector<std::string>{config.body, config.network};
                       }},
          .schema = kSchema,
          .fit = fit};
}

}  // namespace zoe::author::test
