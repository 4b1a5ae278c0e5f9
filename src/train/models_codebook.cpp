// SPDX-License-Identifier: MIT
// Models with discrete codes: categorical, vq, cxm.
#include "train/codebook.h"
#include "train/fed_back_noise.h"
#include "train/models.h"

namespace zoe::train {
namespace {

void add_code_keys(ConfigSchema& schema, int hidden, int channels, int classes) {
  schema.add("model.hidden", hidden, "width of the hidden layers")
      .add("model.channels", channels, "of the code")
      .add("model.classes", classes, "choices of each channel")
      .add("model.dropout", 0.0, "fraction of the encoders' inputs that is dropped in training");
}

// x -> categorical code -> y: the reference's contact network.
class Categorical final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    return std::unique_ptr<Model>(new Categorical(setup));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor code = categorical(encoder_(x_.apply(batch[0]).flatten(1), training), classes_);
    const at::Tensor y = decoder_(code, training).view({-1, y_field_.steps, y_field_.width});
    return {mse(y, y_.apply(batch[1])), {{"perplexity", perplexity(code, classes_)}}};
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor code = categorical(encoder_(x_.apply(inputs[0]).flatten(1), false), classes_);
    return {y_.undo(decoder_(code, false).view({-1, y_field_.steps, y_field_.width}))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = build_flat(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    const int code = b.softmax(encoder_.build(b, x), static_cast<int>(classes_));
    b.output("y", y_.build_undo(b, b.reshape(decoder_.build(b, code), y_field_.steps, y_field_.width)));
    return std::move(b).build();
  }

 private:
  explicit Categorical(const ModelSetup& setup)
      : Model(setup),
        x_field_(setup.fields[0]),
        y_field_(setup.fields[1]),
        classes_(integer(setup, "model.classes")),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        encoder_(parameters_, "encoder", {flat_size(x_field_), hidden(setup), hidden(setup), codes(setup)},
                 Activation::kElu, setup.config.get<double>("model.dropout")),
        decoder_(parameters_, "decoder", {codes(setup), hidden(setup), hidden(setup), flat_size(y_field_)},
                 Activation::kElu) {}
  static std::int64_t hidden(const ModelSetup& setup) { return integer(setup, "model.hidden"); }
  static std::int64_t codes(const ModelSetup& setup) {
    return integer(setup, "model.channels") * integer(setup, "model.classes");
  }

  Field x_field_, y_field_;
  std::int64_t classes_;
  Normaliser x_, y_;
  Mlp encoder_, decoder_;
};

// x -> `groups` of a codebook's vectors -> x.
class VqModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    return std::unique_ptr<Model>(new VqModel(setup));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor x = x_.apply(batch[0]).flatten(1);
    const auto out = quantiser_(encoder_(x, training).view({-1, width_}), training);
    const at::Tensor reconstruction = mse(decoder_(out.quantised.view({x.size(0), -1}), training), x);
    return total({{"reconstruction", reconstruction}, {"commitment", out.commitment, commitment_}},
                 {{"usage", quantiser_.usage(out.index)}, {"perplexity", quantiser_.perplexity(out.index)}});
  }
  void after_step(Collective& collective) override { quantiser_.update(collective); }

  // The graph decodes: code numbers in, x out.
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor index = inputs[0].round().clamp(0, quantiser_.codes().size(0) - 1).to(at::kLong).flatten();
    const at::Tensor code = quantiser_.codes().index_select(0, index).view({inputs[0].size(0), -1});
    return {x_.undo(decoder_(code, false).view({-1, field_.steps, field_.width}))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const at::Tensor& codes = quantiser_.codes();
    const int code =
        b.embedding(b.input("code", 1, static_cast<int>(groups_)), "codes", dims_of(codes), floats_of(codes));
    b.output("x", x_.build_undo(b, b.reshape(decoder_.build(b, build_flat(b, code)), field_.steps, field_.width)));
    return std::move(b).build();
  }

  // The encoder: x in, code numbers and their vectors out.
  bool has_encoder() const override { return true; }
  std::vector<at::Tensor> encode(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor z = encoder_(x_.apply(inputs[0]).flatten(1), false).view({-1, width_});
    const at::Tensor index = quantiser_.nearest(z);
    return {index.to(at::kFloat).view({-1, groups_, 1}),
            quantiser_.codes().index_select(0, index).view({-1, groups_, width_})};
  }
  Result<nn::Graph> encoder_graph() override {
    GraphBuilder b;
    const int x = build_flat(b, x_.build_apply(b, b.input("x", field_.width, field_.steps)));
    const int z = b.reshape(encoder_.build(b, x), static_cast<int>(groups_), static_cast<int>(width_));
    const int code = b.argmin(quantiser_.build_distance(b, z));
    const at::Tensor& codes = quantiser_.codes();
    b.output("code", code);
    b.output("vector", b.embedding(code, "codes", dims_of(codes), floats_of(codes)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", 256, "width of the hidden layers")
        .add("model.codes", 512, "vectors in the codebook")
        .add("model.code_width", 16, "numbers per vector")
        .add("model.groups", 4, "vectors per sample")
        .add("model.decay", 0.99, "of the running averages that the vectors follow")
        .add("model.commitment", 0.25, "weight of the distance to the nearest vector");
    add_loss_keys(schema, {"reconstruction", "commitment"});
  }

 private:
  explicit VqModel(const ModelSetup& setup)
      : Model(setup),
        field_(setup.fields[0]),
        width_(integer(setup, "model.code_width")),
        groups_(integer(setup, "model.groups")),
        commitment_(setup.config.get<double>("model.commitment")),
        x_(normaliser(parameters_, setup, 0)),
        encoder_(parameters_, "encoder",
                 {flat_size(field_), integer(setup, "model.hidden"), integer(setup, "model.hidden"), groups_ * width_},
                 Activation::kElu),
        decoder_(parameters_, "decoder",
                 {groups_ * width_, integer(setup, "model.hidden"), integer(setup, "model.hidden"), flat_size(field_)},
                 Activation::kElu),
        quantiser_(parameters_, "quantiser", integer(setup, "model.codes"), width_,
                   setup.config.get<double>("model.decay")) {}

  Field field_;
  std::int64_t width_, groups_;
  double commitment_;
  Normaliser x_;
  Mlp encoder_, decoder_;
  VectorQuantiser quantiser_;
};

// Categorical codebook matching with a denoiser: x -> y [steps, width] (ai4animationpy.md 2.1).
class Cxm final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    auto model = std::unique_ptr<Cxm>(new Cxm(setup));
    ZOE_TRY_ASSIGN(model->fed_back_, FedBackNoise::create(setup));
    return std::unique_ptr<Model>(std::move(model));
  }

  Losses loss(const Batch& batch) override {
    at::Tensor x = fed_back_.apply(x_.apply(batch[0]).flatten(1), training);
    const at::Tensor y = y_.apply(batch[1]);
    if (training && noise_ > 0) x = x + noise_ * at::randn_like(x);
    const at::Tensor logits = encoder_(y, training);
    const at::Tensor target = categorical(logits, classes_);
    const at::Tensor sample = training ? sample_categorical(logits, classes_, sampling_) : target;
    const at::Tensor reconstruction = mse(decoder_(sample), y);
    const at::Tensor matching = mse(estimate(x), target);
    // One amount of noise per batch. Without noise (validation) the denoiser starts from the estimate, as at run time.
    const at::Tensor amount = at::rand({1}, x.options());
    const at::Tensor start =
        training ? (1 - amount) * target + amount * sample_categorical(logits, classes_, sampling_) : estimate(x);
    const at::Tensor denoising = mse(denoise(start, x), target);
    std::vector<LossTerm> terms{{"reconstruction", reconstruction}, {"matching", matching}, {"denoising", denoising}};
    LoggedValues logged{{"perplexity", perplexity(target, classes_)}};
    if (prediction_ > 0)
      terms.push_back({"prediction", mse(decoder_(infer(x)), y), prediction_});
    else if (!training)
      logged.emplace_back("prediction", mse(decoder_(infer(x)), y));
    return total(std::move(terms), std::move(logged));
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(decoder_(infer(x_.apply(inputs[0]).flatten(1))))};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int group = static_cast<int>(classes_);
    const int x = build_flat(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    int code = b.softmax(estimator_1_.build(b, x), group);
    code = b.softmax(estimator_2_.build(b, code), group);
    for (std::int64_t i = 0; i < iterations_; ++i)
      code = b.softmax(denoiser_.build(b, b.concat({code, x}), i > 0), group);
    b.output("y", y_.build_undo(b, decoder_.build(b, code)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    add_code_keys(schema, 1024, 128, 8);
    schema.add("model.time_hidden", 32, "width of the encoder's layers over time")
        .add("model.iterations", 3, "denoising passes at run time")
        .add("model.noise", 0.0, "deviation of noise on the normalised input in training")
        .add("model.sampling", 1.0, "scale of the Gumbel noise on codes in training")
        .add("model.prediction", 0.0, "weight of the error of the whole network's output; the reference has none");
    FedBackNoise::add_keys(schema);
    add_loss_keys(schema, {"reconstruction", "matching", "denoising", "prediction"});
  }

 private:
  explicit Cxm(const ModelSetup& setup)
      : Model(setup),
        x_field_(setup.fields[0]),
        classes_(integer(setup, "model.classes")),
        iterations_(integer(setup, "model.iterations")),
        noise_(setup.config.get<double>("model.noise")),
        sampling_(setup.config.get<double>("model.sampling")),
        prediction_(setup.config.get<double>("model.prediction")),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        encoder_(parameters_, "encoder", setup.fields[1].width, hidden(setup), codes(setup), setup.fields[1].steps,
                 integer(setup, "model.time_hidden"), dropout(setup)),
        decoder_(parameters_, "decoder", codes(setup), hidden(setup), setup.fields[1].width, setup.fields[1].steps),
        estimator_1_(parameters_, "estimator_1", {flat_size(x_field_), hidden(setup), hidden(setup), codes(setup)},
                     Activation::kElu, dropout(setup)),
        estimator_2_(parameters_, "estimator_2", {codes(setup), hidden(setup), hidden(setup), codes(setup)},
                     Activation::kElu, dropout(setup)),
        denoiser_(parameters_, "denoiser",
                  {codes(setup) + flat_size(x_field_), hidden(setup), hidden(setup), codes(setup)}, Activation::kElu,
                  dropout(setup)) {}
  static std::int64_t hidden(const ModelSetup& setup) { return integer(setup, "model.hidden"); }
  static std::int64_t codes(const ModelSetup& setup) {
    return integer(setup, "model.channels") * integer(setup, "model.classes");
  }
  static double dropout(const ModelSetup& setup) { return setup.config.get<double>("model.dropout"); }

  at::Tensor estimate(const at::Tensor& x) const {
    return categorical(estimator_2_(categorical(estimator_1_(x, training), classes_), training), classes_);
  }
  at::Tensor denoise(const at::Tensor& code, const at::Tensor& x) const {
    return categorical(denoiser_(at::cat({code, x}, 1), training), classes_);
  }
  at::Tensor infer(const at::Tensor& x) const {
    at::Tensor code = estimate(x);
    for (std::int64_t i = 0; i < iterations_; ++i) code = denoise(code, x);
    return code;
  }

  Field x_field_;
  std::int64_t classes_, iterations_;
  double noise_, sampling_, prediction_;
  Normaliser x_, y_;
  FedBackNoise fed_back_;
  SpaceTimeEncoder encoder_;
  FilmMlp decoder_;
  Mlp estimator_1_, estimator_2_, denoiser_;
};

}  // namespace

std::vector<ModelInfo> codebook_models() {
  return {
      {"categorical",
       "x to a categorical code to y (contacts)",
       {"x", "y"},
       ToyKind::kVector,
       [](ConfigSchema& schema) { add_code_keys(schema, 256, 64, 4); },
       Categorical::create},
      {"vq", "x to vectors of a codebook and back", {"x"}, ToyKind::kCurve, VqModel::add_keys, VqModel::create},
      {"cxm",
       "x to a sequence y by categorical codebook matching with a denoiser",
       {"x", "y"},
       ToyKind::kSequence,
       Cxm::add_keys,
       Cxm::create},
  };
}

}  // namespace zoe::train
