// SPDX-License-Identifier: MIT
// A learned tracker: a model of the simulated world, and a policy that is trained through it (Fussell, Bergamin and
// Holden, "SuperTrack: motion tracking for physically simulated characters using supervised learning", 2021). The
// policy returns offsets of the targets; servos and feed-forward stay as they are.
#include "zoe/motion/bone_rows.h"
#include "zoe/train/tracker_source.h"

#include "train/models.h"
#include "train/tracker/bone_world.h"

namespace zoe::train {
namespace {

constexpr double kOffsetUnit = 0.2;  // Radians: of offsets as inputs of the world model.

// Nearly the absolute value: large errors of hopeless states do not rule.
at::Tensor size_of(const at::Tensor& error) { return ((error.square() + 1e-4).sqrt() - 1e-2).mean(); }

struct Errors {
  at::Tensor position, rotation, velocity, spin;

  void add(const Errors& other, double share) {
    const auto sum = [&](at::Tensor& to, const at::Tensor& value) {
      to = to.defined() ? to + share * value : share * value;
    };
    sum(position, other.position), sum(rotation, other.rotation);
    sum(velocity, other.velocity), sum(spin, other.spin);
  }
};

class Tracker final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    const Field &body = setup.fields[0], &target = setup.fields[1], &view = setup.fields[3], &change = setup.fields[4];
    const int bones = body.width / kBoneRowWidth;
    if (body.width % kBoneRowWidth != 0 || bones < 1 || target.width != body.width || body.steps < 2 ||
        setup.fields[2].steps < body.steps - 1 || target.steps < body.steps - 1 ||
        view.width != bone_view_width(bones) || change.width != 6 * bones)
      return Error{ErrorCode::kInvalid, "tracker: the data are no rollouts of bodies (see `zoe physics learn`)"};
    const double limit = setup.config.get<double>("model.limit");
    if (!(limit > 0 && limit <= 1)) return Error{ErrorCode::kUsage, "model.limit: must be above 0 and at most 1 rad"};
    return std::unique_ptr<Model>(new Tracker(setup));
  }

  // Of the world: that of the policy is not comparable while the world changes.
  Losses loss(const Batch& batch) override { return clones_ ? clone_loss(batch) : world_loss(batch); }

  std::vector<TurnInfo> turns() const override { return {{"world", "world."}, {"policy", "policy."}}; }
  Losses turn_loss(std::size_t turn, const Batch& batch) override {
    return turn == 0 ? world_loss(batch) : clones_ ? clone_loss(batch) : policy_loss(batch);
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {offsets(inputs[0].flatten(1)).unsqueeze(1)};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int view = view_.build_apply(b, b.input("view", view_width_));
    const int raw = policy_.build(b, view);
    b.output("offset", limit_.build_undo(b, b.activation(start_.build_apply(b, raw), Activation::kTanh)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", std::vector<std::int64_t>{512, 512, 512}, "widths of the policy's hidden layers")
        .add("model.world_hidden", std::vector<std::int64_t>{1024, 1024, 1024}, "widths of the world's hidden layers")
        .add("model.limit", 0.7, "rad: largest offset of a target")
        .add("model.noise", 0.03, "rad: of offsets, while the policy is trained")
        .add("model.effort", 0.05, "weight of the squared offsets")
        .add("model.clone", false, "the policy learns the recorded offsets, not through the model of the world");
    add_loss_keys(schema, {"world_position", "world_rotation", "world_velocity", "world_spin", "position", "rotation",
                           "velocity", "spin", "effort", "clone"});
    add_turn_keys(schema, {.name = "world", .steps = 1, .rate_factor = 1, .beta1 = -1});
    add_turn_keys(schema, {.name = "policy", .steps = 1, .rate_factor = 0.3, .beta1 = -1});
  }

 private:
  explicit Tracker(const ModelSetup& setup)
      : Model(setup),
        view_width_(setup.fields[3].width),
        noise_(setup.config.get<double>("model.noise")),
        clones_(setup.config.get<bool>("model.clone")),
        effort_(setup.config.get<double>("model.effort")),
        most_(setup.config.get<double>("model.limit")),
        view_(normaliser(parameters_, setup, 3)),
        change_(normaliser(parameters_, setup, 4)),
        limit_(parameters_, "offset_limit", std::vector<float>(idx_of(setup), 0.0F),
               std::vector<float>(idx_of(setup), static_cast<float>(most_))),
        start_(parameters_, "offset_start", std::vector<float>(idx_of(setup), 0.0F),
               std::vector<float>(idx_of(setup), 5.0F)),
        world_(parameters_, "world",
               widths(setup, view_width_ + setup.fields[2].width, "model.world_hidden", setup.fields[4].width),
               Activation::kElu),
        policy_(parameters_, "policy", widths(setup, view_width_, "model.hidden", setup.fields[2].width),
                Activation::kElu) {
    // Errors are measured by the body's own size: the mean height of its bones.
    const int bones = setup.fields[0].width / kBoneRowWidth;
    double height = 0;
    for (int b = 0; b < bones; ++b)
      height += std::abs(setup.statistics[3].mean[static_cast<std::size_t>(3 + b)]) / bones;
    length_m_ = std::max(height, 0.02);
    speed_m_s_ = std::sqrt(9.81 * length_m_);
  }
  static std::size_t idx_of(const ModelSetup& setup) { return static_cast<std::size_t>(setup.fields[2].width); }
  static std::vector<std::int64_t> widths(const ModelSetup& setup, std::int64_t in, const char* key, std::int64_t out) {
    std::vector<std::int64_t> all = setup.config.get<std::vector<std::int64_t>>(key);
    all.insert(all.begin(), in);
    all.push_back(out);
    return all;
  }

  at::Tensor offsets(const at::Tensor& view) const {
    return limit_.undo(at::tanh(start_.apply(policy_(view_.apply(view), training))));
  }
  SimulatedBones tick(const SimulatedBones& body, const at::Tensor& view, const at::Tensor& offset) const {
    const at::Tensor in = at::cat({view_.apply(view), offset / kOffsetUnit}, 1);
    return advance(body, change_.undo(world_(in, training)), kTrackerFrameS);
  }
  Errors compare(const SimulatedBones& a, const SimulatedBones& b) const {
    return {size_of((a.position - b.position) / length_m_), size_of(a.axes - b.axes),
            size_of((a.velocity - b.velocity) / speed_m_s_), size_of((a.spin - b.spin) * (length_m_ / speed_m_s_))};
  }

  Losses world_loss(const Batch& batch) const {
    const std::int64_t steps = batch[0].size(1) - 1;
    SimulatedBones body = SimulatedBones::from_row(batch[0].select(1, 0));
    Errors sum;
    for (std::int64_t t = 0; t < steps; ++t) {
      const at::Tensor view = view_bones(body, SimulatedBones::from_row(batch[1].select(1, t)));
      body = tick(body, view, batch[2].select(1, t));
      sum.add(compare(body, SimulatedBones::from_row(batch[0].select(1, t + 1))), 1.0 / static_cast<double>(steps));
    }
    return total({{"world_position", sum.position, 20},
                  {"world_rotation", sum.rotation, 10},
                  {"world_velocity", sum.velocity, 4},
                  {"world_spin", sum.spin, 1}});
  }

  // The offsets that a teacher chose, in the unit of their limit. Single plans are far off: as in size_of().
  Losses clone_loss(const Batch& batch) const {
    const at::Tensor view =
        view_bones(SimulatedBones::from_row(batch[0].select(1, 0)), SimulatedBones::from_row(batch[1].select(1, 0)));
    return total({{"clone", size_of((offsets(view) - batch[2].select(1, 0)) * (1 / most_)), 10}});
  }

  // The policy in the frozen world, over the whole window.
  Losses policy_loss(const Batch& batch) const {
    const std::int64_t steps = batch[1].size(1);
    SimulatedBones body = SimulatedBones::from_row(batch[0].select(1, 0));
    Errors sum;
    at::Tensor effort;
    const double share = 1.0 / static_cast<double>(steps);
    for (std::int64_t t = 0; t < steps; ++t) {
      const SimulatedBones target = SimulatedBones::from_row(batch[1].select(1, t));
      const at::Tensor view = view_bones(body, target);
      const at::Tensor chosen = offsets(view);
      const at::Tensor square = (chosen / most_).square().mean() * share;
      effort = effort.defined() ? effort + square : square;
      body = tick(body, view, training ? chosen + noise_ * at::randn_like(chosen) : chosen);
      sum.add(compare(body, target), share);
    }
    return total({{"position", sum.position, 10},
                  {"rotation", sum.rotation, 4},
                  {"velocity", sum.velocity, 2},
                  {"spin", sum.spin, 0.3},
                  {"effort", effort, effort_}});
  }

  int view_width_;
  double noise_;
  bool clones_;
  double effort_, most_, length_m_ = 1, speed_m_s_ = 1;
  Normaliser view_, change_, limit_, start_;
  Mlp world_, policy_;
};

}  // namespace

std::vector<ModelInfo> tracker_models() {
  return {{"tracker",
           "a model of a simulated body's world, and a policy that tracks targets in it",
           {"body", "target", "offset", "view", "change"},
           ToyKind::kTracked,
           Tracker::add_keys,
           Tracker::create}};
}

}  // namespace zoe::train
