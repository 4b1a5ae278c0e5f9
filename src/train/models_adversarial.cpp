// SPDX-License-Identifier: MIT
// Adversarial models: gan.
#include <ATen/CPUGeneratorImpl.h>

#include "train/adversarial.h"
#include "train/models.h"

namespace zoe::train {
namespace {

// Mean distance between the rows of a and b.
at::Tensor mean_distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a.unsqueeze(1) - b.unsqueeze(0)).square().sum(2) + 1e-12).sqrt().mean();
}

// 0 when both sets of rows have one distribution (Székely and Rizzo, 2013).
at::Tensor energy_distance(const at::Tensor& a, const at::Tensor& b) {
  return 2 * mean_distance(a, b) - mean_distance(a, a) - mean_distance(b, b);
}

// A code of normal noise -> x, against a critic that tells x from real samples.
class Gan final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY_ASSIGN(const AdversarialLoss loss, parse_adversarial_loss(setup.config.get<std::string>("model.loss")));
    return std::unique_ptr<Model>(new Gan(setup, loss));
  }

  // The energy distance of generated samples from the batch: losses of a game do not fall.
  Losses loss(const Batch& batch) override {
    const at::Tensor x = x_.apply(batch[0]).flatten(1);
    return {energy_distance(generator_(noise(x), training), x), {}};
  }

  std::vector<TurnInfo> turns() const override { return {{"generator", "generator."}, {"critic", "critic."}}; }
  Losses turn_loss(std::size_t turn, const Batch& batch) override {
    const at::Tensor x = x_.apply(batch[0]).flatten(1);
    const at::Tensor made = generator_(noise(x), training);
    if (turn == 0) return total({{"adversarial", generator_loss(loss_, score(made))}});
    const at::Tensor generated = made.detach(), real_score = score(x), generated_score = score(generated);
    const Critic critic = [this](const at::Tensor& at) { return score(at); };
    const at::Tensor penalty =
        loss_ == AdversarialLoss::kWasserstein ? gradient_penalty(critic, x, generated) : r1_penalty(critic, x);
    return total({{"discrimination", critic_loss(loss_, real_score, generated_score)}, {"penalty", penalty, penalty_}},
                 {{"real_score", real_score.mean()}, {"generated_score", generated_score.mean()}});
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {x_.undo(generator_(inputs[0].flatten(1), false).view({-1, field_.steps, field_.width}))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = generator_.build(b, b.input("z", static_cast<int>(code_)));
    b.output("x", x_.build_undo(b, b.reshape(x, field_.steps, field_.width)));
    return std::move(b).build();
  }

  std::vector<NamedTensor> sample(const Batch& batch) override {
    const at::Tensor x = generator_(noise(batch[0].flatten(1)), false);
    return {{"x", x_.undo(x.view({-1, field_.steps, field_.width}))}};
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", std::vector<std::int64_t>{256, 256}, "widths of the generator's hidden layers")
        .add("model.critic_hidden", std::vector<std::int64_t>{256, 256}, "widths of the critic's hidden layers")
        .add("model.code", 16, "numbers of noise for a sample")
        .add("model.loss", std::string("non_saturating"),
             "non_saturating and hinge (with R1 penalty), or wasserstein (with gradient penalty)")
        .add("model.penalty", 1.0, "weight of the penalty on the critic's gradient");
    add_loss_keys(schema, {"adversarial", "discrimination", "penalty"});
    add_turn_keys(schema, {.name = "generator", .steps = 1, .rate_factor = 1, .beta1 = 0.5});
    add_turn_keys(schema, {.name = "critic", .steps = 1, .rate_factor = 1, .beta1 = 0.5});
  }

 private:
  Gan(const ModelSetup& setup, AdversarialLoss loss)
      : Model(setup),
        field_(setup.fields[0]),
        code_(integer(setup, "model.code")),
        loss_(loss),
        penalty_(setup.config.get<double>("model.penalty")),
        x_(normaliser(parameters_, setup, 0)),
        generator_(parameters_, "generator", widths(setup, code_, "model.hidden", flat_size(field_)), Activation::kElu),
        critic_(parameters_, "critic", widths(setup, flat_size(field_), "model.critic_hidden", 1), Activation::kSilu) {}
  static std::vector<std::int64_t> widths(const ModelSetup& setup, std::int64_t in, const char* key, std::int64_t out) {
    std::vector<std::int64_t> all = setup.config.get<std::vector<std::int64_t>>(key);
    all.insert(all.begin(), in);
    all.push_back(out);
    return all;
  }

  at::Tensor score(const at::Tensor& x) const { return critic_(x, training).squeeze(1); }
  // For each row of x. Validations compare: they use the same noise each time.
  at::Tensor noise(const at::Tensor& x) const {
    if (training) return at::randn({x.size(0), code_}, x.options());
    at::Generator fixed = at::detail::createCPUGenerator(/*seed_val=*/1);
    return at::randn({x.size(0), code_}, fixed, at::kFloat).to(x.options());
  }

  Field field_;
  std::int64_t code_;
  AdversarialLoss loss_;
  double penalty_;
  Normaliser x_;
  Mlp generator_, critic_;
};

}  // namespace

std::vector<ModelInfo> adversarial_models() {
  return {
      {"gan", "noise to x, by a generator and a critic in turn", {"x"}, ToyKind::kCurve, Gan::add_keys, Gan::create}};
}

}  // namespace zoe::train
