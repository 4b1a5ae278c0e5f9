// SPDX-License-Identifier: MIT
// Models of ragged data, [frames, joints] of any skeleton: tokens.
#include <cmath>

#include <ATen/CPUGeneratorImpl.h>

#include "train/models.h"
#include "train/sequence_blocks.h"

namespace zoe::train {
namespace {

// Hidden joints of some frames from the other tokens (He et al., 2022, over motions): learns how skeletons move
// without labels.
class TokenModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[0].rows != Rows::kTokens)
      return Error{ErrorCode::kInvalid, "this model needs ragged data: a value for each joint of each frame"};
    if (integer(setup, "model.width") % integer(setup, "model.heads") != 0 || integer(setup, "model.width") % 4 != 0)
      return Error{ErrorCode::kUsage, "model.width must divide evenly by model.heads and by 4"};
    const auto& axes = setup.config.get<std::string>("model.axes");
    if (axes != "all" && axes != "alternate")
      return Error{ErrorCode::kUsage, "model.axes = '" + axes + "': must be all or alternate"};
    return std::unique_ptr<Model>(new TokenModel(setup, axes == "alternate"));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor x = x_.apply(batch[0]), mask = batch[1].squeeze(3), present = mask > 0.5;
    const at::Tensor hidden = hide(mask) * mask;
    const at::Tensor error = (run(x, hidden, present) - x).square().mean(3);
    return {(error * hidden).sum() / hidden.sum().clamp_min(1),
            {{"visible", (error * (mask - hidden)).sum().detach() / (mask - hidden).sum().clamp_min(1)}}};
  }

  // All rows are present. The graph's sizes are given.
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const std::int64_t batch = inputs[0].size(0);
    const at::Tensor x = x_.apply(inputs[0]).view({batch, frames_, joints_, -1});
    return {x_.undo(run(x, inputs[1].view({batch, frames_, joints_}), {})).flatten(1, 2)};
  }
  // Dimensions frames and joints, unless settings give them sizes: one file serves all skeletons.
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const nn::RowCount frames = frames_ > 0 ? nn::RowCount(static_cast<int>(frames_)) : b.dim("frames"),
                       joints = joints_ > 0 ? nn::RowCount(static_cast<int>(joints_)) : b.dim("joints");
    const int raw = b.input("x", static_cast<int>(x_.mean.size(0)), frames * joints),
              hidden = b.input("hidden", 1, frames * joints);
    const int x = x_.build_apply(b, raw);
    const int columns = b.shape(x).width, quarter = static_cast<int>(in_.weight.size(0) / 4);
    const int visible =
        b.subtract(x, b.multiply(x, b.concat(std::vector<int>(static_cast<std::size_t>(columns), hidden))));
    const auto sines = [&](const nn::Axis& axis) {
      const int both = b.sinusoidal(b.positions(hidden, axis), 2 * quarter, kPeriod);
      return std::pair(b.slice(both, quarter, 2 * quarter), b.slice(both, 0, quarter));
    };
    const auto [frame_sine, frame_cosine] = sines({.over = {}, .inner = joints});
    const auto [joint_sine, joint_cosine] = sines({.over = joints, .inner = {}});
    int h = b.add(in_.build(b, b.concat({visible, hidden})),
                  b.concat({frame_sine, frame_cosine, joint_sine, joint_cosine}));
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const TokenAxis axis = axis_of(i);
      h = axis == TokenAxis::kJoints   ? blocks_[i].build(b, h, joints)
          : axis == TokenAxis::kFrames ? blocks_[i].build(b, h, {}, joints)
                                       : blocks_[i].build(b, h);
    }
    b.output("x", b.denormalize(out_.build(b, norm_.build(b, h)), x_.name, {}, {}));
    return std::move(b).build();
  }

  std::vector<NamedTensor> sample(const Batch& batch) override {
    const at::Tensor mask = batch[1].squeeze(3), hidden = hide(mask) * mask;
    return {{"x", batch[0]},
            {"mask", mask},
            {"hidden", hidden},
            {"reconstruction", x_.undo(run(x_.apply(batch[0]), hidden, mask > 0.5))}};
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.width", 256)
        .add("model.heads", 4)
        .add("model.blocks", 4)
        .add("model.axes", std::string("all"), "attention over all tokens, or alternate: joints, then frames")
        .add("model.hidden_fraction", 0.3, "tokens that training hides")
        .add("model.graph_frames", 0, "frames of the written network; 0: any, bound when it is loaded")
        .add("model.graph_joints", 0, "joints of the written network; 0: any");
  }

 private:
  TokenModel(const ModelSetup& setup, bool alternate)
      : Model(setup),
        alternate_(alternate),
        hidden_fraction_(setup.config.get<double>("model.hidden_fraction")),
        frames_(integer(setup, "model.graph_frames")),
        joints_(integer(setup, "model.graph_joints")),
        x_(normaliser(parameters_, setup, 0)),
        in_(parameters_, "in", setup.fields[0].width + 1, integer(setup, "model.width")),
        out_(parameters_, "out", integer(setup, "model.width"), setup.fields[0].width),
        norm_(parameters_, "norm", integer(setup, "model.width")) {
    for (std::int64_t i = 0; i < integer(setup, "model.blocks"); ++i) {
      blocks_.emplace_back(parameters_, "block_" + std::to_string(i), integer(setup, "model.width"),
                           integer(setup, "model.heads"), /*causal=*/false);
    }
  }

  // 1 where a token is hidden, [batch, frames, joints]. Validations hide the same tokens each time.
  at::Tensor hide(const at::Tensor& mask) const {
    if (training) return (at::rand(mask.sizes(), mask.options()) < hidden_fraction_).to(mask.scalar_type());
    at::Generator fixed = at::detail::createCPUGenerator(/*seed_val=*/1);
    return (at::rand(mask.sizes(), fixed, at::kFloat) < hidden_fraction_).to(mask.options());
  }

  // Sines of the frame in one half of the columns, of the joint in the other (Vaswani et al., 2017). Any number of
  // both.
  at::Tensor positions(std::int64_t frames, std::int64_t joints) const {
    const std::int64_t quarter = in_.weight.size(0) / 4;
    const auto sines = [&](std::int64_t count) {
      // Rates in double: at hundreds of frames the last bit of a rate would be 1e-5 of a sine.
      const at::Tensor rates =
          (at::arange(quarter, at::kDouble) * (-std::log(static_cast<double>(kPeriod)) / static_cast<double>(quarter)))
              .exp()
              .to(in_.weight.options().requires_grad(false));
      const at::Tensor angles = at::arange(count, rates.options()).unsqueeze(1) * rates;
      return at::cat({angles.sin(), angles.cos()}, 1);
    };
    return at::cat({sines(frames).unsqueeze(1).expand({frames, joints, -1}),
                    sines(joints).unsqueeze(0).expand({frames, joints, -1})},
                   2);
  }

  at::Tensor run(const at::Tensor& x, const at::Tensor& hidden, const at::Tensor& present) const {
    const at::Tensor hid = hidden.unsqueeze(3);
    at::Tensor h = in_(at::cat({x - x * hid, hid}, 3)) + positions(x.size(1), x.size(2));
    for (std::size_t i = 0; i < blocks_.size(); ++i) h = blocks_[i](h, axis_of(i), present);
    return out_(norm_(h));
  }

  TokenAxis axis_of(std::size_t block) const {
    return !alternate_ ? TokenAxis::kTokens : block % 2 == 0 ? TokenAxis::kJoints : TokenAxis::kFrames;
  }

  static constexpr float kPeriod = 1000;

  bool alternate_;
  double hidden_fraction_;
  std::int64_t frames_, joints_;
  Normaliser x_;
  Linear in_, out_;
  LayerNorm norm_;
  std::vector<TransformerBlock> blocks_;
};

}  // namespace

std::vector<ModelInfo> token_models() {
  return {{"tokens",
           "hidden joints of motions of any skeleton from the others, by a transformer",
           {"x", "mask"},
           ToyKind::kTokens,
           TokenModel::add_keys,
           TokenModel::create,
           /*optional_fields=*/{},
           /*ragged=*/true}};
}

}  // namespace zoe::train
