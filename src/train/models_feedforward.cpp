// SPDX-License-Identifier: MIT
// Feed-forward models: mlp, autoencoder, vae, sequence_mlp.
#include "train/models.h"

namespace zoe::train {

std::int64_t flat_size(const Field& field) { return static_cast<std::int64_t>(field.size()); }

int build_flat(GraphBuilder& builder, int value) {
  const nn::Shape shape = builder.shape(value);
  return shape.steps == 1 ? value : builder.reshape(value, 1, static_cast<int>(shape.size()));
}

Normaliser normaliser(Parameters& parameters, const ModelSetup& setup, std::size_t field) {
  return {parameters, "normalisation." + setup.fields[field].name, setup.statistics[field].mean,
          setup.statistics[field].spread};
}

namespace {

std::vector<std::int64_t> widths(std::int64_t in, const std::vector<std::int64_t>& hidden, std::int64_t out) {
  std::vector<std::int64_t> all{in};
  all.insert(all.end(), hidden.begin(), hidden.end());
  all.push_back(out);
  return all;
}

void add_mlp_keys(ConfigSchema& schema) {
  schema.add("model.hidden", std::vector<std::int64_t>{512, 512}, "widths of the hidden layers")
      .add("model.activation", std::string("elu"), "relu, elu, silu, tanh, sigmoid")
      .add("model.dropout", 0.0, "fraction of each layer's inputs that is dropped in training");
}

// x -> y.
class MlpModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY_ASSIGN(const Activation activation, parse_activation(setup.config.get<std::string>("model.activation")));
    return std::unique_ptr<Model>(new MlpModel(setup, activation));
  }

  Losses loss(const Batch& batch) override { return {mse(run(batch[0]), y_.apply(batch[1])), {}}; }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override { return {y_.undo(run(inputs[0]))}; }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = build_flat(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    b.output("y", y_.build_undo(b, b.reshape(net_.build(b, x), y_field_.steps, y_field_.width)));
    return std::move(b).build();
  }

 private:
  MlpModel(const ModelSetup& setup, Activation activation)
      : Model(setup),
        x_field_(setup.fields[0]),
        y_field_(setup.fields[1]),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        net_(parameters_, "net",
             widths(flat_size(x_field_), setup.config.get<std::vector<std::int64_t>>("model.hidden"),
                    flat_size(y_field_)),
             activation, setup.config.get<double>("model.dropout")) {}

  at::Tensor run(const at::Tensor& x) const {
    return net_(x_.apply(x).flatten(1), training).view({x.size(0), y_field_.steps, y_field_.width});
  }

  Field x_field_, y_field_;
  Normaliser x_, y_;
  Mlp net_;
};

void add_autoencoder_keys(ConfigSchema& schema) {
  schema
      .add("model.hidden", std::vector<std::int64_t>{256}, "widths between the input and the code; mirrored behind it")
      .add("model.code", 16, "width of the code")
      .add("model.activation", std::string("elu"), "relu, elu, silu, tanh, sigmoid")
      .add("model.dropout", 0.0, "fraction of each layer's inputs that is dropped in training");
}

// x -> code -> x. With `variational`, a code of mean and spread, sampled in training.
class Autoencoder final : public Model {
 public:
  template <bool kVariational>
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY_ASSIGN(const Activation activation, parse_activation(setup.config.get<std::string>("model.activation")));
    return std::unique_ptr<Model>(new Autoencoder(setup, activation, kVariational));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor x = x_.apply(batch[0]).flatten(1);
    const at::Tensor code = encoder_(x, training);
    if (!variational_) return {mse(decoder_(code, training), x), {}};
    const auto parts = code.chunk(2, 1);
    const at::Tensor mean = parts[0], log_variance = parts[1].clamp(-20, 10);
    const at::Tensor z = training ? mean + (0.5 * log_variance).exp() * at::randn_like(mean) : mean;
    const at::Tensor reconstruction = mse(decoder_(z, training), x);
    // Distance from the standard normal distribution, per column (Kingma and Welling, 2014).
    const at::Tensor divergence = -0.5 * (1 + log_variance - mean.square() - log_variance.exp()).mean();
    return total({{"reconstruction", reconstruction}, {"divergence", divergence, kl_weight_}});
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor code = encoder_(x_.apply(inputs[0]).flatten(1), false).narrow(1, 0, code_width_);
    return {code.unsqueeze(1), x_.undo(decoder_(code, false).view({-1, field_.steps, field_.width}))};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = build_flat(b, x_.build_apply(b, b.input("x", field_.width, field_.steps)));
    int code = encoder_.build(b, x);
    if (variational_) code = b.slice(code, 0, static_cast<int>(code_width_));
    b.output("code", code);
    const int y = b.reshape(decoder_.build(b, code), field_.steps, field_.width);
    b.output("y", b.denormalize(y, x_.name, {}, {}));  // The spreads of the input, stored once.
    return std::move(b).build();
  }

 private:
  Autoencoder(const ModelSetup& setup, Activation activation, bool variational)
      : Model(setup),
        field_(setup.fields[0]),
        variational_(variational),
        code_width_(setup.config.get<std::int64_t>("model.code")),
        x_(normaliser(parameters_, setup, 0)),
        encoder_(parameters_, "encoder", widths(flat_size(field_), hidden(setup), code_width_ * (variational ? 2 : 1)),
                 activation, dropout(setup)),
        decoder_(parameters_, "decoder", widths(code_width_, reversed(hidden(setup)), flat_size(field_)), activation,
                 dropout(setup)) {
    if (variational) kl_weight_ = setup.config.get<double>("model.divergence_weight");
  }

  static std::vector<std::int64_t> hidden(const ModelSetup& setup) {
    return setup.config.get<std::vector<std::int64_t>>("model.hidden");
  }
  static double dropout(const ModelSetup& setup) { return setup.config.get<double>("model.dropout"); }
  static std::vector<std::int64_t> reversed(std::vector<std::int64_t> list) { return {list.rbegin(), list.rend()}; }

  Field field_;
  bool variational_;
  std::int64_t code_width_;
  double kl_weight_ = 0;
  Normaliser x_;
  Mlp encoder_, decoder_;
};

void add_vae_keys(ConfigSchema& schema) {
  add_autoencoder_keys(schema);
  schema.add("model.divergence_weight", 1e-3, "of the code's distance from the standard normal distribution");
  add_loss_keys(schema, {"reconstruction", "divergence"});
}

// x -> y [steps, width], FiLM over time.
class SequenceMlp final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    return std::unique_ptr<Model>(new SequenceMlp(setup));
  }

  Losses loss(const Batch& batch) override {
    return {mse(net_(x_.apply(batch[0]).flatten(1)), y_.apply(batch[1])), {}};
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(net_(x_.apply(inputs[0]).flatten(1)))};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = build_flat(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    b.output("y", y_.build_undo(b, net_.build(b, x)));
    return std::move(b).build();
  }

 private:
  explicit SequenceMlp(const ModelSetup& setup)
      : Model(setup),
        x_field_(setup.fields[0]),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        net_(parameters_, "net", flat_size(x_field_), setup.config.get<std::int64_t>("model.hidden"),
             setup.fields[1].width, setup.fields[1].steps) {}

  Field x_field_;
  Normaliser x_, y_;
  FilmMlp net_;
};

void add_sequence_keys(ConfigSchema& schema) { schema.add("model.hidden", 256, "width of the hidden layers"); }

}  // namespace

std::vector<ModelInfo> feedforward_models() {
  return {
      {"mlp", "x to y by a stack of linear layers", {"x", "y"}, ToyKind::kVector, add_mlp_keys, MlpModel::create},
      {"autoencoder",
       "x to a narrow code and back",
       {"x"},
       ToyKind::kCurve,
       add_autoencoder_keys,
       Autoencoder::create<false>},
      {"vae",
       "x to a code near the standard normal distribution and back",
       {"x"},
       ToyKind::kCurve,
       add_vae_keys,
       Autoencoder::create<true>},
      {"sequence_mlp",
       "x to a sequence y, hidden units scaled and shifted by time (FiLM)",
       {"x", "y"},
       ToyKind::kSequence,
       add_sequence_keys,
       SequenceMlp::create},
  };
}

}  // namespace zoe::train
