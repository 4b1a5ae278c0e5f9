// SPDX-License-Identifier: MIT
// Models of blended experts: mann, pfnn.
#include "train/experts.h"
#include "train/fed_back_noise.h"
#include "train/models.h"

namespace zoe::train {
namespace {

double dropout_of(const ModelSetup& setup) { return setup.config.get<double>("model.dropout"); }

// x -> y by experts that a small network on some columns of x blends (Zhang et al., 2018).
class Mann final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    const auto& gate = setup.config.get<std::vector<std::int64_t>>("model.gate");
    if (gate.size() != 2 || gate[0] < 0 || gate[1] <= gate[0] || gate[1] > flat_size(setup.fields[0])) {
      return Error{ErrorCode::kUsage,
                   "model.gate must be two numbers, first and one past the last of x's columns (x has " +
                       std::to_string(flat_size(setup.fields[0])) + ")"};
    }
    auto model = std::unique_ptr<Mann>(new Mann(setup, gate[0], gate[1]));
    ZOE_TRY_ASSIGN(model->noise_, FedBackNoise::create(setup));
    return std::unique_ptr<Model>(std::move(model));
  }

  Losses loss(const Batch& batch) override { return {mse(run(batch[0]), y_.apply(batch[1])), {}}; }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override { return {y_.undo(run(inputs[0]))}; }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = build_flat(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    const int gate = b.softmax(gating_.build(b, b.slice(x, static_cast<int>(begin_), static_cast<int>(end_))));
    b.output("y", y_.build_undo(b, b.reshape(main_.build(b, x, gate), y_field_.steps, y_field_.width)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", 512, "width of the experts' hidden layers")
        .add("model.experts", 8)
        .add("model.gate", std::vector<std::int64_t>{0, 4},
             "columns of x that select experts: first, one past the last")
        .add("model.gate_hidden", 32, "width of the gating network")
        .add("model.dropout", 0.0, "fraction of each layer's inputs that is dropped in training");
    FedBackNoise::add_keys(schema);
  }

 private:
  Mann(const ModelSetup& setup, std::int64_t begin, std::int64_t end)
      : Model(setup),
        x_field_(setup.fields[0]),
        y_field_(setup.fields[1]),
        begin_(begin),
        end_(end),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        gating_(parameters_, "gating",
                {end - begin, integer(setup, "model.gate_hidden"), integer(setup, "model.gate_hidden"),
                 integer(setup, "model.experts")},
                Activation::kElu, dropout_of(setup)),
        main_(parameters_, "main", integer(setup, "model.experts"), flat_size(x_field_), integer(setup, "model.hidden"),
              flat_size(y_field_), dropout_of(setup)) {}

  at::Tensor run(const at::Tensor& raw) const {
    const at::Tensor x = noise_.apply(x_.apply(raw).flatten(1), training);
    const at::Tensor gate = at::softmax(gating_(x.slice(1, begin_, end_), training), -1);
    return main_(x, gate, training).view({-1, y_field_.steps, y_field_.width});
  }

  Field x_field_, y_field_;
  std::int64_t begin_, end_;
  Normaliser x_, y_;
  Mlp gating_;
  ExpertMlp main_;
  FedBackNoise noise_;
};

// x, phase -> y: weights are a cyclic spline over the phase (Holden et al., 2017).
class Pfnn final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    auto model = std::unique_ptr<Pfnn>(new Pfnn(setup));
    ZOE_TRY_ASSIGN(model->noise_, FedBackNoise::create(setup));
    return std::unique_ptr<Model>(std::move(model));
  }

  Losses loss(const Batch& batch) override { return {mse(run(batch[0], batch[2]), y_.apply(batch[1])), {}}; }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(run(inputs[0], inputs[1]))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int raw = b.input("x", x_field_.width, x_field_.steps), phase = b.input("phase", 1);
    const int x = build_flat(b, x_.build_apply(b, raw));
    b.output("y",
             y_.build_undo(b, b.reshape(main_.build(b, x, b.phase_weights(phase)), y_field_.steps, y_field_.width)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", 512, "width of the hidden layers")
        .add("model.dropout", 0.0, "fraction of each layer's inputs that is dropped in training");
    FedBackNoise::add_keys(schema);
  }

 private:
  explicit Pfnn(const ModelSetup& setup)
      : Model(setup),
        x_field_(setup.fields[0]),
        y_field_(setup.fields[1]),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        main_(parameters_, "main", 4, flat_size(x_field_), integer(setup, "model.hidden"), flat_size(y_field_),
              dropout_of(setup)) {}

  at::Tensor run(const at::Tensor& x, const at::Tensor& phase) const {
    return main_(noise_.apply(x_.apply(x).flatten(1), training), phase_weights(phase.flatten(1)), training)
        .view({-1, y_field_.steps, y_field_.width});
  }

  Field x_field_, y_field_;
  Normaliser x_, y_;
  ExpertMlp main_;
  FedBackNoise noise_;
};

}  // namespace

std::vector<ModelInfo> expert_models() {
  return {
      {"mann",
       "x to y by experts that some columns of x blend",
       {"x", "y"},
       ToyKind::kVector,
       Mann::add_keys,
       Mann::create},
      {"pfnn",
       "x to y by weights that move with a phase",
       {"x", "y", "phase"},
       ToyKind::kPhase,
       Pfnn::add_keys,
       Pfnn::create},
  };
}

}  // namespace zoe::train
