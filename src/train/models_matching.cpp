// SPDX-License-Identifier: MIT
// Learned motion matching (Holden et al. 2020): lmm_decompressor, lmm_stepper, lmm_projector. A frame is its features x
// and a code z for what x does not determine; both together are the state s. The compressor computes z of a frame, the
// decompressor its pose y. The stepper advances to the next frame's state. The projector maps query features to the
// state of the nearest frame. All errors are absolute (L1), as published.
#include "train/models.h"

namespace zoe::train {
namespace {

constexpr double kChangeFactor = 10;  // Factor that makes changes from frame to frame about as large as values.

using Sizes = std::vector<std::int64_t>;

Sizes widths(std::int64_t in, const Config& config, const char* key, std::int64_t out) {
  Sizes all{in};
  for (const std::int64_t width : config.get<Sizes>(key)) all.push_back(width);
  all.push_back(out);
  return all;
}

at::Tensor l1(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().mean(); }
// From each step to the next.
at::Tensor change(const at::Tensor& x) { return x.diff(1, 1); }

int times(GraphBuilder& b, int x, const std::string& name, double factor) {
  const int width = b.shape(x).width;
  const std::vector<float> factors(static_cast<std::size_t>(width), static_cast<float>(factor));
  return b.multiply(x, b.constant(name, 1, width, factors));
}

// Columns of a pose: the root's step (3), nine of each joint (position, z axis, y axis, in root space), contacts.
// Errors are of positions that follow from axes along the bones, which will be displayed.
class BoneChain {
 public:
  // above: [joints] index of the joint above in this list, plus one; 0: placed by its own numbers.
  static Result<BoneChain> create(const Sizes& above, int width, at::TensorOptions options) {
    const auto joints = static_cast<std::int64_t>(above.size());
    if (joints > 0 && width < 3 + 9 * joints)
      return Error{ErrorCode::kUsage, "model.chain has more joints than y has columns for"};
    at::Tensor parents = at::zeros({joints}, at::kLong), tops = at::zeros({joints}), sums = at::zeros({joints, joints});
    for (std::int64_t j = 0; j < joints; ++j) {
      const std::int64_t parent = above[static_cast<std::size_t>(j)] - 1;
      if (parent < -1 || parent >= j) return Error{ErrorCode::kUsage, "model.chain must name joints that come before"};
      parents[j] = std::max<std::int64_t>(parent, 0);
      tops[j] = parent < 0 ? 1 : 0;
      if (parent >= 0) sums[j] = sums[parent];
      sums[j][j] = 1;
    }
    BoneChain chain;
    chain.joints_ = joints;
    chain.parents_ = parents.to(options.device());
    chain.tops_ = tops.to(options).view({joints, 1});
    chain.sums_ = sums.to(options);
    return chain;
  }

  bool empty() const { return joints_ == 0; }
  at::Tensor root_step(const at::Tensor& y) const { return y.narrow(2, 0, 3); }
  at::Tensor contacts(const at::Tensor& y) const { return y.narrow(2, 3 + 9 * joints_, y.size(2) - 3 - 9 * joints_); }
  // [batch, steps, joints, 9]
  at::Tensor of_joints(const at::Tensor& y) const {
    return y.narrow(2, 3, 9 * joints_).view({y.size(0), y.size(1), joints_, 9});
  }
  // Positions [batch, steps, joints, 3] from the axes of `made` and the bones of `real`.
  at::Tensor places(const at::Tensor& made, const at::Tensor& real) const {
    const at::Tensor axes = rotations(made).index_select(2, parents_);
    const at::Tensor place = real.narrow(3, 0, 3);
    const at::Tensor bone = rotations(real)
                                .index_select(2, parents_)
                                .transpose(3, 4)
                                .matmul((place - place.index_select(2, parents_)).unsqueeze(4));
    const at::Tensor step = tops_ * made.narrow(3, 0, 3) + (1 - tops_) * axes.matmul(bone).squeeze(4);
    return at::matmul(sums_, step);
  }

 private:
  // Orthonormal columns x, y, z: z is kept, y is in the plane of both.
  static at::Tensor rotations(const at::Tensor& joints) {
    const auto unit = [](const at::Tensor& v) { return v / (v.square().sum(-1, true) + 1e-12).sqrt(); };
    const at::Tensor z = unit(joints.narrow(3, 3, 3));
    const at::Tensor x = unit(at::linalg_cross(joints.narrow(3, 6, 3), z));
    return at::stack({x, at::linalg_cross(z, x), z}, 4);
  }

  std::int64_t joints_ = 0;
  at::Tensor parents_, tops_, sums_;  // sums_: [joints, joints] The bones that lead to a joint.
};

class LmmDecompressor final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[1].steps < 2 || setup.fields[0].steps != setup.fields[1].steps)
      return Error{ErrorCode::kUsage, "lmm_decompressor needs windows of at least two frames"};
    ZOE_TRY_ASSIGN(BoneChain chain,
                   BoneChain::create(setup.config.get<Sizes>("model.chain"), setup.fields[1].width, setup.options));
    return std::unique_ptr<Model>(new LmmDecompressor(setup, std::move(chain)));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor all = y_.apply(batch[1]), real = without_first(all);
    const at::Tensor z = compress(all);
    const at::Tensor made = decompress(without_first(batch[0]), z);
    const at::Tensor code = 0.1 * z.abs().mean() + 0.1 * z.square().mean() + 0.01 * fps_ * change(z).abs().mean();
    if (chain_.empty()) {
      const at::Tensor pose = l1(made, real), motion = kChangeFactor * l1(change(made), change(real));
      return total({{"pose", pose}, {"motion", motion, 0.2}, {"code", code}});
    }
    const at::Tensor y = y_.undo(made), wanted = without_first(batch[1]);
    const at::Tensor joints = chain_.of_joints(y), real_joints = chain_.of_joints(wanted);
    const at::Tensor places = chain_.places(joints, real_joints), real_places = real_joints.narrow(3, 0, 3);
    const at::Tensor axes = joints.narrow(3, 3, 6), real_axes = real_joints.narrow(3, 3, 6);
    // Metres, and metres per second.
    const at::Tensor place = l1(places, real_places), speed = fps_ * l1(change(places), change(real_places));
    const at::Tensor axis = l1(axes, real_axes), turn = fps_ * l1(change(axes), change(real_axes));
    const at::Tensor root = fps_ * l1(chain_.root_step(y), chain_.root_step(wanted));
    const at::Tensor contact = l1(chain_.contacts(y), chain_.contacts(wanted));
    return total({{"local_place", l1(joints.narrow(3, 0, 3), real_places), 15},
                  {"place", place, 75},
                  {"axis", axis, 10},
                  {"speed", speed, 4},
                  {"turn", turn, 2.5},
                  {"root", root, 2},
                  {"contact", contact, 2},
                  {"code", code}},
                 {{"place_cm", 100 * place}, {"speed_cm_s", 100 * speed}, {"root_cm_s", 100 * root}});
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const std::int64_t x = x_.mean.size(0);
    return {y_.undo(decompress(inputs[0].narrow(2, 0, x), inputs[0].narrow(2, x, code_)))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = static_cast<int>(x_.mean.size(0)), code = static_cast<int>(code_);
    const int s = b.input("s", x + code);
    const int in = b.concat({x_.build_apply(b, b.slice(s, 0, x)), b.slice(s, x, x + code)});
    b.output("y", y_.build_undo(b, decompressor_.build(b, in)));
    return std::move(b).build();
  }

  bool has_encoder() const override { return true; }
  std::vector<at::Tensor> encode(const std::vector<at::Tensor>& inputs) override {
    return {compress(y_.apply(inputs[0]))};
  }
  // From a frame and the one before it, [2, width], to the frame's code.
  Result<nn::Graph> encoder_graph() override {
    GraphBuilder b;
    const int width = static_cast<int>(y_.mean.size(0));
    const int both = b.reshape(y_.build_apply(b, b.input("y", width, 2)), 1, 2 * width);
    const int now = b.slice(both, width, 2 * width);
    const int rate = times(b, b.subtract(now, b.slice(both, 0, width)), "rate", kChangeFactor);
    b.output("z", compressor_.build(b, b.concat({now, rate})));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", Sizes{512}, "widths of the decompressor's hidden layers")
        .add("model.compressor_hidden", Sizes{512, 512, 512}, "the same of the compressor")
        .add("model.code", 32, "numbers of a frame's code")
        .add("model.fps", 60.0, "frames a second")
        .add("model.chain", Sizes{}, "[joints] which joint of y is above each, plus one; 0: none; empty: y is no pose");
    add_loss_keys(schema,
                  {"pose", "motion", "code", "local_place", "place", "axis", "speed", "turn", "root", "contact"});
  }

 private:
  LmmDecompressor(const ModelSetup& setup, BoneChain chain)
      : Model(setup),
        code_(setup.config.get<std::int64_t>("model.code")),
        fps_(setup.config.get<double>("model.fps")),
        chain_(std::move(chain)),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        compressor_(parameters_, "compressor",
                    widths(2 * setup.fields[1].width, setup.config, "model.compressor_hidden", code_),
                    Activation::kElu),
        decompressor_(parameters_, "decompressor",
                      widths(setup.fields[0].width + code_, setup.config, "model.hidden", setup.fields[1].width),
                      Activation::kRelu) {}

  static at::Tensor without_first(const at::Tensor& x) { return x.narrow(1, 1, x.size(1) - 1); }
  // y normalised, [batch, steps, width] -> [batch, steps - 1, code].
  at::Tensor compress(const at::Tensor& y) const {
    return compressor_(at::cat({without_first(y), kChangeFactor * change(y)}, 2), training);
  }
  at::Tensor decompress(const at::Tensor& x, const at::Tensor& z) const {
    return decompressor_(at::cat({x_.apply(x), z}, 2), training);
  }

  std::int64_t code_;
  double fps_;
  BoneChain chain_;
  Normaliser x_, y_;
  Mlp compressor_, decompressor_;
};

// s [steps, width] of consecutive frames. Only the first is an input.
class LmmStepper final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[0].steps < 2) return Error{ErrorCode::kUsage, "lmm_stepper needs windows of at least two frames"};
    return std::unique_ptr<Model>(new LmmStepper(setup));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor real = s_.apply(batch[0]);
    at::Tensor s = real.narrow(1, 0, 1);
    std::vector<at::Tensor> made{s};
    // The model must correct a slightly wrong state.
    if (training && noise_ > 0) s = s + noise_ * at::randn_like(s);
    for (std::int64_t step = 1; step < real.size(1); ++step) made.push_back(s = next(s));
    const at::Tensor all = at::cat(made, 1);
    const at::Tensor state = l1(all, real), motion = kChangeFactor * l1(change(all), change(real));
    const std::int64_t last = real.size(1) - 1;
    return total({{"state", state}, {"motion", motion, 0.2}},
                 {{"last_state", l1(all.narrow(1, last, 1), real.narrow(1, last, 1))}});
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {s_.undo(next(s_.apply(inputs[0])))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int s = s_.build_apply(b, b.input("s", static_cast<int>(s_.mean.size(0))));
    const int step = times(b, net_.build(b, s), "step", 1 / kChangeFactor);
    b.output("s", b.denormalize(b.add(s, step), s_.name, {}, {}));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", Sizes{512, 512}, "widths of the hidden layers")
        .add("model.noise", 0.0, "on the first state, in deviations");
    add_loss_keys(schema, {"state", "motion"});
  }

 private:
  explicit LmmStepper(const ModelSetup& setup)
      : Model(setup),
        noise_(setup.config.get<double>("model.noise")),
        s_(normaliser(parameters_, setup, 0)),
        net_(parameters_, "net", widths(setup.fields[0].width, setup.config, "model.hidden", setup.fields[0].width),
             Activation::kRelu) {}
  at::Tensor next(const at::Tensor& s) const { return s + (1 / kChangeFactor) * net_(s, training); }

  double noise_;
  Normaliser s_;
  Mlp net_;
};

// From desired features x to the state y of the nearest frame, whose first columns are its features.
class LmmProjector final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[1].width < setup.fields[0].width)
      return Error{ErrorCode::kUsage, "lmm_projector: a state has at least the features"};
    return std::unique_ptr<Model>(new LmmProjector(setup));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor made = net_(x_.apply(batch[0]), training);
    const at::Tensor state = l1(made, y_.apply(batch[1]));
    // The distance of the result from the query must be right as well, otherwise all results would be means.
    const at::Tensor way = l1(distance(y_.undo(made), batch[0]), distance(batch[1], batch[0]));
    return total({{"state", state}, {"distance", way, 0.3}});
  }
  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    return {y_.undo(net_(x_.apply(inputs[0]), training))};
  }
  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = x_.build_apply(b, b.input("x", static_cast<int>(x_.mean.size(0))));
    b.output("s", y_.build_undo(b, net_.build(b, x)));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.hidden", Sizes{512, 512, 512, 512}, "widths of the hidden layers");
    add_loss_keys(schema, {"state", "distance"});
  }

 private:
  explicit LmmProjector(const ModelSetup& setup)
      : Model(setup),
        x_(normaliser(parameters_, setup, 0)),
        y_(normaliser(parameters_, setup, 1)),
        net_(parameters_, "net", widths(setup.fields[0].width, setup.config, "model.hidden", setup.fields[1].width),
             Activation::kRelu) {}
  static at::Tensor distance(const at::Tensor& s, const at::Tensor& x) {
    return ((s.narrow(2, 0, x.size(2)) - x).square().sum(2) + 1e-8).sqrt();
  }

  Normaliser x_, y_;
  Mlp net_;
};

}  // namespace

std::vector<ModelInfo> matching_models() {
  return {
      {"lmm_decompressor",
       "learned motion matching: features x and a code to the pose y, and y to its code",
       {"x", "y"},
       ToyKind::kFilter,
       LmmDecompressor::add_keys,
       LmmDecompressor::create},
      {"lmm_stepper",
       "learned motion matching: a frame's state to the next one's",
       {"x"},
       ToyKind::kOrbit,
       LmmStepper::add_keys,
       LmmStepper::create},
      {"lmm_projector",
       "learned motion matching: query features x to the state y of the nearest frame",
       {"x", "y"},
       ToyKind::kVector,
       LmmProjector::add_keys,
       LmmProjector::create},
  };
}

}  // namespace zoe::train
