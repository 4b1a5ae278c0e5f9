// SPDX-License-Identifier: MIT
// Motion of any skeleton from noise: anytop. One model for all modes: training drops the action, and reveals past
// frames, both ends, key frames, joints or the path of the root, each in a part of the samples.
#include <cmath>
#include <cstdio>

#include "zoe/nn/denoiser.h"

#include "train/generative/body_kinematics.h"
#include "train/generative/process.h"
#include "train/generative/sampling_time.h"
#include "train/generative/skeletal_init.h"
#include "train/generative/skeletal_teacher.h"
#include "train/models.h"
#include "train/step_graph.h"

namespace zoe::train {
namespace {

// Columns of a token: position, rotation (two axes), velocity, contact; see features/body_tokens.h.
constexpr std::int64_t kGroupEnds[] = {3, 9, 12, 13};
constexpr std::int64_t kMotionWidth = 13, kBodyColumns = 19, kNameColumns = 256, kWordColumns = 48, kClasses = 13;
constexpr int kTimedSteps = 4;  // Of a sampler whose time is measured, unless the model was distilled to others.
constexpr std::int64_t kRoleColumns = 8, kLeafColumn = 18;  // The first role, and the role "leaf", of a body.

// [.., groups] -> [.., token]: each number has the value of its group.
at::Tensor spread_groups(const at::Tensor& groups, std::int64_t token) {
  if (groups.size(-1) == 1) return groups.expand({groups.size(0), groups.size(1), groups.size(2), token});
  std::vector<at::Tensor> parts;
  std::int64_t begin = 0;
  for (std::int64_t g = 0; g < 4; ++g) {
    std::vector<std::int64_t> shape = groups.sizes().vec();
    shape.back() = kGroupEnds[g] - begin;
    parts.push_back(groups.narrow(-1, g, 1).expand(shape));
    begin = kGroupEnds[g];
  }
  return at::cat(parts, -1);
}

class AnytopModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    if (setup.fields[0].rows != Rows::kTokens)
      return Error{ErrorCode::kInvalid, "this model needs ragged data: a value for each joint of each frame"};
    if (setup.fields.size() != 2 && setup.fields.size() != 6)
      return Error{ErrorCode::kInvalid, "this model needs the fields body, names, relation and words, or none of them"};
    SkeletalSizes sizes{.token = setup.fields[0].width};
    sizes.groups = sizes.token == kMotionWidth ? 4 : 1;
    sizes.body = kBodyColumns, sizes.names = kNameColumns, sizes.words = kWordColumns, sizes.classes = kClasses;
    sizes.width = integer(setup, "model.width");
    sizes.heads = integer(setup, "model.heads");
    sizes.blocks = integer(setup, "model.blocks");
    if (sizes.width < 4 || sizes.heads < 1 || sizes.width % sizes.heads != 0 || sizes.width % 2 != 0)
      return Error{ErrorCode::kUsage, "model.width must be even and divide evenly by model.heads"};
    nn::NoiseProcessOptions options{.prediction = nn::Prediction::kData};
    options.levels = static_cast<int>(integer(setup, "model.levels"));
    ZOE_TRY_ASSIGN(options.schedule, nn::parse_noise_schedule(setup.config.get<std::string>("model.schedule")));
    options.shift = options.schedule == nn::NoiseSchedule::kFlow ? setup.config.get<double>("model.shift") : 1;
    ZOE_TRY_ASSIGN(nn::NoiseProcess numbers, nn::NoiseProcess::create(options));
    std::unique_ptr<AnytopModel> model(new AnytopModel(setup, sizes, std::move(numbers)));
    if (const auto& file = setup.config.get<std::string>("model.init"); !file.empty()) {
      ZOE_TRY(load_skeletal_network(file, model->parameters_, sizes.heads, model->x_.mean, model->x_.spread));
    }
    if (const auto& folder = setup.config.get<std::string>("model.teacher"); !folder.empty()) {
      const auto student = integer(setup, "model.student_steps"), teacher = integer(setup, "model.teacher_steps");
      if (student < 1 || teacher % student != 0 || teacher <= student)
        return Error{ErrorCode::kUsage, "model.teacher_steps must be a multiple of model.student_steps, and larger"};
      ZOE_TRY_ASSIGN(model->teacher_, SkeletalTeacher::load(folder, sizes, model->process_.numbers(),
                                                            {.student = student,
                                                             .teacher = teacher,
                                                             .guidance = setup.config.get<double>("model.guidance")},
                                                            setup.options));
      ZOE_TRY(model->teacher_->copy_to(model->parameters_));
    }
    return std::unique_ptr<Model>(std::move(model));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor data = x_.apply(batch[0]);
    at::Tensor mask = batch[1].squeeze(3);  // [batch, frames, joints]
    SkeletalInput in = input_of(batch, data);
    in.frame_mask = mask.amax(2) > 0.5;
    at::Tensor joint_mask = mask.amax(1);
    if (training) joint_mask = joint_mask * augment(in);
    in.joint_mask = joint_mask > 0.5;
    mask = mask * joint_mask.unsqueeze(1);
    in.known_groups = training ? reveal(mask) : in.known_groups;
    const at::Tensor known = spread_groups(in.known_groups, data.size(3));
    in.known = data * known;
    const at::Tensor noise = training ? at::randn_like(data) : fixed_noise(data);
    SkeletalTeacher::Steps steps;
    if (teacher_) steps = teacher_->steps(data.size(0), training);
    const at::Tensor levels = teacher_ ? steps.from : process_.levels(data.size(0), training);
    in.x = process_.noised(data, noise, levels);
    if (teacher_ && training && own_paths_ > 0) {
      // Samples of a batch are in random order.
      const std::int64_t size = data.size(0), own = std::llround(own_paths_ * static_cast<double>(size));
      in.x = at::cat({teacher_->student_path(process_, net_, in.first(own),
                                             {steps.from.narrow(0, 0, own), steps.to.narrow(0, 0, own)},
                                             noise.narrow(0, 0, own), known.narrow(0, 0, own)),
                      in.x.narrow(0, own, size - own)});
    }
    in.x = in.x + (data - in.x) * known;  // As in sampling: what is known has no noise.
    in.time = process_.time(levels);
    const at::Tensor target = teacher_ ? teacher_->data(process_, in, steps, known) : data;
    const at::Tensor guess = net_(in).prediction;
    const at::Tensor made = guess + (target - guess) * known;
    const auto mean = [](const at::Tensor& values, const at::Tensor& weights) {
      return (values * weights).sum() / weights.sum().clamp_min(1);
    };
    std::vector<LossTerm> terms{{"data", mean((made - target).square().mean(3), mask * token_weights(mask))}};
    if (data.size(3) == kMotionWidth) {
      const at::Tensor contact = mask * (x_.undo(target).select(3, 12) > 0.5).to(mask.scalar_type());
      // The mean of all motions that fit is right where noise hides which one it is. Losses that are no squares have
      // their least value at a median, which is standing still: they count where little is left to decide.
      const at::Tensor sure = teacher_ ? at::ones_like(in.time) : (1 - in.time).square();
      const auto sure_mean = [&](const at::Tensor& values, const at::Tensor& weights) {
        return mean(values * sure.unsqueeze(2), weights);
      };
      add_motion_terms(terms, {made, target, mask, contact, body_chain(in.relations, batch_body(batch, in))},
                       sure_mean);
    }
    return total(std::move(terms));
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const std::int64_t batch = inputs[0].size(0);
    const auto table = [&](const at::Tensor& port) { return port.view({batch, frames_, joints_, -1}); };
    SkeletalInput in;
    in.x = table(inputs[0]), in.known = table(inputs[1]), in.known_groups = table(inputs[2]);
    in.body = inputs[3], in.names = inputs[4];
    in.relations = inputs[5].round().clamp(0, kClasses - 1).to(at::kLong).view({batch, joints_, joints_, 2});
    in.time = inputs[6].flatten(1), in.words = inputs[7].flatten(1);
    const SkeletalNet::Out out = net_(in);
    return {out.prediction.flatten(1, 2), out.joint_codes, out.frame_codes};
  }

  // Motions of the first bodies of the batch by eight steps, with the real ones beside them.
  std::vector<NamedTensor> sample(const Batch& batch) override {
    constexpr int kSteps = 8, kBodies = 4;
    const Result<std::vector<nn::SamplerStage>> stages =
        nn::make_stages(process_.numbers(), {nn::Sampler::kDdim, kSteps});
    if (!stages || batch.size() < 6) return {};
    Batch few;
    for (const at::Tensor& field : batch)
      few.push_back(field.narrow(0, 0, std::min<std::int64_t>(kBodies, field.size(0))));
    SkeletalInput in = input_of(few, few[0]);
    const at::Tensor mask = few[1].squeeze(3);
    in.frame_mask = mask.amax(2) > 0.5, in.joint_mask = mask.amax(1) > 0.5;
    in.known = at::zeros_like(few[0]);
    const auto predict = [&](const at::Tensor& x, const at::Tensor& time) {
      in.x = x, in.time = time;
      return net_(in).prediction;
    };
    const at::Tensor made = train::sample(process_, *stages, predict, fixed_noise(few[0]),
                                          [](const at::Tensor& x) { return at::zeros_like(x); });
    std::vector<NamedTensor> all{{"made", x_.undo(made) * few[1]}, {"real", few[0]}, {"mask", few[1]}};
    all.insert(all.end(), {{"words", few[5]}, {"body", few[2]}});
    if (StepGraph::available(few[0].device()) && few[0].size(3) == kMotionWidth) {
      const int steps = teacher_ ? teacher_->student_steps() : kTimedSteps;
      if (const Result<SamplingTime> time = time_sampling(process_, net_, steps, parameters_.options()))
        all.push_back(
            {"milliseconds", at::tensor({time->recorded_ms, time->launched_ms, time->difference}, at::kFloat)});
    }
    return all;
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    net_.build(b);
    b.set_metadata(nn::kProcessKey, process_.numbers().to_text());
    b.set_metadata("zoe.means", numbers_text(x_.mean));
    b.set_metadata("zoe.spreads", numbers_text(x_.spread));
    if (teacher_) b.set_metadata(nn::kSamplerKey, nn::to_text({nn::Sampler::kDdim, teacher_->student_steps()}));
    ZOE_TRY_ASSIGN(nn::Graph graph, std::move(b).build());
    if (free_) return graph;
    const nn::DimSize sizes[] = {{"frames", static_cast<int>(frames_)}, {"joints", static_cast<int>(joints_)}};
    return nn::bind_dims(graph, sizes);
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.width", 64)
        .add("model.heads", 4)
        .add("model.blocks", 4)
        .add("model.schedule", std::string("flow"), "of the noise: flow, cosine or linear")
        .add("model.levels", 1000, "of noise")
        .add("model.shift", 16.0, "of the levels towards noise (flow only); 1: none")
        .add("model.root_weight", 5.0, "of the hips' numbers, which have the path, among those of all joints")
        .add("model.word_drop", 0.15, "samples that are learnt without their action")
        .add("model.name_drop", 0.2, "samples that are learnt without names of joints")
        .add("model.role_drop", 0.1, "samples that are learnt without roles of joints")
        .add("model.leaf_drop", 0.3, "samples that lose a quarter of their last joints")
        .add("model.reveal", 0.6, "samples with known frames or joints")
        .add("model.path_reveal", 0.3, "samples with a known path of the root")
        .add("model.fps", 30.0, "frames per second of the schema, for velocities of feet")
        .add("model.init", std::string(), "model.safetensors of a trained network of the same sizes to begin with")
        .add("model.teacher", std::string(), "folder of a trained run of this model: distil it into fewer steps")
        .add("model.student_steps", 4, "distillation: steps of the sampler of this model")
        .add("model.teacher_steps", 16, "distillation: steps of the teacher's sampler")
        .add("model.guidance", 1.0, "distillation: of the actions, built into the student")
        .add("model.own_paths", 0.5, "distillation: samples that begin where the student's own steps arrive")
        .add("model.graph_free", true, "the written network takes any number of frames and joints")
        .add("model.graph_frames", 40, "frames of the written network where it does not")
        .add("model.graph_joints", 24, "joints of the written network where it does not");
    add_loss_keys(schema, {"data", "rotation", "velocity", "contact", "place", "planted"});
  }

 private:
  AnytopModel(const ModelSetup& setup, const SkeletalSizes& sizes, nn::NoiseProcess numbers)
      : Model(setup),
        process_(std::move(numbers), nn::LossWeight::kUniform, setup.options),
        free_(setup.config.get<bool>("model.graph_free")),
        frames_(integer(setup, "model.graph_frames")),
        joints_(integer(setup, "model.graph_joints")),
        word_drop_(setup.config.get<double>("model.word_drop")),
        name_drop_(setup.config.get<double>("model.name_drop")),
        role_drop_(setup.config.get<double>("model.role_drop")),
        leaf_drop_(setup.config.get<double>("model.leaf_drop")),
        reveal_(setup.config.get<double>("model.reveal")),
        path_reveal_(setup.config.get<double>("model.path_reveal")),
        own_paths_(setup.config.get<double>("model.own_paths")),
        fps_(setup.config.get<double>("model.fps")),
        root_weight_(setup.config.get<double>("model.root_weight")),
        identity_(at::tensor({1.0, 0.0, 0.0, 0.0, 1.0, 0.0}).to(setup.options)),
        x_(normaliser(parameters_, setup, 0)),
        net_(parameters_, sizes) {}

  static std::string numbers_text(const at::Tensor& values) {
    std::string text;
    char one[32];
    for (const float value : floats_of(values)) {
      std::snprintf(one, sizeof(one), "%s%.9g", text.empty() ? "" : " ", static_cast<double>(value));
      text += one;
    }
    return text;
  }

  // Without x and time. Toy data have no bodies: the same number everywhere.
  SkeletalInput input_of(const Batch& batch, const at::Tensor& data) const {
    SkeletalInput in;
    const std::int64_t size = data.size(0), frames = data.size(1), joints = data.size(2);
    in.known_groups = at::zeros({size, frames, joints, net_.sizes.groups}, data.options());
    if (batch.size() < 6) {
      in.body = at::full({size, joints, kBodyColumns}, 0.3, data.options());
      in.names = at::full({size, joints, kNameColumns}, 1.0 / 16, data.options());
      in.words = at::full({size, kWordColumns}, 0.1, data.options());
      in.relations = at::zeros({size, joints, joints, 2}, data.options().dtype(at::kLong));
      return in;
    }
    in.body = batch[2];
    in.names = batch[3];
    // A pair is relation + classes * distance, one column for each joint of the largest body.
    const at::Tensor pairs = batch[4].narrow(2, 0, joints).to(at::kLong);
    in.relations = at::stack({pairs % kClasses, at::floor_divide(pairs, kClasses)}, 3);
    in.words = batch[5].flatten(1);
    return in;
  }

  // 1 with a probability, for each of the sizes.
  static at::Tensor chance(double probability, at::IntArrayRef sizes, const at::TensorOptions& options) {
    return (at::rand(sizes, options) < probability).to(options.dtype());
  }

  // Hides words, names, roles and some of the last joints. Returns 1 for joints that stay, [batch, joints].
  at::Tensor augment(SkeletalInput& in) const {
    const std::int64_t size = in.body.size(0);
    const at::TensorOptions options = in.body.options();
    in.words = in.words * (1 - chance(word_drop_, {size, 1}, options));
    in.names = in.names * (1 - chance(name_drop_, {size, 1, 1}, options));
    const at::Tensor leaf = in.body.select(2, kLeafColumn).clone();
    const at::Tensor keep_roles = 1 - chance(role_drop_, {size, 1, 1}, options);
    in.body = at::cat(
        {in.body.narrow(2, 0, kRoleColumns), in.body.narrow(2, kRoleColumns, kBodyColumns - kRoleColumns) * keep_roles},
        2);
    return 1 - leaf * chance(leaf_drop_, {size, 1}, options) * chance(0.25, leaf.sizes(), options);
  }

  // [1, 1, joints]
  at::Tensor token_weights(const at::Tensor& mask) const {
    at::Tensor weights = at::ones({1, 1, mask.size(2)}, mask.options());
    weights.select(2, 0).fill_(root_weight_);
    return weights;
  }

  // Which groups of numbers are known, [batch, frames, joints, groups].
  at::Tensor reveal(const at::Tensor& mask) const {
    const std::int64_t size = mask.size(0), frames = mask.size(1), joints = mask.size(2);
    const at::TensorOptions options = mask.options();
    const at::Tensor length = mask.amax(2).sum(1, true);  // [batch, 1]
    const at::Tensor frame = at::arange(frames, options).unsqueeze(0), draw = at::rand({size, 1}, options);
    const at::Tensor first = (at::rand({size, 1}, options) * 0.5 * length).ceil();
    const at::Tensor last = (at::rand({size, 1}, options) * 0.35 * length).ceil();
    const at::Tensor past = frame < first, ends = past.logical_or(frame >= length - last),
                     keys = at::rand({size, frames}, options) < 0.12;
    // Four ways, equally often: past frames, both ends, key frames, joints.
    const at::Tensor way = (draw * 4).floor();
    const at::Tensor by_frame =
        at::where(way == 0, past, at::where(way == 1, ends, at::where(way == 2, keys, at::zeros_like(keys))));
    const at::Tensor by_joint = (way == 3).logical_and(at::rand({size, joints}, options) < 0.5);
    const at::Tensor revealed = at::rand({size, 1, 1}, options) < reveal_;
    const at::Tensor tokens = by_frame.unsqueeze(2).logical_or(by_joint.unsqueeze(1)).logical_and(revealed);
    at::Tensor known = tokens.to(options.dtype()).unsqueeze(3).expand({size, frames, joints, net_.sizes.groups});
    if (net_.sizes.groups == 4) {
      at::Tensor root = at::zeros({1, 1, joints, 4}, options);
      root.select(2, 0).select(2, 2).fill_(1);  // The hips' velocity is the root's step.
      known = at::max(known, root * chance(path_reveal_, {size, 1, 1, 1}, options));
    }
    return known * mask.unsqueeze(3);
  }

  // Rest poses before roles are hidden.
  static at::Tensor batch_body(const Batch& batch, const SkeletalInput& in) {
    return batch.size() < 6 ? in.body : batch[2];
  }

  struct Motions {
    at::Tensor made, target;  // [batch, frames, joints, 13] normalised.
    at::Tensor mask,
        contact;  // [batch, frames, joints] 1 where a token is, and where it is in contact with the ground.
    BodyChain chain;
  };
  template <typename Mean>
  void add_motion_terms(std::vector<LossTerm>& terms, const Motions& m, const Mean& mean) const {
    const at::Tensor made = x_.undo(m.made), target = x_.undo(m.target);
    const auto axes = [&](const at::Tensor& x) { return axes_of(x.narrow(3, 3, 6) + identity_); };
    // Geodesic: a rotation of angle a has a Frobenius distance of 2 sqrt(2) sin(a / 2) from the identity.
    const at::Tensor chord = ((axes(made) - axes(target)).square().sum({-2, -1}) + 1e-8).sqrt() / (2 * std::sqrt(2.0));
    terms.push_back({"rotation", mean(2 * at::asin(chord.clamp_max(0.999)), m.mask), 0.5});
    // Where the rotations put the joints. Errors of a chain add up: those of the hips and thighs count most.
    const at::Tensor places = body_positions(m.chain, made, identity_),
                     target_places = body_positions(m.chain, target, identity_);
    const at::Tensor length = x_.spread.narrow(0, 0, 3).mean(), speed = x_.spread.narrow(0, 9, 3).mean();
    // Squares near 0, lengths far from it: a few tumbling bodies must not outweigh all others.
    const auto robust = [](const at::Tensor& error, const at::Tensor& unit) {
      return (error.square().sum(3) / unit.square() + 1).sqrt() - 1;
    };
    terms.push_back({"place", mean(robust(places - target_places, length), m.mask)});
    const std::int64_t steps = m.made.size(1) - 1;
    if (steps > 0) {
      const auto change = [&](const at::Tensor& x) {
        return x.narrow(1, 1, steps).narrow(3, 0, 9) - x.narrow(1, 0, steps).narrow(3, 0, 9);
      };
      const auto both = [&](const at::Tensor& x) { return x.narrow(1, 1, steps) * x.narrow(1, 0, steps); };
      terms.push_back({"velocity", mean((change(m.made) - change(m.target)).square().mean(3), both(m.mask)), 4});
      const at::Tensor slip = ground_velocities(places, made, fps_) - ground_velocities(target_places, target, fps_);
      terms.push_back({"planted", mean(robust(slip, speed), both(m.contact)), 0.2});
    }
    const std::int64_t others = m.made.size(2) - 1;
    if (others < 1) return;
    const at::Tensor slip = (m.made - m.target).narrow(3, 9, 3).square().mean(3).narrow(2, 1, others);
    terms.push_back({"contact", mean(slip, m.contact.narrow(2, 1, others))});
  }

  Process process_;
  bool free_;
  std::int64_t frames_, joints_;
  double word_drop_, name_drop_, role_drop_, leaf_drop_, reveal_, path_reveal_, own_paths_, fps_, root_weight_;
  at::Tensor identity_;  // [6] Axes of no rotation.
  Normaliser x_;
  SkeletalNet net_;
  std::unique_ptr<SkeletalTeacher> teacher_;
};

}  // namespace

std::vector<ModelInfo> anytop_models() {
  return {{"anytop",
           "generates and edits motions of any skeleton from noise, by actions, known frames, joints and paths",
           {"x", "mask"},
           ToyKind::kTokens,
           AnytopModel::add_keys,
           AnytopModel::create,
           /*optional_fields=*/{"body", "names", "relation", "words"},
           /*ragged=*/true}};
}

}  // namespace zoe::train
