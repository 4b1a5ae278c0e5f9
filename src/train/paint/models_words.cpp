// SPDX-License-Identifier: MIT
// sprite_words: what a clip displays (zoe/paint/questions.h): action, species, class, colours, drawn or rendered. It
// judges what painters and generators make, and is trained on true clips only.
#include "zoe/paint/features.h"
#include "zoe/paint/questions.h"

#include "train/models.h"
#include "train/paint/indexed.h"
#include "train/paint/picture_blocks.h"

namespace zoe::train {
namespace {

constexpr auto kWordColors = static_cast<std::int64_t>(paint::kMaxColors);
constexpr auto kWordFrames = static_cast<std::int64_t>(paint::kJudgedFrames);
constexpr std::int64_t kMostShift = 4;  // Pixels.

// Words between commas.
Result<std::vector<std::size_t>> questions_of(const std::string& list) {
  std::vector<std::size_t> questions;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    const auto question = paint::question_from(word);
    if (!question)
      return Error{ErrorCode::kUsage,
                   "model.questions: there is no question '" + word +
                       "'; there are action, species, class, color, skin, drawn, outfit, hat, weapon"};
    questions.push_back(*question);
    begin = end + 1;
  }
  return questions;
}

class WordsModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    const auto size = static_cast<std::int64_t>(std::lround(std::sqrt(4.0 * setup.fields[0].width)));
    if (size * size != 4 * setup.fields[0].width || size % 16 != 0 || setup.fields[0].steps != kWordFrames)
      return Error{ErrorCode::kInvalid, "this model needs clips of `zoe sprite pack --labels`"};
    const std::int64_t frames = integer(setup, "model.frames");
    if (frames != 1 && frames != kWordFrames)
      return Error{ErrorCode::kUsage, "model.frames must be 1 or " + std::to_string(kWordFrames)};
    ZOE_TRY_ASSIGN(std::vector<std::size_t> questions, questions_of(setup.config.get<std::string>("model.questions")));
    return std::unique_ptr<Model>(new WordsModel(setup, size, frames, std::move(questions)));
  }

  Losses loss(const Batch& batch) override {
    at::Tensor palette = batch[1].squeeze(1).narrow(1, 0, 3 * kWordColors).view({-1, kWordColors, 3});
    const std::int64_t n = batch[0].size(0);
    at::Tensor indices = unpacked_indices(batch[0].flatten(0, 1).unsqueeze(1)).view({n, kWordFrames, size_ * size_});
    if (frames_ == 1) {  // Any frame; the middle one to validate.
      const at::Tensor which = training ? (at::rand({n}, palette.options()) * kWordFrames).floor().clamp(0, 7)
                                        : at::full({n}, 3.0, palette.options());
      indices = indices.gather(1, which.to(at::kLong).view({n, 1, 1}).expand({n, 1, indices.size(2)}));
    }
    if (training) {
      if (recolor_ > 0) palette = recolored(palette, orders_, recolor_);
      indices = indices.gather(2, varied_places(n, palette.options()).unsqueeze(1).expand(indices.sizes()));
    }
    // [batch, pixels, frames × 4]
    const at::Tensor pictures = painted(indices.flatten(1), palette).view({n, frames_, size_ * size_, 4});
    const std::vector<at::Tensor> out = predict({pictures.transpose(1, 2).flatten(2)});
    const at::Tensor answers = batch[2].squeeze(1);
    std::vector<LossTerm> terms;
    LoggedValues values;
    for (std::size_t k = 0; k < questions_.size(); ++k) {
      const paint::Question& question = paint::kQuestions[questions_[k]];
      const at::Tensor answer = answers.select(1, static_cast<std::int64_t>(questions_[k]));
      const at::Tensor known = answer.ge(0).to(palette.dtype()), count = known.sum().clamp_min(1);
      const at::Tensor number = answer.clamp_min(0).to(at::kLong).unsqueeze(1);
      const at::Tensor scores = out[k].squeeze(1).to(palette.dtype());
      const at::Tensor surprise = -at::log_softmax(scores, 1).gather(1, number).squeeze(1);
      terms.push_back({question.name, (surprise * known).sum() / count});
      const at::Tensor right = scores.argmax(1).eq(number.squeeze(1)).to(palette.dtype());
      values.emplace_back(std::string(question.name) + "_right", ((right * known).sum() / count).detach());
    }
    return total(std::move(terms), std::move(values));
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    at::Tensor x = in_(inputs[0].view({-1, size_, size_, inputs[0].size(2)}));
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      x = blocks_[i](x);
      if (i < down_.size()) x = down_[i](x);
    }
    const at::Tensor hidden = at::silu(hidden_(x.flatten(1).unsqueeze(1)));
    std::vector<at::Tensor> out;
    for (const Linear& head : heads_) out.push_back(head(hidden));
    return out;
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    int line = static_cast<int>(size_);
    int x = in_.build(b, b.input("picture", static_cast<int>(4 * frames_), line * line), line);
    line /= 2;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      x = blocks_[i].build(b, x, line);
      if (i == down_.size()) break;
      x = down_[i].build(b, x, line);
      line /= 2;
    }
    x = b.reshape(x, 1, static_cast<int>(hidden_.weight.size(1)));
    const int hidden = hidden_.build(b, x, Activation::kSilu);
    for (std::size_t k = 0; k < questions_.size(); ++k)
      b.output(paint::kQuestions[questions_[k]].name, heads_[k].build(b, hidden));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema
        .add("model.questions", "action,species,class,color,skin",
             "what is asked, comma-separated: action, species, class, color, skin, drawn, outfit, hat, weapon")
        .add("model.frames", kWordFrames, "frames that are seen at once: 8, or 1")
        .add("model.channels", 24, "channels at half the size; they double with each halving of the size")
        .add("model.hidden", 128, "width before the answers")
        .add("model.recolor", -1.0,
             "part of the samples in other colours; below 0: 0.7 where only action or drawn are asked, else 0");
    add_loss_keys(schema, {"action", "species", "class", "color", "skin", "drawn", "outfit", "hat", "weapon"});
  }

 private:
  WordsModel(const ModelSetup& setup, std::int64_t size, std::int64_t frames, std::vector<std::size_t> questions)
      : Model(setup),
        size_(size),
        frames_(frames),
        questions_(std::move(questions)),
        channels_(integer(setup, "model.channels")),
        in_(parameters_, "in", 4 * frames, channels_, 4, 2, 1),
        hidden_(parameters_, "hidden", 8 * channels_ * (size / 16) * (size / 16), integer(setup, "model.hidden")),
        orders_(channel_orders(setup.options)) {
    for (int i = 0; i < 4; ++i) {
      const std::int64_t width = channels_ << i;
      blocks_.emplace_back(parameters_, "block" + std::to_string(i), width);
      if (i < 3) down_.emplace_back(parameters_, "down" + std::to_string(i), width, 2 * width, 3, 2, 1);
    }
    bool recolors = true;
    for (const std::size_t question : questions_) {
      heads_.emplace_back(parameters_, paint::kQuestions[question].name, integer(setup, "model.hidden"),
                          paint::kQuestions[question].num_answers);
      asks_drawn_ = asks_drawn_ || question == paint::kAskDrawn;
      recolors = recolors && (question == paint::kAskAction || question == paint::kAskDrawn);
    }
    recolor_ = setup.config.get<double>("model.recolor");
    if (recolor_ < 0) recolor_ = recolors ? 0.7 : 0;
    const at::Tensor cells = at::arange(size * size, at::TensorOptions().dtype(at::kLong));
    y_ = at::div(cells, size, "floor").unsqueeze(0).to(setup.options);
    x_ = (cells - at::div(cells, size, "floor") * size).unsqueeze(0).to(setup.options);
  }

  // [batch, pixels]: from which pixel each is taken. Mirrored, shifted by whole pixels; where drawings are told from
  // renders also in blocks of 2 or 3 pixels, because drawings are often small pixel art that was enlarged.
  at::Tensor varied_places(std::int64_t n, const at::TensorOptions& real) const {
    const auto draw = [&] { return at::rand({n, 1}, real); };
    const auto shift = [&] { return (draw() * (2 * kMostShift + 1)).floor() - kMostShift; };
    const double last = static_cast<double>(size_ - 1);
    at::Tensor x = x_ + shift(), y = y_ + shift();
    if (asks_drawn_) {
      const at::Tensor chance = draw();
      const at::Tensor block = 1 + chance.lt(0.5).to(real.dtype()) + chance.lt(0.25).to(real.dtype());
      x = (x / block).floor() * block;
      y = (y / block).floor() * block;
    }
    x = x.clamp(0, last);
    y = y.clamp(0, last);
    return (y * static_cast<double>(size_) + at::where(draw().lt(0.5), last - x, x)).to(at::kLong);
  }

  std::int64_t size_, frames_;
  std::vector<std::size_t> questions_;
  std::int64_t channels_;
  Conv2d in_;
  Linear hidden_;
  std::vector<PictureBlock> blocks_;
  std::vector<Conv2d> down_;
  std::vector<Linear> heads_;
  at::Tensor orders_, x_, y_;
  bool asks_drawn_ = false;
  double recolor_ = 0;
};

}  // namespace

std::vector<ModelInfo> words_models() {
  return {
      {"sprite_words",
       "what a clip displays: action, species, class, colours, drawn or rendered",
       {"frames", "palette", "answers"},
       ToyKind::kPainted,
       WordsModel::add_keys,
       WordsModel::create},
  };
}

}  // namespace zoe::train
