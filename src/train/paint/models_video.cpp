// SPDX-License-Identifier: MIT
// sprite_video: a whole clip of a drawn character from the poses of its frames and a reference picture, a caption, or
// both (zoe/paint/video_painter.h). Flow matching in pixels; the network predicts the clip itself.
#include <chrono>
#include <optional>

#include "zoe/paint/video_painter.h"

#include "train/generative/process.h"
#include "train/models.h"
#include "train/paint/indexed.h"
#include "train/paint/patch_reader.h"
#include "train/paint/picture_losses.h"
#include "train/paint/video_net.h"

namespace zoe::train {
namespace {

constexpr auto kVideoColors = static_cast<std::int64_t>(paint::kMaxColors);
constexpr auto kVideoPose = static_cast<std::int64_t>(paint::kPoseSize);
constexpr auto kVideoJoints = static_cast<std::int64_t>(paint::kNumJoints);
constexpr auto kVideoWords = static_cast<std::int64_t>(paint::kWordRows);
constexpr int kVideoLevels = 1000;

constexpr double kEasyError = 2e-3;  // Errors of clips below it count as much as it.
constexpr int kTimedSteps = 8, kTimedRuns = 12;

// [batch, steps, pixels / 2] -> [batch × steps, pixels, 2]
at::Tensor pairs_of(const at::Tensor& field) { return unpacked_pairs(field.reshape({-1, 1, field.size(2)})); }
// Steps `chosen` [batch, count] of a field [batch, steps, width].
at::Tensor picked(const at::Tensor& field, const at::Tensor& chosen) {
  return field.gather(1, chosen.unsqueeze(2).expand({chosen.size(0), chosen.size(1), field.size(2)}));
}

class VideoModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    const auto size = static_cast<std::int64_t>(std::lround(std::sqrt(2.0 * setup.fields[0].width)));
    if (size * size != 2 * setup.fields[0].width || size % paint::kPatch != 0 ||
        setup.fields[1].width != setup.fields[0].width || setup.fields[4].width != kVideoPose ||
        setup.fields[4].steps != setup.fields[1].steps + 1 || setup.fields[5].width != kVideoWords)
      return Error{ErrorCode::kInvalid, "this model needs clips of `zoe sprite pack --video`"};
    if (integer(setup, "model.width") % (2 * integer(setup, "model.heads")) != 0 ||
        integer(setup, "model.text_width") % 4 != 0)
      return Error{ErrorCode::kUsage, "model.width must be a multiple of twice model.heads, model.text_width one of 4"};
    ZOE_TRY_ASSIGN(nn::NoiseProcess numbers,
                   nn::NoiseProcess::create({.schedule = nn::NoiseSchedule::kFlow,
                                             .prediction = nn::Prediction::kData,
                                             .levels = kVideoLevels,
                                             .shift = setup.config.get<double>("model.shift")}));
    auto model = std::unique_ptr<VideoModel>(new VideoModel(setup, size, std::move(numbers)));
    if (const auto& file = setup.config.get<std::string>("model.init"); !file.empty())
      ZOE_TRY(load_video_network(file, model->parameters_));
    if (const auto& file = setup.config.get<std::string>("model.critic"); !file.empty()) {
      ZOE_TRY_ASSIGN(model->critic_, PictureCritic::load(file, size, setup.options));
    }
    return std::unique_ptr<Model>(std::move(model));
  }

  Losses loss(const Batch& batch) override {
    Clip clip = read(batch);
    if (training)
      clip = varied(std::move(clip), no_reference_, no_guess_);
    else if (no_reference_ > kMostlyWords)  // The best weights are those for words.
      clip = varied(std::move(clip), 1, 0);
    const std::int64_t n = clip.frames.size(0);
    const at::Tensor has_guess = clip.warped.abs().amax(at::IntArrayRef{1, 2}).gt(0);
    at::Tensor noise, levels = process_.levels(n, training);
    if (training) {
      noise = at::randn_like(clip.frames);
      // What few steps begin with, and all that a single step sees.
      const at::Tensor last = at::rand({n}, clip.frames.options())
                                  .lt(at::where(has_guess, at::full({n}, guess_noise_, clip.frames.options()),
                                                at::full({n}, all_noise_, clip.frames.options())));
      levels = at::where(last, at::full_like(levels, kVideoLevels), levels);
    } else {
      noise = fixed_noise(clip.frames);
      // Half of the validation is what one step paints.
      levels =
          at::where(at::arange(n, levels.options()).remainder(2).eq(0), at::full_like(levels, kVideoLevels), levels);
    }
    const at::Tensor x = process_.noised(clip.frames, noise, levels);
    const at::Tensor time = static_cast<double>(paint::kVideoTime) * process_.time(levels).unsqueeze(1);
    const at::Tensor painted = net_({x, clip.bones, clip.warped, clip.keys, clip.mask, clip.words, time});
    const at::Tensor guessed = has_guess.to(clip.frames.scalar_type());
    const at::Tensor errors = (painted.to(clip.frames.scalar_type()) - clip.frames).square().flatten(1).mean(1);
    // That of the velocity, bounded at low noise.
    const at::Tensor sigma = sigmas_.index_select(0, levels);
    const at::Tensor weight = (1 + kLowNoise) / (sigma.square() + kLowNoise);
    const at::Tensor from_noise = levels.eq(kVideoLevels).to(errors.scalar_type());
    const at::Tensor one_step = (errors * from_noise).sum() / from_noise.sum().clamp_min(1);
    // Clips with a guess are nearly right: the logarithm is their signal-to-noise ratio, whatever their size.
    const at::Tensor ratio = (((errors + kEasyError) / kEasyError).log() * guessed).sum() / guessed.sum().clamp_min(1);
    const at::Tensor of_guess = (clip.warped - clip.frames).square().flatten(1).mean(1);
    const at::Tensor better =
        ((of_guess - errors) * from_noise * guessed).sum() / (of_guess * from_noise * guessed).sum().clamp_min(1e-6);
    LoggedValues values{
        {"error", errors.mean().detach()}, {"one_step", one_step.detach()}, {"less_than_guess", better.detach()}};
    if (!training && timed_frames_ > 0) values.emplace_back("clip_ms", at::full({}, clip_ms(clip), errors.options()));
    std::vector<LossTerm> terms{{"clip", (errors * weight).mean()}, {"ratio", ratio, 0.03}};
    const at::Tensor pixels = patches_.pixels(painted.to(clip.frames.scalar_type()));
    if (critic_)
      terms.push_back({"critic", (*critic_)(pixels, patches_.pixels(clip.frames), training).mean(), kCritic});
    if (crisp_) {
      // Where something is drawn, truly or in the guess, and the true pixel is no soft edge.
      const std::int64_t frames = pixels.size(0) / n;
      const at::Tensor coverage = clip.pairs.select(2, 1), guessed_alpha = patches_.pixels(clip.warped).select(2, 3);
      const at::Tensor nothing = coverage.eq(0);
      const at::Tensor drawn = nothing.logical_not().logical_or(guessed_alpha.gt(0));
      const at::Tensor whole = nothing.logical_or(coverage.eq(static_cast<std::int64_t>(paint::kFullCoverage)));
      const at::Tensor counted = drawn.logical_and(whole).to(pixels.scalar_type());
      const at::Tensor entries = at::where(nothing, at::zeros_like(coverage), clip.pairs.select(2, 0));
      const at::Tensor surprise =
          palette_surprise(pixels, entries, for_frames(clip.palette, frames),
                           clip.num_colors.unsqueeze(1).expand({n, frames}).reshape({-1}), counted);
      // Clips without a guess have no palette to choose from.
      const at::Tensor of_clips = surprise.view({n, frames}).mean(1);
      terms.push_back({"palette", (of_clips * guessed).sum() / guessed.sum().clamp_min(1), kCrisp});
    }
    return total(std::move(terms), std::move(values));
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override { return {net_(inputs)}; }

  Result<nn::Graph> graph() override {
    return net_.graph(graph_frames_, {{nn::kProcessKey, process_.numbers().to_text()}});
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.width", 192, "width of the transformer")
        .add("model.heads", 6, "heads of its attentions")
        .add("model.blocks", 7, "blocks; every second one has attention along time")
        .add("model.text_width", 128, "width of the encoder of captions; 4 heads")
        .add("model.text_blocks", 2, "its blocks")
        .add("model.vocabulary", 255, "words of captions, at most")
        .add("model.frames", 6, "frames of a clip that a step sees, chosen at random; 0: all")
        .add("model.graph_frames", 0, "frames of the exported network; 0: any number")
        .add("model.shift", 2.0, "of the noise: above 1, more of the levels are nearly noise")
        .add("model.all_noise", 0.3, "part of the samples that begin with pure noise")
        .add("model.guess_noise", 0.8, "the same of samples with a guess: these are painted in one step")
        .add("model.keep_words", 0.6, "part of the captions that keep all words in training")
        .add("model.pose_noise", 0.003, "deviation of joints in training, fractions of the picture")
        .add("model.recolor", 0.5, "part of the samples with other colours, maybe mirrored, and without a caption")
        .add("model.no_reference", 0.5, "part of the samples with a caption that have no reference")
        .add("model.only_words", 0.85, "the same of clips of `zoe sprite pack --no-guesses`")
        .add("model.no_guess", 0.15, "part of the samples with a reference that have no puppet's guess")
        .add("model.flat", 0.1, "part of the samples whose poses lack depth and facing, as OpenPose draws them")
        .add("model.timed_frames", 0, "frames of a clip whose painting in 8 steps is timed at validations: clip_ms")
        .add("model.critic", std::string(),
             "model.safetensors of `zoe train sprite_words` (one frame): painted frames must display what true ones do")
        .add("model.crisp", false, "clips with guesses also choose among the palette's colours, not their mean")
        .add("model.init", std::string(), "model.safetensors of a trained network of the same sizes to begin with");
    add_loss_keys(schema, {"clip", "ratio", "critic", "palette"});
  }

 private:
  static constexpr double kLowNoise = 0.1;
  static constexpr double kMostlyWords = 0.8;
  static constexpr double kRecolorBare = 0.1;
  static constexpr double kCritic = 0.004, kCrisp = 0.04;  // Of the terms of that name.

  struct Clip {
    at::Tensor frames, bones, warped;  // [batch, frames × patches, …]
    at::Tensor keys, mask, words;      // [batch, rows, …]
    at::Tensor pairs;                  // [batch × frames, pixels, 2] Index and coverage of the true frames.
    at::Tensor palette, num_colors;    // [batch, colours, 3], [batch]
  };
  struct Raw {
    at::Tensor still, frames, guess;  // [batch (× frames), pixels, 2]
    at::Tensor palette, num_colors, poses, words;
  };

  VideoModel(const ModelSetup& setup, std::int64_t size, nn::NoiseProcess numbers)
      : Model(setup),
        patches_(size, setup.options),
        process_(std::move(numbers), nn::LossWeight::kUniform, setup.options),
        net_(parameters_, {.width = integer(setup, "model.width"),
                           .heads = integer(setup, "model.heads"),
                           .blocks = integer(setup, "model.blocks"),
                           .text_width = integer(setup, "model.text_width"),
                           .text_blocks = integer(setup, "model.text_blocks"),
                           .num_words = integer(setup, "model.vocabulary"),
                           .patches = patches_.num_patches()}),
        frames_(integer(setup, "model.frames")),
        graph_frames_(static_cast<int>(integer(setup, "model.graph_frames"))),
        all_noise_(setup.config.get<double>("model.all_noise")),
        guess_noise_(setup.config.get<double>("model.guess_noise")),
        keep_words_(setup.config.get<double>("model.keep_words")),
        pose_noise_(setup.config.get<double>("model.pose_noise")),
        recolor_(setup.config.get<double>("model.recolor")),
        no_reference_(setup.config.get<double>("model.no_reference")),
        only_words_(setup.config.get<double>("model.only_words")),
        no_guess_(setup.config.get<double>("model.no_guess")),
        flat_(setup.config.get<double>("model.flat")),
        timed_frames_(integer(setup, "model.timed_frames")),
        crisp_(setup.config.get<bool>("model.crisp")),
        orders_(channel_orders(setup.options)) {
    const std::span<const float> sigmas = process_.numbers().sigmas();
    sigmas_ = at::tensor(std::vector<float>(sigmas.begin(), sigmas.end())).to(setup.options);
    if (frames_ <= 0 || frames_ > setup.fields[1].steps) frames_ = setup.fields[1].steps;
    const at::TensorOptions whole = setup.options.dtype(at::kLong);
    mirrored_joints_ =
        at::tensor(std::vector<std::int64_t>{0, 1, 2, 6, 7, 8, 3, 4, 5, 12, 13, 14, 9, 10, 11}).to(whole);
    const at::Tensor pixels = at::arange(size * size, at::TensorOptions().dtype(at::kLong)).view({size, size});
    mirrored_pixels_ = pixels.flip(1).reshape({-1}).to(whole);
  }

  Raw read_raw(const Batch& batch) const {
    at::Tensor frames = batch[1], guess = batch[2], poses = batch[4];
    if (training && frames_ < frames.size(1)) {
      // The same frames of the whole batch would repeat the same moments; each clip has its own.
      const at::Tensor chances = at::rand({frames.size(0), frames.size(1)}, batch[3].options());
      const at::Tensor chosen = std::get<1>(at::topk(chances, frames_, 1));
      frames = picked(frames, chosen);
      guess = picked(guess, chosen);
      poses = at::cat({poses.narrow(1, 0, 1), picked(poses, chosen + 1)}, 1);
    } else if (frames_ < frames.size(1)) {  // No more memory than a step.
      frames = frames.narrow(1, 0, frames_);
      guess = guess.narrow(1, 0, frames_);
      poses = poses.narrow(1, 0, 1 + frames_);
    }
    return {pairs_of(batch[0]),
            pairs_of(frames),
            pairs_of(guess),
            batch[3].squeeze(1).narrow(1, 0, 3 * kVideoColors).view({-1, kVideoColors, 3}),
            batch[3].squeeze(1).select(1, 3 * kVideoColors),
            poses,
            batch[5].squeeze(1)};
  }

  // [batch, colours, 3] of each frame.
  static at::Tensor for_frames(const at::Tensor& palette, std::int64_t frames) {
    return palette.unsqueeze(1).expand({palette.size(0), frames, kVideoColors, 3}).reshape({-1, kVideoColors, 3});
  }

  Clip describe(const Raw& raw) const {
    const std::int64_t n = raw.palette.size(0), frames = raw.frames.size(0) / n, patches = patches_.num_patches();
    const at::Tensor palettes = for_frames(raw.palette, frames);
    const auto rows = [&](const at::Tensor& x) { return x.reshape({n, frames * patches, x.size(2)}); };
    Clip out;
    out.frames = rows(patches_.patches(raw.frames, palettes));
    // Guesses in which nothing is drawn: the clip has none.
    const at::Tensor drawn = raw.guess.select(2, 1).reshape({n, -1}).gt(0).any(1).view({n, 1, 1});
    out.warped = rows(patches_.patches(raw.guess, palettes)) * drawn.to(out.frames.scalar_type());
    const at::Tensor bones = patches_.describe(raw.poses.reshape({-1, kVideoPose})).view({n, 1 + frames, patches, -1});
    out.bones = bones.narrow(1, 1, frames).reshape({n, frames * patches, -1});
    out.keys = at::cat({patches_.patches(raw.still, raw.palette), bones.select(1, 0)}, 2);
    out.words = raw.words.unsqueeze(2);
    out.pairs = raw.frames;
    out.palette = raw.palette;
    out.num_colors = raw.num_colors;
    at::Tensor there = raw.words.gt(0.5);
    there = at::cat({there.narrow(1, 0, kVideoWords - 1), at::ones({n, 1}, there.options())}, 1);
    out.mask = at::cat({at::ones({n, patches}, out.keys.options()), there.to(out.keys.scalar_type())}, 1).unsqueeze(2);
    return out;
  }

  Clip read(const Batch& batch) {
    Raw raw = read_raw(batch);
    if (training) vary(raw);
    return describe(raw);
  }

  // Other colours, mirrored pictures, joints that are a little off, unknown facing.
  void vary(Raw& raw) {
    const c10::NoGradGuard no_gradients;
    const std::int64_t n = raw.palette.size(0);
    const at::TensorOptions real = raw.palette.options();
    const auto chance = [&](double p) { return at::rand({n, 1}, real).lt(p); };
    // Clips without guesses are there for their words.
    const at::Tensor bare = raw.guess.select(2, 1).reshape({n, -1}).gt(0).any(1, true).logical_not();
    const at::Tensor free = at::where(bare, chance(std::min(recolor_, kRecolorBare)), chance(recolor_));
    const at::Tensor mirror = free.logical_and(chance(0.5));
    raw.palette = at::where(free.unsqueeze(2), recolored(raw.palette, orders_, 1), raw.palette);
    const auto flip = [&](const at::Tensor& pairs) {
      const at::Tensor which = mirror.expand({n, pairs.size(0) / n}).reshape({-1, 1, 1});
      return at::where(which, pairs.index_select(1, mirrored_pixels_), pairs);
    };
    raw.still = flip(raw.still);
    raw.frames = flip(raw.frames);
    raw.guess = flip(raw.guess);
    const std::int64_t all = raw.poses.size(1);
    const at::Tensor points = raw.poses.narrow(2, 0, 4 * kVideoJoints).reshape({n, all, kVideoJoints, 4});
    const at::Tensor mirror_4 = mirror.view({n, 1, 1, 1});
    const at::Tensor from = at::where(mirror_4, points.index_select(2, mirrored_joints_), points);
    const at::Tensor x = from.narrow(3, 0, 1), depth = from.narrow(3, 2, 1);
    // Joints of real drawings are off by the same amount in all frames, more or less.
    const at::Tensor off =
        pose_noise_ * (at::randn({n, 1, kVideoJoints, 2}, real) + 0.5 * at::randn({n, all, kVideoJoints, 2}, real));
    const at::Tensor moved = at::cat({at::where(mirror_4, 1 - x, x), from.narrow(3, 1, 1)}, 3) + off;
    const at::Tensor is_flat = chance(flat_);
    const at::Tensor flat = at::where(is_flat.view({n, 1, 1, 1}), at::zeros_like(depth), depth);
    const at::Tensor facing = raw.poses.narrow(2, 4 * kVideoJoints, 2);
    at::Tensor turned = at::cat(
        {facing.narrow(2, 0, 1), at::where(mirror.unsqueeze(2), -facing.narrow(2, 1, 1), facing.narrow(2, 1, 1))}, 2);
    turned = at::where(is_flat.logical_or(chance(0.2)).unsqueeze(2), at::zeros_like(turned), turned);
    raw.poses = at::cat({at::cat({moved, flat, from.narrow(3, 3, 1)}, 3).flatten(2), turned}, 2);
    // Words: none for other colours; else all, or each is dropped with a probability of its caption's own.
    const at::Tensor keep =
        at::rand(raw.words.sizes(), real).ge(at::rand({n, 1}, real).mul(0.7)).logical_or(chance(keep_words_));
    const at::Tensor none = free.logical_or(chance(0.1));
    raw.words = at::where(none, at::zeros_like(raw.words), raw.words * keep.to(real.dtype()));
    free_ = free;
    bare_ = bare;
  }

  // Clips without a reference or without a guess.
  Clip varied(Clip clip, double no_reference, double no_guess) const {
    const c10::NoGradGuard no_gradients;
    const std::int64_t n = clip.frames.size(0), patches = patches_.num_patches();
    const at::TensorOptions real = clip.frames.options();
    at::Tensor lacks = at::rand({n, 1}, real).lt(no_reference);
    if (training)
      lacks = at::where(bare_, at::rand({n, 1}, real).lt(only_words_), lacks).logical_and(free_.logical_not());
    const at::Tensor bare = lacks.logical_or(at::rand({n, 1}, real).lt(no_guess));
    clip.warped = at::where(bare.unsqueeze(2), at::zeros_like(clip.warped), clip.warped);
    const at::Tensor seen =
        at::where(lacks.unsqueeze(2), at::zeros({n, patches, 1}, real), at::ones({n, patches, 1}, real));
    clip.mask = at::cat({seen, clip.mask.narrow(1, patches, kVideoWords)}, 1);
    return clip;
  }

  // Of painting a clip of timed_frames_ frames in 8 steps without guidance: the shortest of some runs.
  double clip_ms(const Clip& clip) const {
    const std::int64_t rows = timed_frames_ * patches_.num_patches();
    const auto one = [&](const at::Tensor& x) { return x.narrow(0, 0, 1); };
    const auto repeated = [&](const at::Tensor& x) {
      return one(x).repeat({1, (rows + x.size(1) - 1) / x.size(1), 1}).narrow(1, 0, rows).contiguous();
    };
    at::Tensor x = at::randn_like(repeated(clip.frames));
    const at::Tensor bones = repeated(clip.bones), warped = repeated(clip.warped);
    double best = 1e9;
    for (int run = 0; run < kTimedRuns; ++run) {
      const auto begin = std::chrono::steady_clock::now();
      for (int step = 0; step < kTimedSteps; ++step) {
        const double level = 1 - static_cast<double>(step) / kTimedSteps;
        const at::Tensor time = at::full({1, 1, 1}, static_cast<double>(paint::kVideoTime) * level, x.options());
        const at::Tensor data =
            net_({x, bones, warped, one(clip.keys), one(clip.mask), one(clip.words), time}).to(x.scalar_type());
        x = x + (data - x) / static_cast<double>(kTimedSteps - step);
      }
      x.select(1, 0).sum().item<double>();  // Waits for the device.
      best =
          std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
  }

  PatchReader patches_;
  Process process_;
  VideoNet net_;
  std::int64_t frames_;
  int graph_frames_;
  double all_noise_, guess_noise_, keep_words_, pose_noise_, recolor_, no_reference_, only_words_, no_guess_, flat_;
  std::int64_t timed_frames_;
  bool crisp_;
  std::optional<PictureCritic> critic_;
  at::Tensor orders_, mirrored_joints_, mirrored_pixels_, sigmas_;
  at::Tensor free_, bare_;  // [batch, 1] Samples of this step with other colours; without guesses.
};

}  // namespace

std::vector<ModelInfo> video_models() {
  return {
      {"sprite_video",
       "a clip of a drawn character from poses and a picture, a caption, or both",
       {"still", "frames", "guess", "palette", "pose", "words"},
       ToyKind::kVideo,
       VideoModel::add_keys,
       VideoModel::create},
  };
}

}  // namespace zoe::train
