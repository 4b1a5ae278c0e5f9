// SPDX-License-Identifier: MIT
// Motion style: style, and classifier for its judges. The design is docs/style.md's.
#include "train/adversarial.h"
#include "train/models.h"
#include "train/sequence_blocks.h"
#include "train/style/role_chain.h"
#include "train/style/window_net.h"

namespace zoe::train {
namespace {

using Sizes = std::vector<std::int64_t>;
constexpr double kLeastSpread = 0.02;  // Columns that hardly move are not blown up.
constexpr std::int64_t kTimes = 5;     // Frames that the content encoder sees.
constexpr double kStyleChange = 5;     // Makes changes from frame to frame about as large as values, for the critic.
constexpr double kStyleSecond = 15;    // The same for changes of changes.
constexpr double kFeetTiming = 0.9, kHandsTiming = 0.7;  // Least correlation with the content's.
constexpr double kMomentRate = 0.02;                     // Of the running moments of a cell.

at::Tensor mean_error(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().mean(); }
at::Tensor step_change(const at::Tensor& x) { return x.diff(1, 1); }

// Of the first `width` columns of the field x.
Normaliser floored_normaliser(Parameters& parameters, const ModelSetup& setup, std::int64_t width) {
  const auto columns = static_cast<std::size_t>(width);
  std::vector<float> spread = setup.statistics[0].spread;
  for (float& value : spread) value = std::max(value, static_cast<float>(kLeastSpread));
  return {parameters, setup.fields[0].name, std::span(setup.statistics[0].mean).first(columns),
          std::span(spread).first(columns)};
}

// With pairs, x is a window and the same window in another style, side by side.
std::int64_t row_width(const ModelSetup& setup) {
  return setup.fields[0].width / (setup.config.get<bool>("model.pairs") ? 2 : 1);
}

// x scaled and shifted by linear functions of the style.
struct StyleFilm {
  StyleFilm(Parameters& parameters, const std::string& name_, std::int64_t style, std::int64_t width)
      : name(name_),
        scale_weight(parameters.weight(name + ".scale.weight", {width, style}, 0.2)),
        scale_bias(parameters.weight(name + ".scale.bias", {width}, 0.05, 1)),
        shift_weight(parameters.weight(name + ".shift.weight", {width, style}, 0.2)),
        shift_bias(parameters.weight(name + ".shift.bias", {width}, 0.05)) {}
  // x [batch, steps, width], z [batch, style]
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& z) const {
    return x * at::linear(z, scale_weight, scale_bias).unsqueeze(1) +
           at::linear(z, shift_weight, shift_bias).unsqueeze(1);
  }
  int build(GraphBuilder& b, int x, int z, Activation activation) const {
    const auto line = [&](const char* what, const at::Tensor& weight, const at::Tensor& bias) {
      return b.linear(z, name + what, dims_of(weight), floats_of(weight), floats_of(bias));
    };
    return b.film(x, line(".scale", scale_weight, scale_bias), line(".shift", shift_weight, shift_bias), activation);
  }

  std::string name;
  at::Tensor scale_weight, scale_bias, shift_weight, shift_bias;
};

class StyleModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[0].steps < 8) return Error{ErrorCode::kInvalid, "this model needs windows of 8 steps at least"};
    const std::string cell = setup.config.get<std::string>("model.recurrent");
    if (cell != "gru" && cell != "lstm" && cell != "per_style")
      return Error{ErrorCode::kUsage, "model.recurrent must be gru, lstm or per_style, not '" + cell + "'"};
    if (integer(setup, "model.contacts") >= row_width(setup))
      return Error{ErrorCode::kUsage, "model.contacts must be fewer than the columns of x"};
    if (setup.config.get<bool>("model.pairs") && (setup.fields[0].width % 2 != 0 || setup.fields[1].width < 3))
      return Error{ErrorCode::kUsage, "model.pairs needs two rows side by side in x, and three columns of label"};
    ZOE_TRY_ASSIGN(RoleChain chain, RoleChain::create(setup.config.get<Sizes>("model.chain"),
                                                      setup.config.get<std::vector<double>>("model.offsets"),
                                                      static_cast<int>(row_width(setup)), setup.options));
    const Sizes feet = setup.config.get<Sizes>("model.feet"), hands = setup.config.get<Sizes>("model.hands");
    const auto unknown_role = [&](std::int64_t role) {
      return role < 0 || role >= static_cast<std::int64_t>(setup.config.get<Sizes>("model.chain").size());
    };
    if (std::ranges::any_of(hands, unknown_role) || (!chain.empty() && std::ranges::any_of(feet, unknown_role)))
      return Error{ErrorCode::kUsage, "model.feet and model.hands name roles of model.chain"};
    if (!chain.empty() && static_cast<std::int64_t>(feet.size()) != integer(setup, "model.contacts"))
      return Error{ErrorCode::kUsage, "model.feet names one role for each of model.contacts"};
    ZOE_TRY_ASSIGN(const AdversarialLoss loss, parse_adversarial_loss(setup.config.get<std::string>("model.loss")));
    if (loss == AdversarialLoss::kWasserstein)
      return Error{ErrorCode::kUsage, "model.loss must be hinge or non_saturating"};
    return std::unique_ptr<Model>(new StyleModel(setup, std::move(chain), loss));
  }

  // How well a window comes back with its own style.
  Losses loss(const Batch& batch) override {
    const at::Tensor x = x_.apply(source_of(batch));
    const at::Tensor made = decode(content(x), style(x).mean);
    return {mean_error(made, x), {}};
  }

  std::vector<TurnInfo> turns() const override { return {{"generator", "generator."}, {"critic", "critic."}}; }
  Losses turn_loss(std::size_t turn, const Batch& batch) override {
    return turn == 0 ? generator_loss_of(batch) : critic_loss_of(batch);
  }

  // Running moments of each cell (content, style), of what the generator's steps saw.
  void after_step(Collective& collective) override {
    if (!seen_sums_.defined()) return;
    collective.average(seen_sums_);
    const at::Tensor count = seen_sums_.narrow(1, 0, 1), found = count.gt(0).to(count.dtype());
    const at::Tensor now = seen_sums_.narrow(1, 1, seen_sums_.size(1) - 1) / count.clamp_min(1e-6);
    // A cell begins with the first value.
    const at::Tensor rate = found * (kMomentRate + (1 - kMomentRate) * moments_seen_.eq(0).to(count.dtype()));
    moments_.add_(rate * (now - moments_));
    moments_seen_.add_(found);
  }

  // One step: x, style z, the first layer of the frames before, the recurrent state.
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor now = first(x_.apply(inputs[0])), all = at::cat({inputs[2], now}, 2);
    std::vector<at::Tensor> states;
    for (std::size_t i = 3; i < inputs.size(); ++i) states.push_back(inputs[i].squeeze(1));
    std::vector<at::Tensor> out{x_.undo(decode(code_of(all), inputs[1].squeeze(1), &states)),
                                all.narrow(2, now.size(2), inputs[2].size(2))};
    for (const at::Tensor& state : states) out.push_back(state.unsqueeze(1));
    return out;
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int embed = static_cast<int>(embed_.weight.size(0)), hidden = static_cast<int>(cell_.w_state.size(1));
    const int width = static_cast<int>(width_), kept = static_cast<int>(kTimes - 1) * embed;
    const int raw = b.input("x", width), z = b.input("z", static_cast<int>(code_)), past = b.input("past", kept);
    std::vector<int> states{b.input("h", hidden * static_cast<int>(1 + of_styles_.size()))};
    if (cell_.lstm) states.push_back(b.input("c", hidden));
    const int x = x_.build_apply(b, raw);
    const int all = b.concat({past, embed_.build(b, b.slice(x, 0, static_cast<int>(motion_)), Activation::kSilu)});
    const int content = b.layer_norm(content_.build(b, all), "generator.content.norm", floats_of(ones_),
                                     floats_of(at::zeros_like(ones_)));
    const int h = build_cells(b, film_in_.build(b, in_.build(b, content), z, Activation::kSilu), z, states);
    const int y = out_.build(b, film_out_.build(b, middle_.build(b, h), z, Activation::kSilu));
    b.output("y", b.denormalize(y, x_.name, {}, {}));  // The spreads of the input, stored once.
    b.output("past", b.slice(all, embed, embed + kept));
    b.output("h", states[0]);
    if (cell_.lstm) b.output("c", states[1]);
    return std::move(b).build();
  }

  // A window to the mean and the logarithm of the variance of its style.
  bool has_encoder() const override { return true; }
  std::vector<at::Tensor> encode(const std::vector<at::Tensor>& inputs) override {
    const Posterior z = style(x_.apply(inputs[0]));
    return {z.mean.unsqueeze(1), z.log_variance.unsqueeze(1)};
  }
  Result<nn::Graph> encoder_graph() override {
    GraphBuilder b;
    const int x = x_.build_apply(b, b.input("x", static_cast<int>(width_), steps_));
    const int both = posterior_.build(b, encoder_.build(b, b.slice(x, 0, static_cast<int>(motion_))));
    const int code = static_cast<int>(code_), mean = b.slice(both, 0, code);
    b.output("mean", of_styles_.empty() ? mean : b.softmax(mean));
    b.output("log_variance", b.slice(both, code, 2 * code));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.code", 8, "numbers of a style")
        .add("model.content", 24, "numbers of a frame's content")
        .add("model.pairs", false, "x is a row and the same moment in the style of label's third column, side by side")
        .add("model.embed", 96, "width of the content encoder's first layer")
        .add("model.hidden", 192, "width of the decoder's state")
        .add("model.recurrent", std::string("gru"),
             "the decoder's cell: gru or lstm; per_style: a cell for each style of the data, no others (a baseline)")
        .add("model.channels", 96, "channels of the style encoder and the critic")
        .add("model.styles", 2, "styles in the data: the first column of label")
        .add("model.contents", 2, "contents in the data: the second column of label")
        .add("model.contacts", 1, "last columns of x that are contacts: predicted, never read")
        .add("model.chain", Sizes{}, "[roles] which role of x is above each, plus one; empty: x is no pose")
        .add("model.offsets", std::vector<double>{}, "[3 roles] from the role above, leg lengths")
        .add("model.feet", Sizes{}, "[contacts] the role that each contact is of")
        .add("model.hands", Sizes{}, "roles whose timing in the content stays, besides the feet")
        .add("model.unknown_pair", 0.3, "weight of the critics where the data lacks a pair of content and style")
        .add("model.fps", 30.0, "rows a second")
        .add("model.own_style", 0.5, "fraction of windows rebuilt with their own style, not that of another window")
        .add("model.loss", std::string("hinge"), "of the critic: hinge or non_saturating")
        .add("model.penalty", 1.0, "weight of the penalty on the critic's gradient; 0: none");
    add_loss_keys(schema, {"rows",       "contacts",       "position",
                           "velocity",   "divergence",     "style_class",
                           "confusion",  "adversarial",    "adversarial_dynamics",
                           "moments",    "content_cycle",  "style_cycle",
                           "same_style", "pair_content",   "skate",
                           "smooth",     "discrimination", "mismatch",
                           "penalty",    "removal",        "timing"});
    add_turn_keys(schema, {.name = "generator", .steps = 1, .rate_factor = 1, .beta1 = 0.5});
    add_turn_keys(schema, {.name = "critic", .steps = 1, .rate_factor = 1, .beta1 = 0.5});
  }

 private:
  struct Posterior {
    at::Tensor mean, log_variance;  // [batch, code]
  };
  // Style and content of each window.
  struct Labels {
    at::Tensor content, style;  // [batch]
  };
  // One view of windows to scores. Pairs of content and style that the data lacks are judged by their style alone.
  struct View {
    View(Parameters& parameters, const std::string& windows_name, const std::string& score_name,
         const ModelSetup& setup, std::int64_t motion, std::int64_t styles, std::int64_t contents)
        : windows(parameters, windows_name, 2 * motion, integer(setup, "model.channels"), 3, true),
          of_style(parameters, score_name + ".style", windows.width(), styles),
          of_cell(parameters, score_name, windows.width(), styles * contents) {}
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& style, const at::Tensor& cell,
                          const at::Tensor& known) const {
      const at::Tensor features = windows(x);
      return of_style(features, style) + known * of_cell(features, cell);
    }
    WindowNet windows;
    ProjectionScore of_style, of_cell;
  };
  struct Scores {
    at::Tensor poses, dynamics;  // [batch]
  };

  StyleModel(const ModelSetup& setup, RoleChain chain, AdversarialLoss loss)
      : Model(setup),
        pairs_(setup.config.get<bool>("model.pairs")),
        width_(row_width(setup)),
        contacts_(integer(setup, "model.contacts")),
        motion_(width_ - contacts_),
        styles_(integer(setup, "model.styles")),
        code_(setup.config.get<std::string>("model.recurrent") == "per_style" ? styles_ : integer(setup, "model.code")),
        contents_(integer(setup, "model.contents")),
        steps_(setup.fields[0].steps),
        fps_(setup.config.get<double>("model.fps")),
        own_style_(setup.config.get<double>("model.own_style")),
        unknown_pair_(setup.config.get<double>("model.unknown_pair")),
        penalty_(setup.config.get<double>("model.penalty")),
        adversarial_(loss),
        chain_(std::move(chain)),
        x_(floored_normaliser(parameters_, setup, width_)),
        encoder_(parameters_, "generator.encoder", motion_, integer(setup, "model.channels"), 3, true),
        posterior_(parameters_, "generator.posterior", encoder_.width(), 2 * code_),
        classes_(parameters_, "generator.classes", code_, styles_),
        embed_(parameters_, "generator.embed", motion_, integer(setup, "model.embed")),
        content_(parameters_, "generator.content", kTimes * integer(setup, "model.embed"),
                 integer(setup, "model.content")),
        in_(parameters_, "generator.in", integer(setup, "model.content"), integer(setup, "model.hidden")),
        middle_(parameters_, "generator.middle", integer(setup, "model.hidden"), integer(setup, "model.hidden")),
        out_(parameters_, "generator.out", integer(setup, "model.hidden"), width_),
        film_in_(parameters_, "generator.film_in", code_, integer(setup, "model.hidden")),
        film_out_(parameters_, "generator.film_out", code_, integer(setup, "model.hidden")),
        cell_(parameters_, "generator.cell", integer(setup, "model.hidden"), integer(setup, "model.hidden"),
              setup.config.get<std::string>("model.recurrent") == "lstm"),
        poses_{parameters_, "critic.windows", "critic.score", setup, motion_, styles_, contents_},
        dynamics_{parameters_, "critic.dynamics", "critic.dynamics_score", setup, motion_, styles_, contents_},
        removal_(parameters_, "critic.removal", {2 * integer(setup, "model.content"), 64, styles_}, Activation::kSilu),
        moments_(parameters_.buffer("moments", at::zeros({styles_ * contents_, 2 * motion_}, setup.options))),
        moments_seen_(parameters_.buffer("moments_seen", at::zeros({styles_ * contents_, 1}, setup.options))),
        ones_(at::ones({integer(setup, "model.content")}, setup.options)) {
    const Sizes feet = setup.config.get<Sizes>("model.feet");
    if (!chain_.empty()) feet_ = at::tensor(feet).to(setup.options.device());
    const Sizes hands = setup.config.get<Sizes>("model.hands");
    if (!hands.empty()) hands_ = at::tensor(hands).to(setup.options.device());
    // As in Style-ERD (Tao et al., 2022): the style is a known label, and each adds a recurrent layer of its own.
    if (setup.config.get<std::string>("model.recurrent") == "per_style")
      for (std::int64_t i = 0; i < styles_; ++i)
        of_styles_.emplace_back(parameters_, "generator.cell_" + std::to_string(i), integer(setup, "model.hidden"),
                                integer(setup, "model.hidden"), false);
  }

  Posterior style(const at::Tensor& x) const {
    const at::Tensor both = posterior_(encoder_(x.narrow(2, 0, motion_))), mean = both.narrow(1, 0, code_);
    return {of_styles_.empty() ? mean : at::softmax(mean, 1), both.narrow(1, code_, code_)};
  }
  // The code that a window of this style is decoded with.
  at::Tensor code_for(const Posterior& z, const at::Tensor& style) const {
    return of_styles_.empty() ? drawn(z) : at::one_hot(style, styles_).to(z.mean.dtype());
  }
  at::Tensor drawn(const Posterior& z) const {
    return training ? z.mean + at::randn_like(z.mean) * (0.5 * z.log_variance.clamp(-8, 4)).exp() : z.mean;
  }
  at::Tensor first(const at::Tensor& x) const { return at::silu(embed_(x.narrow(2, 0, motion_))); }
  // Rows of the first layer of kTimes frames, oldest first -> content.
  at::Tensor code_of(const at::Tensor& rows) const {
    return at::layer_norm(content_(rows), ones_.sizes(), {}, {}, 1e-5);
  }
  // Causal: frames before the first are zeros after the first layer, as a stream begins.
  at::Tensor content(const at::Tensor& x) const {
    const at::Tensor rows = at::constant_pad_nd(first(x), {0, 0, kTimes - 1, 0});
    std::vector<at::Tensor> shifted;
    for (std::int64_t i = 0; i < kTimes; ++i) shifted.push_back(rows.narrow(1, i, x.size(1)));
    return code_of(at::cat(shifted, 2));
  }
  at::Tensor decode(const at::Tensor& content, const at::Tensor& z, std::vector<at::Tensor>* states = nullptr) const {
    std::vector<at::Tensor> own;
    const at::Tensor h = cells(at::silu(film_in_(in_(content), z)).contiguous(), z, states != nullptr ? *states : own);
    return out_(at::silu(film_out_(middle_(h), z)));
  }
  // The cell, and those of the styles by their parts of z. Their states are side by side.
  at::Tensor cells(const at::Tensor& x, const at::Tensor& z, std::vector<at::Tensor>& states) const {
    if (of_styles_.empty()) return cell_(x, states, training);
    const std::int64_t hidden = cell_.w_state.size(1);
    at::Tensor sum;
    std::vector<at::Tensor> after;
    for (std::size_t i = 0; i <= of_styles_.size(); ++i) {
      std::vector<at::Tensor> own;
      if (!states.empty()) own = {states[0].narrow(1, static_cast<std::int64_t>(i) * hidden, hidden)};
      const at::Tensor h = (i == 0 ? cell_ : of_styles_[i - 1])(x, own, training);
      after.push_back(own[0]);
      sum = i == 0 ? h : sum + z.narrow(1, static_cast<std::int64_t>(i) - 1, 1).unsqueeze(1) * h;
    }
    states = {at::cat(after, 1)};
    return sum;
  }
  int build_cells(GraphBuilder& b, int x, int z, std::vector<int>& states) const {
    if (of_styles_.empty()) return cell_.build(b, x, states);
    const std::size_t hidden = static_cast<std::size_t>(cell_.w_state.size(1)), count = of_styles_.size();
    const auto part = [&](int value, std::size_t i) {
      return b.slice(value, static_cast<int>(i * hidden), static_cast<int>((i + 1) * hidden));
    };
    std::vector<float> spread(count * hidden * count, 0.0F);  // Each part of z, for all units of its cell.
    for (std::size_t i = 0; i < count * hidden; ++i) spread[i * count + i / hidden] = 1;
    const int parts = b.linear(z, "generator.parts", {count * hidden, count}, spread, {});
    std::vector<int> after;
    int sum = -1;
    for (std::size_t i = 0; i <= count; ++i) {
      std::vector<int> own{part(states[0], i)};
      const int h = (i == 0 ? cell_ : of_styles_[i - 1]).build(b, x, own);
      after.push_back(own[0]);
      sum = i == 0 ? h : b.add(sum, b.multiply(part(parts, i - 1), h));
    }
    states = {b.concat(after)};
    return sum;
  }

  at::Tensor source_of(const Batch& batch) const { return batch[0].narrow(2, 0, width_); }
  // What the source is with the style of label's third column; without pairs the source itself.
  at::Tensor goal_of(const Batch& batch) const { return pairs_ ? batch[0].narrow(2, width_, width_) : batch[0]; }
  // Labels [batch] of a batch: style, content, style of the goal.
  static at::Tensor label_of(const Batch& batch, std::int64_t column) {
    return batch[1].select(1, 0).select(1, column).to(at::kLong);
  }
  static Labels labels_of(const Batch& batch) { return {label_of(batch, 1), label_of(batch, 0)}; }
  at::Tensor cell(const at::Tensor& content, const at::Tensor& style) const { return content * styles_ + style; }

  // A random order. By a sort: randperm() may copy to the host, which no recorded graph allows.
  at::Tensor shuffled(std::int64_t n) const { return at::rand({n}, x_.mean.options()).argsort(); }
  // For each window another window of its style, or itself.
  at::Tensor partners(const at::Tensor& style) const {
    const std::int64_t n = style.size(0);
    const at::Tensor same = style.unsqueeze(0).eq(style.unsqueeze(1));
    const at::Tensor other = at::rand({n, n}, x_.mean.options()).masked_fill(same.logical_not(), -1).argmax(1);
    const at::Tensor own = at::rand({n}, x_.mean.options()).lt(own_style_);
    return at::where(own, at::arange(n, style.options()), other);
  }

  static at::Tensor mean_and_deviation(const at::Tensor& x) {
    const at::Tensor mean = x.mean(1), variance = x.square().mean(1) - mean.square();
    return at::cat({mean, (variance + 1e-4).clamp_min(1e-6).sqrt()}, 1);
  }
  // Poses with their changes; and changes with the changes of these, which no offset of a pose passes.
  // own: of the batch's real windows, the pairs that exist.
  Scores scores(const at::Tensor& x, const Labels& labels, const Labels& own) const {
    const at::Tensor motion = x.narrow(2, 0, motion_), change = step_change(motion);
    const std::int64_t steps = change.size(1);
    const at::Tensor cells = cell(labels.content, labels.style);
    const at::Tensor here = cell(own.content, own.style);
    const at::Tensor seen =
        moments_seen_.squeeze(1).index_add(0, here, at::ones(here.sizes(), moments_seen_.options()));
    const at::Tensor known = seen.index_select(0, cells).gt(0).to(x.dtype());
    return {poses_(at::cat({motion.narrow(1, 1, steps), kStyleChange * change}, 2), labels.style, cells, known),
            dynamics_(at::cat({kStyleChange * change.narrow(1, 1, steps - 1), kStyleSecond * step_change(change)}, 2),
                      labels.style, cells, known)};
  }
  // Real windows with a label that is not theirs: the critic learns what the labels mean.
  at::Tensor mismatch_loss(const at::Tensor& x, const Labels& own, const Labels& other) const {
    const at::Tensor wrong = cell(own.content, own.style).ne(cell(other.content, other.style)).to(x.dtype());
    const Scores found = scores(x, other, own);
    const auto above = [&](const at::Tensor& score) {
      return adversarial_ == AdversarialLoss::kHinge ? at::relu(1 + score) : at::softplus(score);
    };
    return (wrong * (above(found.poses) + above(found.dynamics))).mean();
  }

  // The generator's loss of each window, see generator_loss().
  at::Tensor fooling(const at::Tensor& score) const {
    return adversarial_ == AdversarialLoss::kHinge ? -score : at::softplus(-score);
  }

  Losses generator_loss_of(const Batch& batch) {
    const at::Tensor source = source_of(batch), goal = goal_of(batch), x = x_.apply(source);
    const Labels labels = labels_of(batch);
    const at::Tensor goal_style = pairs_ ? label_of(batch, 2) : labels.style;
    Posterior z = style(x);
    z.log_variance = z.log_variance.clamp(-8, 4);  // One window must not outweigh all others.
    const at::Tensor drawn_z = code_for(z, labels.style), code = content(x), y = pairs_ ? x_.apply(goal) : x;
    const at::Tensor drawn_goal = pairs_ ? code_for(style(y), goal_style) : drawn_z;
    const at::Tensor swap = shuffled(x.size(0));
    const at::Tensor target = drawn_z.index_select(0, swap);
    // Both in one batch: a recurrent cell costs by its steps.
    const at::Tensor both =
        decode(at::cat({code, code}), at::cat({drawn_goal.index_select(0, partners(goal_style)), target}));
    const at::Tensor rebuilt = both.narrow(0, 0, x.size(0)), made = both.narrow(0, x.size(0), x.size(0));
    const at::Tensor motion = x.narrow(2, 0, motion_);
    std::vector<LossTerm> terms{{"rows", mean_error(rebuilt.narrow(2, 0, motion_), y.narrow(2, 0, motion_))}};
    const at::Tensor divergence = -0.5 * (1 + z.log_variance - z.mean.square() - z.log_variance.exp()).sum(1).mean();
    terms.push_back({"divergence", divergence, 0.002});
    terms.push_back({"style_class", class_loss(z, drawn_z, labels.style), 0.3});
    const at::Tensor doubt = -at::log_softmax(removal_(mean_and_deviation(code), training), 1).mean();
    terms.push_back({"confusion", doubt, 0.1});
    if (pairs_) terms.push_back({"pair_content", mean_error(content(y), code), 0.5});

    const Labels wanted{labels.content, labels.style.index_select(0, swap)};
    const at::Tensor cells = cell(wanted.content, wanted.style);
    const at::Tensor made_motion = made.narrow(2, 0, motion_);
    const Scores score = scores(made, wanted, labels);
    const at::Tensor known = moments_seen_.index_select(0, cells).gt(0).to(x.dtype());
    // A critic that knows a style only from walks must not make walks of all.
    const at::Tensor trust = unknown_pair_ + (1 - unknown_pair_) * known.squeeze(1);
    terms.push_back({"adversarial", (trust * fooling(score.poses)).mean(), 0.1});
    terms.push_back({"adversarial_dynamics", (trust * fooling(score.dynamics)).mean(), 0.1});
    terms.push_back(
        {"moments", (known * (mean_and_deviation(made_motion) - moments_.index_select(0, cells)).abs()).mean(), 0.3});
    terms.push_back({"content_cycle", mean_error(content(made), code), 0.5});
    const Posterior again = style(made);
    terms.push_back({"style_cycle", mean_error(again.mean, target), 0.25});
    // Two windows of one style are one style.
    const at::Tensor mate = z.mean.index_select(0, partners(labels.style));
    terms.push_back({"same_style", (mate - z.mean).square().mean(), 0.02});
    terms.push_back({"smooth", step_change(step_change(made_motion)).abs().mean(), 0.1});
    if (contacts_ > 0)
      terms.push_back(
          {"contacts", mean_error(rebuilt.narrow(2, motion_, contacts_), y.narrow(2, motion_, contacts_)), 0.3});
    LoggedValues values;
    if (!chain_.empty()) add_pose_terms(goal, x_.undo(rebuilt), x_.undo(made), terms, values);
    remember(motion.detach(), cell(labels.content, labels.style));
    return total(std::move(terms), std::move(values));
  }

  void add_pose_terms(const at::Tensor& real, const at::Tensor& rebuilt, const at::Tensor& made,
                      std::vector<LossTerm>& terms, LoggedValues& values) const {
    const at::Tensor at_real = chain_.positions(real), at_rebuilt = chain_.positions(rebuilt);
    const at::Tensor position = mean_error(at_rebuilt, at_real);
    terms.push_back({"position", position, 8});
    terms.push_back({"velocity", fps_ * mean_error(step_change(at_rebuilt), step_change(at_real)), 0.5});
    values.emplace_back("position_leg", (at_rebuilt - at_real).square().sum(3).sqrt().mean().detach());
    // A foot in contact of the content does not slide, whatever the style.
    const at::Tensor touching = real.narrow(2, motion_, contacts_);
    const at::Tensor held = touching.narrow(1, 1, real.size(1) - 1) * touching.narrow(1, 0, real.size(1) - 1);
    const at::Tensor at_made = chain_.positions(made);
    const at::Tensor slide = held * chain_.ground_speeds(made, at_made, feet_, fps_);
    const at::Tensor slide_rebuilt = held * chain_.ground_speeds(rebuilt, at_rebuilt, feet_, fps_);
    at::Tensor timing = RoleChain::timing_error(at_made, at_real, feet_, kFeetTiming);
    if (hands_.defined()) timing = timing + 0.5 * RoleChain::timing_error(at_made, at_real, hands_, kHandsTiming);
    terms.push_back({"timing", timing, 0.5});
    terms.push_back({"skate", 0.5 * (slide.mean() + slide_rebuilt.mean()), 0.3});
  }

  // Where codes are labels, the encoder's probabilities are those of the classes.
  at::Tensor class_loss(const Posterior& z, const at::Tensor& drawn_z, const at::Tensor& label) const {
    if (of_styles_.empty()) return at::cross_entropy_loss(classes_(drawn_z), label);
    return -(z.mean + 1e-6).log().gather(1, label.unsqueeze(1)).mean();
  }

  // Sums of a batch for after_step(): [cells, 1 + 2 motion]; the count first.
  void remember(const at::Tensor& motion, const at::Tensor& cells) {
    const at::Tensor rows = at::cat({at::ones({motion.size(0), 1}, motion.options()), mean_and_deviation(motion)}, 1);
    seen_sums_ = at::zeros({moments_.size(0), rows.size(1)}, rows.options()).index_add(0, cells, rows).detach();
  }

  Losses critic_loss_of(const Batch& batch) {
    const at::Tensor x = x_.apply(source_of(batch));
    const Labels own = labels_of(batch);
    const at::Tensor swap = shuffled(x.size(0));
    at::Tensor code, made;
    {
      const c10::NoGradGuard no_gradients;  // The generator is fixed here.
      code = content(x);
      made = decode(code, code_for(style(x), own.style).index_select(0, swap));
    }
    const Labels wanted{own.content, own.style.index_select(0, swap)};
    const Labels of_another{own.content.index_select(0, swap), own.style};
    const Scores real = scores(x, own, own), generated = scores(made, wanted, own);
    std::vector<LossTerm> terms{{"discrimination", critic_loss(adversarial_, real.poses, generated.poses) +
                                                       critic_loss(adversarial_, real.dynamics, generated.dynamics)}};
    terms.push_back({"mismatch", mismatch_loss(x, own, wanted) + mismatch_loss(x, own, of_another), 0.25});
    terms.push_back({"removal", at::cross_entropy_loss(removal_(mean_and_deviation(code), training), own.style), 1});
    if (penalty_ > 0) {
      const Critic critic = [&](const at::Tensor& at) {
        const Scores found = scores(at, own, own);
        return found.poses + found.dynamics;
      };
      terms.push_back({"penalty", r1_penalty(critic, x), penalty_});
    }
    const at::Tensor guessed =
        removal_(mean_and_deviation(code), false).argmax(1).eq(own.style).to(x.dtype()).mean().detach();
    return total(std::move(terms), {{"real_score", real.poses.mean().detach()},
                                    {"made_score", generated.poses.mean().detach()},
                                    {"style_in_content", guessed}});
  }

  bool pairs_;
  std::int64_t width_, contacts_, motion_, styles_, code_, contents_;
  int steps_;
  double fps_, own_style_, unknown_pair_, penalty_;
  AdversarialLoss adversarial_;
  RoleChain chain_;
  Normaliser x_;
  WindowNet encoder_;
  Linear posterior_, classes_, embed_, content_, in_, middle_, out_;
  StyleFilm film_in_, film_out_;
  Recurrent cell_;
  std::vector<Recurrent> of_styles_;
  View poses_, dynamics_;
  Mlp removal_;
  at::Tensor moments_, moments_seen_, ones_, feet_, hands_;
  at::Tensor seen_sums_;  // Kept: a recorded step fills it again.
};

// A window to the probabilities of a label.
class Classifier final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[0].steps < 8) return Error{ErrorCode::kInvalid, "this model needs windows of 8 steps at least"};
    if (integer(setup, "model.label") > setup.fields[1].width)
      return Error{ErrorCode::kUsage, "model.label must be the number of a column of label, from 1"};
    return std::unique_ptr<Model>(new Classifier(setup));
  }
  Losses loss(const Batch& batch) override {
    const at::Tensor label = batch[1].select(1, 0).select(1, label_ - 1).to(at::kLong);
    at::Tensor code = windows_(x_.apply(batch[0]));
    if (training && dropout_ > 0) code = at::dropout(code, dropout_, true);
    const at::Tensor logits = out_(code);
    return {at::cross_entropy_loss(logits, label, {}, 1, -100, smoothing_),
            {{"accuracy", logits.argmax(1).eq(label).to(logits.dtype()).mean().detach()}}};
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor code = windows_(x_.apply(inputs[0]));
    return {out_(code).unsqueeze(1), code.unsqueeze(1)};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int code = windows_.build(b, x_.build_apply(b, b.input("x", field_.width, field_.steps)));
    b.output("logits", out_.build(b, code));
    b.output("code", code);
    return std::move(b).build();
  }
  static void add_keys(ConfigSchema& schema) {
    schema.add("model.label", 1, "column of the field label, from 1")
        .add("model.classes", 2, "values of the label")
        .add("model.channels", 96, "channels of the convolutions")
        .add("model.dropout", 0.2)
        .add("model.smoothing", 0.0, "part of the target that is spread over all classes");
  }

 private:
  explicit Classifier(const ModelSetup& setup)
      : Model(setup),
        field_(setup.fields[0]),
        label_(integer(setup, "model.label")),
        dropout_(setup.config.get<double>("model.dropout")),
        smoothing_(setup.config.get<double>("model.smoothing")),
        x_(floored_normaliser(parameters_, setup, field_.width)),
        windows_(parameters_, "windows", field_.width, integer(setup, "model.channels"), 3, false),
        out_(parameters_, "out", windows_.width(), integer(setup, "model.classes")) {}

  Field field_;
  std::int64_t label_;
  double dropout_, smoothing_;
  Normaliser x_;
  WindowNet windows_;
  Linear out_;
};

}  // namespace

std::vector<ModelInfo> style_models() {
  return {
      {"style",
       "a window of motion to its content and its style, and back with any style",
       {"x", "label"},
       ToyKind::kStyled,
       StyleModel::add_keys,
       StyleModel::create},
      {"classifier",
       "a window of motion to the probabilities of its label",
       {"x", "label"},
       ToyKind::kStyled,
       Classifier::add_keys,
       Classifier::create},
  };
}

}  // namespace zoe::train
