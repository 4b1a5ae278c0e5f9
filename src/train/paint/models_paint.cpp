// SPDX-License-Identifier: MIT
// sprite: a drawn character in a new pose. The network reads a puppet's guess of the frame and the reference picture
// carried along by every bone, and chooses for each pixel one of them, a colour of the palette, or nothing
// (zoe/paint/painter.h). It begins as the puppet and learns where to deviate.
#include "zoe/paint/painter.h"

#include "train/models.h"
#include "train/paint/carry.h"
#include "train/paint/indexed.h"
#include "train/paint/picture_blocks.h"

namespace zoe::train {
namespace {

constexpr auto kPainterLayers = static_cast<std::int64_t>(paint::kNumLayers);
constexpr auto kPainterGuesses = static_cast<std::int64_t>(paint::kNumGuesses);
constexpr auto kPainterScores = static_cast<std::int64_t>(paint::kNumScores);
constexpr auto kPainterColors = static_cast<std::int64_t>(paint::kMaxColors);
constexpr auto kPainterPose = static_cast<std::int64_t>(paint::kPoseSize);
constexpr auto kPainterJoints = static_cast<std::int64_t>(paint::kNumJoints);
constexpr double kHidden = -1e4;        // Score of layers and colours that are not there.
constexpr double kFarBackground = 0.1;  // Weight of transparent pixels far from all bones.
constexpr double kSameCoverage = 0.1;
constexpr double kTrustInGuess = 5;  // Score of the guess before training: 0.93 of the probability.

class PainterModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    const auto size = static_cast<std::int64_t>(std::lround(std::sqrt(4.0 * setup.fields[0].width)));
    if (size * size != 4 * setup.fields[0].width || size % 8 != 0 ||
        setup.fields[1].width != 2 * setup.fields[0].width || setup.fields[2].width != 3 * kPainterColors + 1 ||
        setup.fields[3].width != 3 * kPainterPose || setup.fields[1].steps != 2 ||
        setup.fields[4].width != setup.fields[1].width)
      return Error{ErrorCode::kInvalid, "this model needs pictures of `zoe sprite pack`"};
    if (3 * integer(setup, "model.channels") % integer(setup, "model.heads") != 0)
      return Error{ErrorCode::kUsage, "three times model.channels must be a multiple of model.heads"};
    return std::unique_ptr<Model>(new PainterModel(setup, size));
  }

  Losses loss(const Batch& batch) override {
    // Both frames of each pair: first all targets, then all partners.
    const auto twice = [](const at::Tensor& x) { return at::cat({x, x}); };
    const auto both = [](const at::Tensor& pairs) {
      return at::cat({unpacked_pairs(pairs.narrow(1, 0, 1)), unpacked_pairs(pairs.narrow(1, 1, 1))});
    };
    const at::Tensor palette = batch[2].squeeze(1), poses = batch[3].squeeze(1);
    CarryInputs in{twice(unpacked_indices(batch[0])),
                   palette.narrow(1, 0, 3 * kPainterColors).view({-1, kPainterColors, 3}),
                   twice(palette.select(1, 3 * kPainterColors)),
                   at::cat({poses.narrow(1, 0, kPainterPose), poses.narrow(1, kPainterPose, kPainterPose)}),
                   twice(poses.narrow(1, 2 * kPainterPose, kPainterPose)),
                   both(batch[4])};
    if (training) in.palette = recolored(in.palette, channel_orders_, recolor_);
    in.palette = twice(in.palette);
    at::Tensor target = both(batch[1]);
    if (training) vary(in, target);
    if (!depth_) in = without_depth(in);
    const Carried carried = carry_(in);
    const std::vector<at::Tensor> out = predict({carried.features, carried.colors});
    return losses_of(out[0], out[1], carried, in, target);
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor pixels = inputs[0].view({-1, size_, size_, inputs[0].size(2)});
    const at::Tensor near = at::silu(near_(pixels));
    const at::Tensor fine = apply(fine_, in_(near));
    const at::Tensor middle = apply(middle_, down_fine_(fine));
    at::Tensor coarse = apply(coarse_, down_middle_(middle));
    at::Tensor tokens = coarse.reshape({coarse.size(0), -1, coarse.size(3)});
    for (const TransformerBlock& block : attention_) tokens = block(tokens);
    coarse = tokens.view(coarse.sizes());
    const at::Tensor middle_up = apply(middle_up_, middle + enlarged(up_middle_(coarse)));
    const at::Tensor fine_up = apply(fine_up_, fine + enlarged(up_fine_(middle_up)));
    const at::Tensor full = at::cat({enlarged(up_full_(fine_up)), near}, 3);
    const at::Tensor context = at::silu(apply(whole_, full_(full)));
    at::Tensor mix = out_(context);
    if (gate_ > 0) mix = mix + choice_[0](of_context_[0](context) * of_candidates_[0](pixels));
    return {mix.reshape({mix.size(0), size_ * size_, mix.size(3)}), keys_(inputs[1], training)};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int line = static_cast<int>(size_), area = line * line;
    const int x = b.input("features", static_cast<int>(paint::kNumFeatures), area);
    const int colors = b.input("colors", static_cast<int>(paint::kColorFeatures), static_cast<int>(kPainterColors));
    const auto blocks = [&](const std::vector<PictureBlock>& list, int value, int width) {
      for (const PictureBlock& block : list) value = block.build(b, value, width);
      return value;
    };
    const int near = near_.build(b, x, Activation::kSilu);
    const int fine = blocks(fine_, in_.build(b, near, line), line / 2);
    const int middle = blocks(middle_, down_fine_.build(b, fine, line / 2), line / 4);
    int coarse = blocks(coarse_, down_middle_.build(b, middle, line / 4), line / 8);
    for (const TransformerBlock& block : attention_) coarse = block.build(b, coarse);
    const auto up = [&](const Linear& layer, int value, int width) {
      return b.upsample(layer.build(b, value), width, 2);
    };
    const int middle_up = blocks(middle_up_, b.add(middle, up(up_middle_, coarse, line / 8)), line / 4);
    const int fine_up = blocks(fine_up_, b.add(fine, up(up_fine_, middle_up, line / 4)), line / 2);
    const int full = b.concat({up(up_full_, fine_up, line / 2), near});
    const int whole = blocks(whole_, full_.build(b, full, line), line);
    const int context = b.activation(whole, Activation::kSilu);
    int mix = out_.build(b, context);
    if (gate_ > 0)
      mix =
          b.add(mix, choice_[0].build(b, b.multiply(of_context_[0].build(b, context), of_candidates_[0].build(b, x))));
    b.output("mix", mix);
    b.output("keys", keys_.build(b, colors));
    b.set_metadata(paint::kPoseKey, depth_ ? paint::kPose3d : paint::kPoseFlat);
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.channels", 64, "channels at half the size; twice and three times at a quarter and an eighth")
        .add("model.heads", 6, "heads of the attention at an eighth of the size")
        .add("model.blocks", 2, "convolution blocks of each size on the way down, and up")
        .add("model.attention", 2, "attention blocks")
        .add("model.detail", 48, "channels at full size")
        .add("model.full_blocks", 1, "convolution blocks at full size, before the choice")
        .add("model.gate", 64, "products of context and candidates that decide the choice as well; 0: none")
        .add("model.query", 24, "width of the query for colours")
        .add("model.depth", true, "false: poses without depth and facing, as OpenPose draws them")
        .add("model.pose_noise", 0.006, "deviation of joints in training, fractions of the picture")
        .add("model.recolor", 0.7, "part of the samples whose palette is changed at random");
    add_loss_keys(schema, {"pixels", "palette", "picture", "flicker"});
  }

 private:
  PainterModel(const ModelSetup& setup, std::int64_t size)
      : Model(setup),
        size_(size),
        depth_(setup.config.get<bool>("model.depth")),
        pose_noise_(setup.config.get<double>("model.pose_noise")),
        recolor_(setup.config.get<double>("model.recolor")),
        carry_(size, setup.options),
        channels_(integer(setup, "model.channels")),
        query_(integer(setup, "model.query")),
        gate_(integer(setup, "model.gate")),
        in_(parameters_, "in", integer(setup, "model.detail"), channels_, 4, 2, 1),
        down_fine_(parameters_, "down_fine", channels_, 2 * channels_, 3, 2, 1),
        down_middle_(parameters_, "down_middle", 2 * channels_, 3 * channels_, 3, 2, 1),
        up_middle_(parameters_, "up_middle", 3 * channels_, 2 * channels_),
        up_fine_(parameters_, "up_fine", 2 * channels_, channels_),
        up_full_(parameters_, "up_full", channels_, integer(setup, "model.detail") / 2),
        near_(parameters_, "near", paint::kNumFeatures, integer(setup, "model.detail")),
        full_(parameters_, "full", integer(setup, "model.detail") / 2 + integer(setup, "model.detail"),
              integer(setup, "model.detail"), 3),
        out_(parameters_, "out", integer(setup, "model.detail"), kPainterScores + query_),
        keys_(parameters_, "keys", {static_cast<std::int64_t>(paint::kColorFeatures), 64, query_}, Activation::kSilu) {
    const std::int64_t blocks = integer(setup, "model.blocks");
    const auto add = [&](std::vector<PictureBlock>& list, const char* name, std::int64_t width) {
      for (std::int64_t i = 0; i < blocks; ++i) list.emplace_back(parameters_, name + std::to_string(i), width);
    };
    add(fine_, "fine", channels_);
    add(middle_, "middle", 2 * channels_);
    coarse_.emplace_back(parameters_, "coarse0", 3 * channels_);
    for (std::int64_t i = 0; i < integer(setup, "model.attention"); ++i)
      attention_.emplace_back(parameters_, "attention" + std::to_string(i), 3 * channels_,
                              integer(setup, "model.heads"), false);
    add(middle_up_, "middle_up", 2 * channels_);
    add(fine_up_, "fine_up", channels_);
    for (std::int64_t i = 0; i < integer(setup, "model.full_blocks"); ++i)
      whole_.emplace_back(parameters_, "whole" + std::to_string(i), integer(setup, "model.detail"));
    if (gate_ > 0) {
      of_context_.emplace_back(parameters_, "of_context", integer(setup, "model.detail"), gate_);
      of_candidates_.emplace_back(parameters_, "of_candidates", paint::kNumFeatures, gate_);
      choice_.emplace_back(parameters_, "choice", gate_, kPainterScores + query_);
    }
    const at::TensorOptions whole = setup.options.dtype(at::kLong);
    mirrored_joints_ =
        at::tensor(std::vector<std::int64_t>{0, 1, 2, 6, 7, 8, 3, 4, 5, 12, 13, 14, 9, 10, 11}).to(whole);
    at::Tensor flipped = at::arange(size * size, at::TensorOptions().dtype(at::kLong)).view({size, size}).flip(1);
    mirrored_pixels_ = flipped.reshape({-1}).to(whole);
    channel_orders_ = channel_orders(setup.options);
    const c10::NoGradGuard no_gradients;
    for (const Linear& choice : choice_) {
      choice.weight.mul_(0.1);
      choice.bias.zero_();
    }
    out_.weight.mul_(0.1);
    out_.bias.mul_(0.1);
    out_.bias[static_cast<std::int64_t>(paint::kGuessScore)] = kTrustInGuess;
  }

  static at::Tensor apply(const std::vector<PictureBlock>& blocks, at::Tensor x) {
    for (const PictureBlock& block : blocks) x = block(x);
    return x;
  }

  static CarryInputs without_depth(CarryInputs in) {
    for (at::Tensor* pose : {&in.target_pose, &in.reference_pose}) {
      const at::Tensor points = pose->narrow(1, 0, 4 * kPainterJoints).reshape({-1, kPainterJoints, 4});
      const at::Tensor flat =
          at::cat({points.narrow(2, 0, 2), at::zeros_like(points.narrow(2, 2, 1)), points.narrow(2, 3, 1)}, 2);
      *pose = at::cat({flat.flatten(1), at::zeros_like(pose->narrow(1, 4 * kPainterJoints, 2))}, 1);
    }
    return in;
  }

  // Other colours, mirrored pictures, joints that are a little off, unknown facing.
  void vary(CarryInputs& in, at::Tensor& target) const {
    const c10::NoGradGuard no_gradients;
    const std::int64_t n = target.size(0);
    const at::TensorOptions real = in.palette.options();
    // The same for both frames of a pair.
    const auto chance = [&](double p) { return at::rand({n / 2, 1}, real).lt(p).repeat({2, 1}); };
    const at::Tensor mirror = chance(0.5);
    in.reference = at::where(mirror, in.reference.index_select(1, mirrored_pixels_), in.reference);
    target = at::where(mirror.unsqueeze(2), target.index_select(1, mirrored_pixels_), target);
    in.guess = at::where(mirror.unsqueeze(2), in.guess.index_select(1, mirrored_pixels_), in.guess);
    const at::Tensor no_target_facing = chance(0.4), no_reference_facing = chance(0.4);
    const at::Tensor no_depth = chance(0.1);
    for (at::Tensor* pose : {&in.target_pose, &in.reference_pose}) {
      const at::Tensor points = pose->narrow(1, 0, 4 * kPainterJoints).reshape({-1, kPainterJoints, 4});
      const at::Tensor mirror_3 = mirror.unsqueeze(2);
      const at::Tensor from = at::where(mirror_3, points.index_select(1, mirrored_joints_), points);
      const at::Tensor off = (pose == &in.target_pose ? at::randn({n, kPainterJoints, 2}, real)
                                                      : at::randn({n / 2, kPainterJoints, 2}, real).repeat({2, 1, 1})) *
                             (pose_noise_ * (1 + 2.5 * chance(0.25).to(real.dtype()))).unsqueeze(2);
      const at::Tensor x = from.narrow(2, 0, 1);
      const at::Tensor moved = at::cat({at::where(mirror_3, 1 - x, x), from.narrow(2, 1, 1)}, 2) + off;
      const at::Tensor depth = from.narrow(2, 2, 1);
      const at::Tensor flat =
          at::cat({moved, at::where(no_depth.unsqueeze(2), at::zeros_like(depth), depth), from.narrow(2, 3, 1)}, 2)
              .flatten(1);
      const at::Tensor facing = pose->narrow(1, 4 * kPainterJoints, 2), sine = facing.narrow(1, 1, 1);
      at::Tensor turned = at::cat({facing.narrow(1, 0, 1), at::where(mirror, -sine, sine)}, 1);
      turned =
          at::where(pose == &in.target_pose ? no_target_facing : no_reference_facing, at::zeros_like(turned), turned);
      *pose = at::cat({flat, turned}, 1);
    }
  }

  // target: [batch, pixels, 2] index and coverage.
  Losses losses_of(const at::Tensor& mix, const at::Tensor& keys, const Carried& carried, const CarryInputs& in,
                   const at::Tensor& target) const {
    const at::ScalarType type = carried.heat.scalar_type();
    const std::int64_t batch = target.size(0);
    const at::Tensor hidden = at::cat(
        {carried.layers.logical_not(), at::zeros({batch, kPainterScores - kPainterLayers}, carried.layers.options())},
        1);
    const at::Tensor scores = mix.narrow(2, 0, kPainterScores).to(type);
    const at::Tensor weights = at::softmax(scores.masked_fill(hidden.unsqueeze(1), kHidden), 2);
    const at::Tensor query = mix.narrow(2, kPainterScores, query_);
    const at::Tensor match = at::matmul(query, keys.transpose(1, 2)).to(type) / std::sqrt(static_cast<double>(query_));
    const at::Tensor absent =
        at::arange(kPainterColors, in.num_colors.options()).unsqueeze(0).ge(in.num_colors.unsqueeze(1)).unsqueeze(1);
    const at::Tensor of_palette = at::log_softmax(match.masked_fill(absent, kHidden), 2);

    const at::Tensor index = target.select(2, 0),
                     coverage = target.select(2, 1).to(type) / static_cast<double>(paint::kFullCoverage);
    const at::Tensor drawn = coverage.ge(0.5).to(type);
    const at::Tensor pointed = of_palette.gather(2, (index - 1).clamp_min(0).unsqueeze(2)).squeeze(2);
    const auto column = [&](std::size_t which) { return weights.select(2, static_cast<std::int64_t>(which)); };
    // What layers and guesses show, and with which weight: [batch, pixels, layers + guesses].
    const at::Tensor indices = at::cat({carried.indices, carried.guess_indices}, 1).transpose(1, 2);
    const at::Tensor shares = at::cat({carried.indices.gt(0).to(type), carried.guess_coverage}, 1).transpose(1, 2);
    const at::Tensor shown = weights.narrow(2, 0, kPainterLayers + kPainterGuesses) * shares;
    const at::Tensor figure = shown.sum(2) + column(paint::kPaletteScore), nothing = 1 - figure;
    // Chances of the indices: [batch, pixels, 1 + colours].
    const at::Tensor of_colors = column(paint::kPaletteScore).unsqueeze(2) * of_palette.exp();
    const at::Tensor chances = at::constant_pad_nd(of_colors, {1, 0}, 0).scatter_add(2, indices, shown);
    const at::Tensor chance = chances.gather(2, index.unsqueeze(2)).squeeze(2);
    const at::Tensor near = at::maximum(carried.heat.amax(1), carried.guess_coverage.amax(1));
    const at::Tensor weight = drawn + (1 - drawn) * (kFarBackground + (1 - kFarBackground) * near);
    const at::Tensor surprise =
        coverage * chance.clamp_min(1e-6).log() + (1 - coverage) * nothing.clamp_min(1e-6).log();
    const at::Tensor pixels = -(surprise * weight).sum() / weight.sum();
    const at::Tensor palette = -(pointed * drawn).sum() / drawn.sum().clamp_min(1);

    // The mean picture against the true one on black and on white; its logarithm is the signal-to-noise ratio.
    const at::Tensor rgb = in.palette.to(type) / 255;
    const at::Tensor table = at::cat({at::zeros({batch, 1, 3}, rgb.options()), rgb}, 1);
    const at::Tensor color = table.gather(1, index.unsqueeze(2).expand({batch, index.size(1), 3}));
    const at::Tensor mean = at::matmul(chances, table);
    const at::Tensor on_black = mean - coverage.unsqueeze(2) * color;
    const at::Tensor on_white = on_black - (figure - coverage).unsqueeze(2);
    const at::Tensor error = (on_black.square() + on_white.square()).mean(at::IntArrayRef{1, 2}) / 2;
    const at::Tensor picture = (error + 1e-5).log().mean();

    // Pixels that are truly the same in both frames of a pair, on and beside the figure.
    const auto first = [&](const at::Tensor& x) { return x.narrow(0, 0, batch / 2); };
    const auto second = [&](const at::Tensor& x) { return x.narrow(0, batch / 2, batch / 2); };
    const at::Tensor still = first(index).eq(second(index)).to(type) *
                             (first(coverage) - second(coverage)).abs().lt(kSameCoverage).to(type) *
                             at::maximum(at::maximum(first(coverage), first(carried.guess_coverage.amax(1))),
                                         second(carried.guess_coverage.amax(1)));
    const at::Tensor change = (first(mean) - second(mean)).square().mean(2) + (first(figure) - second(figure)).square();
    const at::Tensor flicker = (change * still).sum() / still.sum().clamp_min(1);

    const at::Tensor painted = nothing.detach().le(0.5).to(type);
    const at::Tensor overlap = ((painted * drawn).sum(1) / at::maximum(painted, drawn).sum(1).clamp_min(1)).mean();
    return total({{"pixels", pixels}, {"palette", palette, 0.2}, {"picture", picture}, {"flicker", flicker, 4}},
                 {{"alpha_overlap", overlap},
                  {"chance", ((chance * drawn).sum() / drawn.sum().clamp_min(1)).detach()},
                  {"psnr_db", -10 * (error.detach() + 1e-6).log10().mean()}});
  }

  std::int64_t size_;
  bool depth_;
  double pose_noise_, recolor_;
  Carrier carry_;
  std::int64_t channels_, query_, gate_;
  Conv2d in_, down_fine_, down_middle_;
  Linear up_middle_, up_fine_, up_full_, near_;
  Conv2d full_;
  Linear out_;
  Mlp keys_;
  std::vector<PictureBlock> fine_, middle_, coarse_, middle_up_, fine_up_, whole_;
  std::vector<TransformerBlock> attention_;
  // The choice depends on products of what surrounds a pixel and what its candidates are: at most one of each.
  std::vector<Linear> of_context_, of_candidates_, choice_;
  at::Tensor mirrored_joints_, mirrored_pixels_, channel_orders_;
};

}  // namespace

std::vector<ModelInfo> paint_models() {
  return {
      {"sprite",
       "a drawn character in a new pose, from its picture and two poses",
       {"reference", "soft", "palette", "pose", "guess"},
       ToyKind::kPainted,
       PainterModel::add_keys,
       PainterModel::create},
  };
}

}  // namespace zoe::train
