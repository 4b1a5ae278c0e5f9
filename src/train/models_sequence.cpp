// SPDX-License-Identifier: MIT
// Models over sequences: conv, gru, lstm, attention, pae.
#include <optional>

#include "train/models.h"
#include "train/sequence_blocks.h"

namespace zoe::train {
namespace {

Result<void> check_same_steps(const ModelSetup& setup) {
  if (setup.fields[0].steps == setup.fields[1].steps) return {};
  return Error{ErrorCode::kInvalid, "this model needs as many steps in y as in x: the data has " +
                                        std::to_string(setup.fields[0].steps) + " in x, " +
                                        std::to_string(setup.fields[1].steps) + " in y"};
}

// Common parts of x [steps, width] -> y [steps, width] models.
class SequenceToSequence : public Model {
 public:
  Losses loss(const Batch& batch) override { return {mse(run(x_.apply(batch[0])), y_.apply(batch[1])), {}}; }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(run(x_.apply(inputs[0])))};
  }

 protected:
  explicit SequenceToSequence(const ModelSetup& setup)
      : Model(setup),
        x_field_(setup.fields[0]),
        y_width_(setup.fields[1].width),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)) {}
  virtual at::Tensor run(const at::Tensor& x) const = 0;

  Field x_field_;
  std::int64_t y_width_;
  Normaliser x_, y_;
};

// Residual convolutions whose receptive field doubles from block to block.
class ConvModel final : public SequenceToSequence {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY(check_same_steps(setup));
    if (integer(setup, "model.kernel") % 2 == 0) return Error{ErrorCode::kUsage, "model.kernel must be odd"};
    return std::unique_ptr<Model>(new ConvModel(setup));
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    int h = in_.build(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    for (const auto& [first, second] : blocks_)
      h = b.add(
          h, second.build(b, first.build(b, b.activation(h, Activation::kElu), Activation::kElu), Activation::kNone));
    b.output("y", y_.build_undo(b, out_.build(b, b.activation(h, Activation::kElu))));
    return std::move(b).build();
  }
  static void add_keys(ConfigSchema& schema) {
    schema.add("model.channels", 128)
        .add("model.blocks", 3)
        .add("model.kernel", 3, "steps of a convolution's kernel; odd");
  }

 private:
  explicit ConvModel(const ModelSetup& setup)
      : SequenceToSequence(setup),
        in_(parameters_, "in", x_field_.width, integer(setup, "model.channels")),
        out_(parameters_, "out", integer(setup, "model.channels"), y_width_) {
    const std::int64_t channels = integer(setup, "model.channels"), kernel = integer(setup, "model.kernel");
    for (std::int64_t i = 0; i < integer(setup, "model.blocks"); ++i) {
      const std::string name = "block_" + std::to_string(i);
      Conv first(parameters_, name + ".0", channels, channels, kernel, std::int64_t{1} << i);
      blocks_.emplace_back(std::move(first), Conv(parameters_, name + ".1", channels, channels, kernel));
    }
  }
  at::Tensor run(const at::Tensor& x) const override {
    at::Tensor h = in_(x);
    for (const auto& [first, second] : blocks_) h = h + second(at::elu(first(at::elu(h))));
    return out_(at::elu(h));
  }

  Linear in_, out_;
  std::vector<std::pair<Conv, Conv>> blocks_;
};

// GRU or LSTM. The graph is one step, with the state as input and output.
template <bool kLstm>
class RecurrentModel final : public SequenceToSequence {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY(check_same_steps(setup));
    return std::unique_ptr<Model>(new RecurrentModel(setup));
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    std::vector<at::Tensor> states;
    for (std::size_t i = 1; i < inputs.size(); ++i) states.push_back(inputs[i].squeeze(1));
    std::vector<at::Tensor> outputs{y_.undo(out_(cell_(x_.apply(inputs[0]), states, false)))};
    for (const at::Tensor& state : states) outputs.push_back(state.unsqueeze(1));
    return outputs;
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int hidden = static_cast<int>(cell_.w_state.size(1)), raw = b.input("x", x_field_.width);
    std::vector<int> states{b.input("h", hidden)};
    if (kLstm) states.push_back(b.input("c", hidden));
    const int h = cell_.build(b, x_.build_apply(b, raw), states);
    b.output("y", y_.build_undo(b, out_.build(b, h)));
    b.output("h", states[0]);
    if (kLstm) b.output("c", states[1]);
    return std::move(b).build();
  }

 private:
  explicit RecurrentModel(const ModelSetup& setup)
      : SequenceToSequence(setup),
        cell_(parameters_, "cell", x_field_.width, integer(setup, "model.hidden"), kLstm),
        out_(parameters_, "out", integer(setup, "model.hidden"), y_width_) {}
  at::Tensor run(const at::Tensor& x) const override {
    std::vector<at::Tensor> states;
    return out_(cell_(x, states, training));
  }

  Recurrent cell_;
  Linear out_;
};

class AttentionModel final : public SequenceToSequence {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY(check_same_steps(setup));
    if (integer(setup, "model.width") % integer(setup, "model.heads") != 0)
      return Error{ErrorCode::kUsage, "model.width must divide evenly by model.heads"};
    return std::unique_ptr<Model>(new AttentionModel(setup));
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = in_.build(b, x_.build_apply(b, b.input("x", x_field_.width, x_field_.steps)));
    int h = b.add(x, b.constant("position", x_field_.steps, static_cast<int>(position_.size(1)), floats_of(position_)));
    for (const TransformerBlock& block : blocks_) h = block.build(b, h);
    b.output("y", y_.build_undo(b, out_.build(b, norm_.build(b, h))));
    return std::move(b).build();
  }
  static void add_keys(ConfigSchema& schema) {
    schema.add("model.width", 256)
        .add("model.heads", 4)
        .add("model.blocks", 4)
        .add("model.causal", false, "a step reads itself and earlier steps only");
  }

 private:
  explicit AttentionModel(const ModelSetup& setup)
      : SequenceToSequence(setup),
        in_(parameters_, "in", x_field_.width, integer(setup, "model.width")),
        out_(parameters_, "out", integer(setup, "model.width"), y_width_),
        norm_(parameters_, "norm", integer(setup, "model.width")),
        position_(parameters_.weight("position", {x_field_.steps, integer(setup, "model.width")}, 0.5)) {
    for (std::int64_t i = 0; i < integer(setup, "model.blocks"); ++i) {
      blocks_.emplace_back(parameters_, "block_" + std::to_string(i), integer(setup, "model.width"),
                           integer(setup, "model.heads"), setup.config.get<bool>("model.causal"));
    }
  }
  at::Tensor run(const at::Tensor& x) const override {
    at::Tensor h = in_(x) + position_;
    for (const TransformerBlock& block : blocks_) h = block(h);
    return out_(norm_(h));
  }

  Linear in_, out_;
  LayerNorm norm_;
  at::Tensor position_;  // [steps, width]
  std::vector<TransformerBlock> blocks_;
};

// x [steps, width] -> a few periodic channels -> x (DeepPhase).
class Pae final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[0].steps < 3)
      return Error{ErrorCode::kInvalid, "this model needs windows of several steps in x: the data has " +
                                            std::to_string(setup.fields[0].steps) +
                                            " (`zoe dataset build --schema pae` makes such)"};
    return std::unique_ptr<Model>(new Pae(setup));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor x = x_.apply(batch[0]);
    const at::Tensor moving = x - level(x);
    const PeriodicLayer::Out periodic = analyse(moving);
    return {mse(decode(periodic.curve), moving),
            {{"frequency_hz", periodic.frequency_hz.mean()}, {"amplitude", periodic.amplitude.mean()}}};
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor x = x_.apply(inputs[0]), mean = level(x);
    const PeriodicLayer::Out periodic = analyse(x - mean);
    return {x_.undo(decode(periodic.curve) + mean), periodic.phase, periodic.frequency_hz, periodic.amplitude,
            periodic.offset};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const auto over_time = [&](const std::optional<LayerNorm>& norm, int x) {
      return b.activation(norm ? b.transpose(norm->build(b, b.transpose(x))) : x, Activation::kElu);
    };
    const auto conv = [&](const Conv& layer, int x) { return layer.build(b, x, Activation::kNone); };
    const int x = x_.build_apply(b, b.input("x", field_.width, field_.steps));
    int moving = x, mean = -1;
    if (centre_) {
      const at::Tensor means = at::full({field_.steps, field_.steps}, 1.0 / static_cast<double>(field_.steps));
      const auto along_time = [&](const char* name, const at::Tensor& weight) {
        return b.transpose(b.linear(b.transpose(x), name, dims_of(weight), floats_of(weight), {}));
      };
      mean = along_time("level", means);
      moving = along_time("centre", at::eye(field_.steps) - means);
    }
    const PeriodicLayer::Built periodic =
        periodic_.build(b, b.transpose(conv(conv_2_, over_time(norm_1_, conv(conv_1_, moving)))));
    int y = conv(conv_4_, over_time(norm_2_, conv(conv_3_, b.transpose(periodic.curve))));
    if (centre_) y = b.add(y, mean);
    b.output("y", b.denormalize(y, x_.name, {}, {}));  // The spreads of the input, stored once.
    b.output("phase", periodic.phase);                 // In turns.
    b.output("frequency_hz", periodic.frequency_hz);
    b.output("amplitude", periodic.amplitude);
    b.output("offset", periodic.offset);
    return std::move(b).build();
  }
  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", 26, "channels between the input and the phases; the reference has one per joint")
        .add("model.phases", 5, "periodic channels")
        .add("model.window_s", 2.0, "length of the window in time")
        .add("model.norm", true,
             "layers normalised over time, as in the reference; without it amplitudes keep how much moves")
        .add("model.centre", false, "subtract the window's mean, which phases cannot reconstruct");
  }

 private:
  explicit Pae(const ModelSetup& setup)
      : Model(setup),
        field_(setup.fields[0]),
        x_(normaliser(parameters_, setup, 0)),
        conv_1_(parameters_, "encoder.0", field_.width, integer(setup, "model.hidden"), field_.steps | 1),
        conv_2_(parameters_, "encoder.1", integer(setup, "model.hidden"), integer(setup, "model.phases"),
                field_.steps | 1),
        conv_3_(parameters_, "decoder.0", integer(setup, "model.phases"), integer(setup, "model.hidden"),
                field_.steps | 1),
        conv_4_(parameters_, "decoder.1", integer(setup, "model.hidden"), field_.width, field_.steps | 1),
        periodic_(parameters_, "periodic", integer(setup, "model.phases"), field_.steps,
                  setup.config.get<double>("model.window_s")),
        centre_(setup.config.get<bool>("model.centre")) {
    if (!setup.config.get<bool>("model.norm")) return;
    norm_1_.emplace(parameters_, "encoder.norm", field_.steps);
    norm_2_.emplace(parameters_, "decoder.norm", field_.steps);
  }

  // Layer norm over time, as in the reference.
  static at::Tensor over_time(const std::optional<LayerNorm>& norm, const at::Tensor& x) {
    return norm ? (*norm)(x.transpose(1, 2)).transpose(1, 2) : x;
  }
  // The constant part of a window. [batch, 1, width]
  at::Tensor level(const at::Tensor& x) const { return centre_ ? x.mean(1, true) : at::zeros_like(x.narrow(1, 0, 1)); }
  PeriodicLayer::Out analyse(const at::Tensor& x) const {
    return periodic_(conv_2_(at::elu(over_time(norm_1_, conv_1_(x)))).transpose(1, 2));
  }
  at::Tensor decode(const at::Tensor& curve) const {
    return conv_4_(at::elu(over_time(norm_2_, conv_3_(curve.transpose(1, 2)))));
  }

  Field field_;
  Normaliser x_;
  Conv conv_1_, conv_2_, conv_3_, conv_4_;
  std::optional<LayerNorm> norm_1_, norm_2_;
  PeriodicLayer periodic_;
  bool centre_;
};

void add_recurrent_keys(ConfigSchema& schema) { schema.add("model.hidden", 256, "width of the state"); }

}  // namespace

std::vector<ModelInfo> sequence_models() {
  return {
      {"conv",
       "sequence x to sequence y by residual convolutions over time",
       {"x", "y"},
       ToyKind::kFilter,
       ConvModel::add_keys,
       ConvModel::create},
      {"gru",
       "sequence x to sequence y by a gated recurrent unit",
       {"x", "y"},
       ToyKind::kFilter,
       add_recurrent_keys,
       RecurrentModel<false>::create},
      {"lstm",
       "sequence x to sequence y by a long short-term memory",
       {"x", "y"},
       ToyKind::kFilter,
       add_recurrent_keys,
       RecurrentModel<true>::create},
      {"attention",
       "sequence x to sequence y by a transformer",
       {"x", "y"},
       ToyKind::kFilter,
       AttentionModel::add_keys,
       AttentionModel::create},
      {"pae",
       "a window of motion to a few phases and back (periodic autoencoder)",
       {"x"},
       ToyKind::kWaves,
       Pae::add_keys,
       Pae::create},
  };
}

}  // namespace zoe::train
