// SPDX-License-Identifier: MIT
// sprite_judge: the joints of a drawn character from its picture. It judges poses of painted frames.
#include "zoe/paint/features.h"

#include "train/models.h"
#include "train/paint/indexed.h"
#include "train/paint/picture_blocks.h"

namespace zoe::train {
namespace {

constexpr auto kJudgeColors = static_cast<std::int64_t>(paint::kMaxColors);
constexpr auto kJudgeJoints = static_cast<std::int64_t>(paint::kNumJoints);
constexpr auto kJudgePose = static_cast<std::int64_t>(paint::kPoseSize);

class JudgeModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    const auto size = static_cast<std::int64_t>(std::lround(std::sqrt(4.0 * setup.fields[0].width)));
    if (size * size != 4 * setup.fields[0].width || size % 8 != 0 || setup.fields[2].width != kJudgePose)
      return Error{ErrorCode::kInvalid, "this model needs clips of `zoe sprite pack --labels`"};
    return std::unique_ptr<Model>(new JudgeModel(setup, size));
  }

  // All frames of a clip.
  Losses loss(const Batch& batch) override {
    at::Tensor palette = batch[1].squeeze(1).narrow(1, 0, 3 * kJudgeColors).view({-1, kJudgeColors, 3});
    if (training) palette = recolored(palette, orders_, 0.7);
    const std::int64_t frames = batch[0].size(1);
    const at::Tensor pictures =
        painted(unpacked_indices(batch[0].flatten(0, 1).unsqueeze(1)), palette.repeat_interleave(frames, 0));
    const at::Tensor both = batch[2].flatten(0, 1);
    const at::Tensor points = both.narrow(1, 0, 4 * kJudgeJoints).reshape({-1, kJudgeJoints, 4});
    const at::Tensor found = predict({pictures})[0], known = points.select(2, 3);
    // Smooth near 0, linear far away: hidden joints are a guess.
    const at::Tensor apart = ((found - points.narrow(2, 0, 2)).square().sum(2) + 1e-6).sqrt();
    const at::Tensor error = (apart * known).sum() / known.sum().clamp_min(1);
    const at::Tensor right = (apart.lt(0.05).to(known.dtype()) * known).sum() / known.sum().clamp_min(1);
    return {error, {{"right", right.detach()}}};
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor pixels = inputs[0].view({-1, size_, size_, 4});
    at::Tensor fine = in_(pixels);
    for (const PictureBlock& block : fine_) fine = block(fine);
    at::Tensor middle = down_fine_(fine);
    for (const PictureBlock& block : middle_) middle = block(middle);
    at::Tensor coarse = down_middle_(middle);
    for (const PictureBlock& block : coarse_) coarse = block(coarse);
    at::Tensor tokens = coarse.reshape({coarse.size(0), -1, coarse.size(3)});
    for (const TransformerBlock& block : attention_) tokens = block(tokens);
    middle = middle + enlarged(up_middle_(tokens.view(coarse.sizes())));
    fine = fine + enlarged(up_fine_(middle));
    const at::Tensor heat = out_(fine).reshape({fine.size(0), -1, kJudgeJoints});
    const at::Tensor chance = at::softmax(heat.to(places_.dtype()), 1).transpose(1, 2);  // [batch, joints, cells]
    return {at::linear(chance, places_)};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int line = static_cast<int>(size_);
    const auto blocks = [&](const std::vector<PictureBlock>& list, int value, int width) {
      for (const PictureBlock& block : list) value = block.build(b, value, width);
      return value;
    };
    const int fine = blocks(fine_, in_.build(b, b.input("picture", 4, line * line), line), line / 2);
    const int middle = blocks(middle_, down_fine_.build(b, fine, line / 2), line / 4);
    int coarse = blocks(coarse_, down_middle_.build(b, middle, line / 4), line / 8);
    for (const TransformerBlock& block : attention_) coarse = block.build(b, coarse);
    const int middle_up = b.add(middle, b.upsample(up_middle_.build(b, coarse), line / 8, 2));
    const int fine_up = b.add(fine, b.upsample(up_fine_.build(b, middle_up), line / 4, 2));
    const int chance = b.transpose(b.softmax_rows(out_.build(b, fine_up)));
    b.output("joints", b.linear(chance, "places", dims_of(places_), floats_of(places_), std::vector<float>(2, 0.0F)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.channels", 48, "channels at half the size; twice and three times at a quarter and an eighth")
        .add("model.heads", 6, "heads of the attention")
        .add("model.blocks", 1, "convolution blocks of each size")
        .add("model.attention", 2, "attention blocks");
  }

 private:
  JudgeModel(const ModelSetup& setup, std::int64_t size)
      : Model(setup),
        size_(size),
        channels_(integer(setup, "model.channels")),
        in_(parameters_, "in", 4, channels_, 4, 2, 1),
        down_fine_(parameters_, "down_fine", channels_, 2 * channels_, 3, 2, 1),
        down_middle_(parameters_, "down_middle", 2 * channels_, 3 * channels_, 3, 2, 1),
        up_middle_(parameters_, "up_middle", 3 * channels_, 2 * channels_),
        up_fine_(parameters_, "up_fine", 2 * channels_, channels_),
        out_(parameters_, "out", channels_, kJudgeJoints),
        orders_(channel_orders(setup.options)) {
    for (std::int64_t i = 0; i < integer(setup, "model.blocks"); ++i) {
      fine_.emplace_back(parameters_, "fine" + std::to_string(i), channels_);
      middle_.emplace_back(parameters_, "middle" + std::to_string(i), 2 * channels_);
      coarse_.emplace_back(parameters_, "coarse" + std::to_string(i), 3 * channels_);
    }
    for (std::int64_t i = 0; i < integer(setup, "model.attention"); ++i)
      attention_.emplace_back(parameters_, "attention" + std::to_string(i), 3 * channels_,
                              integer(setup, "model.heads"), false);
    // Middles of the cells of half the size: x, then y.
    const std::int64_t cells = size / 2;
    const at::Tensor middles = (at::arange(cells, at::kDouble) + 0.5) / static_cast<double>(cells);
    places_ = at::stack({middles.repeat({cells}), middles.repeat_interleave(cells)}).to(setup.options);
  }

  std::int64_t size_, channels_;
  Conv2d in_, down_fine_, down_middle_;
  Linear up_middle_, up_fine_, out_;
  at::Tensor orders_, places_;
  std::vector<PictureBlock> fine_, middle_, coarse_;
  std::vector<TransformerBlock> attention_;
};

}  // namespace

std::vector<ModelInfo> judge_models() {
  return {
      {"sprite_judge",
       "joints of a drawn character from its picture",
       {"frames", "palette", "poses"},
       ToyKind::kPainted,
       JudgeModel::add_keys,
       JudgeModel::create},
  };
}

}  // namespace zoe::train
