// SPDX-License-Identifier: MIT
// Models of blended experts: mann, pfnn.
#include <optional>

#include "train/dense_encoder.h"
#include "train/experts.h"
#include "train/fed_back_noise.h"
#include "train/foot_losses.h"
#include "train/foot_slide.h"
#include "train/ground_encoder.h"
#include "train/models.h"
#include "train/rollout.h"
#include "train/style_vector.h"

namespace zoe::train {
namespace {

double dropout_of(const ModelSetup& setup) { return setup.config.get<double>("model.dropout"); }

// The input of experts: x normalised, with errors in training, and with style vectors in place of labels.
class ExpertInput {
 public:
  struct Settings {
    FedBackNoise noise;
    StyleVector::Columns style;
    FootSlide slide;
    FootLosses feet;
    Rollout rollout;
  };
  static Result<Settings> settings_of(const ModelSetup& setup) {
    Settings settings;
    ZOE_TRY_ASSIGN(settings.noise, FedBackNoise::create(setup));
    ZOE_TRY_ASSIGN(settings.slide, FootSlide::create(setup));
    ZOE_TRY_ASSIGN(settings.feet, FootLosses::create(setup));
    ZOE_TRY_ASSIGN(settings.rollout, Rollout::create(setup));
    ZOE_TRY_ASSIGN(const std::int64_t plain_width, plain_width_of(setup));
    ZOE_TRY_ASSIGN(settings.style, StyleVector::columns_of(setup, plain_width));
    return settings;
  }
  // Columns of x that experts see as they are.
  static Result<std::int64_t> plain_width_of(const ModelSetup& setup) {
    ZOE_TRY_ASSIGN(const std::int64_t before_ground, GroundEncoder::check(setup));
    if (before_ground < flat_size(setup.fields[0])) {
      if (setup.config.get<std::vector<std::int64_t>>("model.encoders").empty()) return before_ground;
      return Error{ErrorCode::kUsage, "model.ground and model.encoders cannot be combined"};
    }
    return DenseEncoders::check(setup, before_ground);
  }
  static void add_keys(ConfigSchema& schema) {
    FedBackNoise::add_keys(schema);
    StyleVector::add_keys(schema);
    FootSlide::add_keys(schema);
    GroundEncoder::add_keys(schema);
    DenseEncoders::add_keys(schema);
    FootLosses::add_keys(schema);
    Rollout::add_keys(schema);
  }

  ExpertInput(const ModelSetup& setup, Parameters& parameters, const Settings& settings)
      : field_(setup.fields[0]),
        x_(normaliser(parameters, setup, 0)),
        noise_(settings.noise),
        slide_(settings.slide),
        feet_(settings.feet),
        rollout_(settings.rollout),
        ground_(parameters, setup),
        encoders_(parameters, setup) {
    if (!settings.style.empty()) style_.emplace(settings.style, parameters, integer(setup, "model.hidden"), 2);
  }

  std::int64_t width() const { return plain_width() + ground_.code_width() + encoders_.code_width(); }
  std::int64_t code_width() const { return ground_.code_width(); }
  // Where a column of x that follows the labels (or its end) lies now.
  std::int64_t moved(std::int64_t column) const {
    return style_ && column > style_->begin() ? column + shift() : column;
  }

  struct Input {
    at::Tensor x;
    ExpertMlp::Between between;
    at::Tensor seen = {};  // x with errors, normalised; before the style vectors.
    at::Tensor code = {};  // Of the ground; undefined without an encoder.
  };
  Input operator()(const at::Tensor& raw, bool training) const {
    at::Tensor x = noise_.apply(x_.apply(raw).flatten(1), training);
    Input input{x, {}, x};
    if (style_) {
      const at::Tensor vectors = style_->vectors(raw.flatten(1));
      input.x = style_->replaced(x, vectors);
      input.between = [this, vectors](std::size_t i, const at::Tensor& hidden) {
        return style_->film(i, hidden, vectors);
      };
    }
    if (ground_.exists()) {
      input.code = ground_(raw.flatten(1));
      input.x = at::cat({input.x.slice(1, 0, plain_width()), input.code}, 1);
    }
    if (encoders_.exist()) input.x = at::cat({input.x.slice(1, 0, plain_width()), encoders_(x, training)}, 1);
    return input;
  }
  // Of the outputs, normalised: their error, places of feet, and the sliding of feet.
  // total: Model::total().
  template <typename Total>
  Losses loss(const Input& input, const at::Tensor& raw, const Normaliser& y_of, const at::Tensor& y_predicted,
              const at::Tensor& y, const Total& total) const {
    const at::Tensor error = mse(y_predicted, y_of.apply(y));
    if (!slide_.is_used() && !feet_.exists()) return {error, {}};
    const at::Tensor made = y_of.undo(y_predicted).flatten(1);
    Losses losses{error, {}};
    if (feet_.exists()) {
      std::vector<LossTerm> terms = feet_.terms(made, y.flatten(1));
      terms.insert(terms.begin(), {"data", error});
      losses = total(std::move(terms));
    }
    if (slide_.is_used()) {
      const at::Tensor seen = x_.undo(input.seen.view(raw.sizes())).flatten(1);
      const at::Tensor slide = slide_(seen, raw.flatten(1), made, y.flatten(1));
      losses.total = losses.total + slide;
      losses.values.emplace_back("slide", slide);
    }
    return losses;
  }
  // The loss of a batch: frame by frame, or of runs that the model continues itself. predict: normalised outputs of an
  // input and its batch.
  template <typename Predict, typename Total>
  Losses loss_of(const Batch& batch, bool training, const Normaliser& y_of, const Predict& predict,
                 const Total& total) const {
    const auto step = [&](const Batch& at_step) {
      const Input input = (*this)(at_step[0], training);
      const at::Tensor y = predict(input, at_step);
      return Rollout::Step{loss(input, at_step[0], y_of, y, at_step[1], total), y_of.undo(y).flatten(1)};
    };
    return rollout_.is_used(batch) ? rollout_(batch, step) : step(batch).losses;
  }
  int build_raw(GraphBuilder& b) const { return b.input("x", field_.width, field_.steps); }
  struct Built {
    int x;
    ExpertMlp::BuildBetween between;
    int code = -1;  // Of the ground.
  };
  // raw: the input "x". Inputs come before all operations.
  Built build(GraphBuilder& b, int raw) const {
    const int x = build_flat(b, x_.build_apply(b, raw));
    Built built{x, {}};
    if (style_) {
      const StyleVector::Built style = style_->build(b, build_flat(b, raw));
      built.x = style_->build_replaced(b, built.x, static_cast<int>(flat_size(field_)), style);
      built.between = [this, &b, style](std::size_t i, int hidden, Activation activation) {
        return style_->build_film(b, i, hidden, style, activation);
      };
    }
    if (ground_.exists()) {
      built.code = ground_.build(b, build_flat(b, raw));
      built.x = b.concat({b.slice(built.x, 0, static_cast<int>(plain_width())), built.code});
    }
    if (encoders_.exist())
      built.x = b.concat({b.slice(built.x, 0, static_cast<int>(plain_width())), encoders_.build(b, x)});
    return built;
  }

 private:
  std::int64_t shift() const { return style_ ? style_->added() - style_->removed() : 0; }
  // Columns before those of encoders, which are the last ones of x.
  std::int64_t plain_width() const { return encoders_.plain_width(ground_.plain_width()) + shift(); }

  Field field_;
  Normaliser x_;
  FedBackNoise noise_;
  FootSlide slide_;
  FootLosses feet_;
  Rollout rollout_;
  GroundEncoder ground_;
  DenseEncoders encoders_;
  std::optional<StyleVector> style_;
};

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
    ZOE_TRY_ASSIGN(const ExpertInput::Settings settings, ExpertInput::settings_of(setup));
    ZOE_TRY_ASSIGN(const std::int64_t plain_width, ExpertInput::plain_width_of(setup));
    if (gate[1] > plain_width)
      return Error{ErrorCode::kUsage, "model.gate overlaps model.ground or model.encoders, whose codes come last"};
    return std::unique_ptr<Model>(new Mann(setup, settings, gate[0], gate[1]));
  }

  Losses loss(const Batch& batch) override {
    return input_.loss_of(
        batch, training, y_, [this](const ExpertInput::Input& input, const Batch&) { return run(input); },
        [this](std::vector<LossTerm> terms) { return total(std::move(terms)); });
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(run(input_(inputs[0], training)))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const ExpertInput::Built built = input_.build(b, input_.build_raw(b));
    int selects = b.slice(built.x, static_cast<int>(begin_), static_cast<int>(end_));
    if (built.code >= 0) selects = b.concat({selects, built.code});
    const int gate = b.softmax(gating_.build(b, selects));
    const int y = main_.build(b, built.x, gate, built.between);
    b.output("y", y_.build_undo(b, b.reshape(y, y_field_.steps, y_field_.width)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", 512, "width of the experts' hidden layers")
        .add("model.experts", 8)
        .add("model.gate", std::vector<std::int64_t>{0, 4},
             "columns of x that select experts: first, one past the last")
        .add("model.gate_hidden", 32, "width of the gating network")
        .add("model.dropout", 0.0, "fraction of each layer's inputs that is dropped in training");
    ExpertInput::add_keys(schema);
  }

 private:
  Mann(const ModelSetup& setup, const ExpertInput::Settings& settings, std::int64_t begin, std::int64_t end)
      : Model(setup),
        y_field_(setup.fields[1]),
        input_(setup, parameters_, settings),
        begin_(input_.moved(begin)),
        end_(input_.moved(end)),
        y_(normaliser(parameters_, setup, 1)),
        gating_(parameters_, "gating",
                {end_ - begin_ + input_.code_width(), integer(setup, "model.gate_hidden"),
                 integer(setup, "model.gate_hidden"), integer(setup, "model.experts")},
                Activation::kElu, dropout_of(setup)),
        main_(parameters_, "main", integer(setup, "model.experts"), input_.width(), integer(setup, "model.hidden"),
              flat_size(y_field_), dropout_of(setup)) {}

  at::Tensor run(const ExpertInput::Input& input) const {
    at::Tensor selects = input.x.slice(1, begin_, end_);
    if (input.code.defined()) selects = at::cat({selects, input.code}, 1);
    const at::Tensor gate = at::softmax(gating_(selects, training), -1);
    return main_(input.x, gate, training, input.between).view({-1, y_field_.steps, y_field_.width});
  }

  Field y_field_;
  ExpertInput input_;
  std::int64_t begin_, end_;
  Normaliser y_;
  Mlp gating_;
  ExpertMlp main_;
};

// x, phase -> y: weights are a cyclic spline over the phase (Holden et al., 2017).
class Pfnn final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY_ASSIGN(const ExpertInput::Settings settings, ExpertInput::settings_of(setup));
    return std::unique_ptr<Model>(new Pfnn(setup, settings));
  }

  Losses loss(const Batch& batch) override {
    return input_.loss_of(
        batch, training, y_,
        [this](const ExpertInput::Input& input, const Batch& at_step) { return run(input, at_step[2]); },
        [this](std::vector<LossTerm> terms) { return total(std::move(terms)); });
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(run(input_(inputs[0], training), inputs[1]))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int raw = input_.build_raw(b), phase = b.input("phase", 1);
    const ExpertInput::Built built = input_.build(b, raw);
    const int y = main_.build(b, built.x, b.phase_weights(phase), built.between);
    b.output("y", y_.build_undo(b, b.reshape(y, y_field_.steps, y_field_.width)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", 512, "width of the hidden layers")
        .add("model.dropout", 0.0, "fraction of each layer's inputs that is dropped in training");
    ExpertInput::add_keys(schema);
  }

 private:
  Pfnn(const ModelSetup& setup, const ExpertInput::Settings& settings)
      : Model(setup),
        y_field_(setup.fields[1]),
        input_(setup, parameters_, settings),
        y_(normaliser(parameters_, setup, 1)),
        main_(parameters_, "main", 4, input_.width(), integer(setup, "model.hidden"), flat_size(y_field_),
              dropout_of(setup)) {}

  at::Tensor run(const ExpertInput::Input& input, const at::Tensor& phase) const {
    return main_(input.x, phase_weights(phase.flatten(1)), training, input.between)
        .view({-1, y_field_.steps, y_field_.width});
  }

  Field y_field_;
  ExpertInput input_;
  Normaliser y_;
  ExpertMlp main_;
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
