// SPDX-License-Identifier: MIT
// Generative models of x by denoising: diffusion, flow.
#include "zoe/nn/denoiser.h"

#include "train/generative/teacher.h"
#include "train/models.h"

namespace zoe::train {
namespace {

struct Parts {
  nn::NoiseProcess numbers;
  nn::LossWeight weight;
  DenoiserSizes sizes;
};

Result<Parts> read_parts(const ModelSetup& setup, bool flow) {
  nn::NoiseProcessOptions options{.schedule = nn::NoiseSchedule::kFlow};
  options.levels = static_cast<int>(integer(setup, "model.levels"));
  if (!flow) {
    ZOE_TRY_ASSIGN(options.schedule, nn::parse_noise_schedule(setup.config.get<std::string>("model.schedule")));
  }
  ZOE_TRY_ASSIGN(options.prediction, nn::parse_prediction(setup.config.get<std::string>("model.prediction")));
  ZOE_TRY_ASSIGN(nn::NoiseProcess numbers, nn::NoiseProcess::create(options));
  ZOE_TRY_ASSIGN(const nn::LossWeight weight,
                 nn::parse_loss_weight(setup.config.get<std::string>("model.loss_weight")));
  DenoiserSizes sizes{.steps = setup.fields[0].steps, .width = setup.fields[0].width};
  sizes.hidden = integer(setup, "model.hidden");
  sizes.blocks = integer(setup, "model.blocks");
  sizes.heads = integer(setup, "model.heads");
  const auto& network = setup.config.get<std::string>("model.network");
  if (network != "auto" && network != "mlp" && network != "transformer")
    return Error{ErrorCode::kUsage, "model.network = '" + network + "': must be auto, mlp or transformer"};
  sizes.transformer = network == "transformer" || (network == "auto" && sizes.steps > 1);
  if (sizes.transformer && sizes.hidden % sizes.heads != 0)
    return Error{ErrorCode::kUsage, "model.hidden must divide evenly by model.heads"};
  if (setup.config.get<bool>("model.condition")) {
    if (setup.fields.size() < 2)
      return Error{ErrorCode::kUsage, "model.condition = true, and the data have no field 'condition'"};
    sizes.condition = flat_size(setup.fields[1]);
  }
  const auto drop = setup.config.get<double>("model.condition_drop");
  if (!(drop >= 0 && drop <= 1)) return Error{ErrorCode::kUsage, "model.condition_drop must be from 0 to 1"};
  return Parts{std::move(numbers), weight, sizes};
}

class GenerativeModel final : public Model {
 public:
  template <bool kFlow>
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    ZOE_TRY_ASSIGN(Parts parts, read_parts(setup, kFlow));
    std::unique_ptr<GenerativeModel> model(new GenerativeModel(setup, std::move(parts)));
    if (const auto& folder = setup.config.get<std::string>("model.teacher"); !folder.empty()) {
      const auto& distillation = setup.config.get<std::string>("model.distillation");
      if (distillation != "progressive" && distillation != "consistency")
        return Error{ErrorCode::kUsage,
                     "model.distillation = '" + distillation + "': must be progressive or consistency"};
      const Distillation how{distillation == "consistency", integer(setup, "model.student_steps"),
                             integer(setup, "model.teacher_steps")};
      if (how.teacher % how.student != 0 || how.teacher <= how.student)
        return Error{ErrorCode::kUsage, "model.teacher_steps must be a multiple of model.student_steps, and larger"};
      ZOE_TRY_ASSIGN(model->teacher_, Teacher::load(folder, model->net_.sizes, model->process_.numbers(),
                                                    model->x_.mean, model->x_.spread, how, setup.options));
      model->teacher_->copy_weights(model->parameters_);
      model->sampler_ = {how.consistency ? nn::Sampler::kFewStep : nn::Sampler::kDdim, static_cast<int>(how.student)};
    }
    return std::unique_ptr<Model>(std::move(model));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor data = x_.apply(batch[0]);
    const std::int64_t size = data.size(0);
    at::Tensor condition, guided;
    if (condition_) {
      condition = condition_->apply(batch[1]).flatten(1);
      guided = at::ones({size, 1}, data.options());
      if (training) guided = (at::rand({size, 1}, data.options()) >= drop_).to(data.scalar_type());
    }
    const at::Tensor noise = training ? at::randn_like(data) : fixed_noise(data);
    Teacher::Steps steps;
    at::Tensor levels;
    if (teacher_) {
      steps = teacher_->steps(size, training);
      levels = steps.from;
    } else {
      levels = process_.levels(size, training);
    }
    const at::Tensor x = process_.noised(data, noise, levels);
    const at::Tensor prediction = net_(x, process_.time(levels), condition, guided);
    at::Tensor target;
    if (teacher_) {
      const auto student = [&](const at::Tensor& at, const at::Tensor& level) {
        return process_.to_data(at, net_(at, process_.time(level), condition, guided), level);
      };
      const at::Tensor taught = teacher_->data(process_, x, steps, condition, guided, student);
      target = process_.target(taught, process_.to_noise(x, taught, levels), levels);
    } else {
      target = process_.target(data, noise, levels);
    }
    const at::Tensor errors = (prediction - target).square().flatten(1).mean(1);
    return {(errors * process_.loss_weight(levels)).mean(),
            {{"data_error", mse(process_.to_data(x, prediction, levels), data)}}};
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const at::Tensor none;
    return {net_(inputs[0], inputs[1].flatten(1), condition_ ? condition_->apply(inputs[2]).flatten(1) : none,
                 condition_ ? inputs[3].flatten(1) : none),
            x_.undo(inputs[0])};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int x = b.input("x", net_.sizes.width, net_.sizes.steps), time = b.input("time", 1);
    int condition = -1, guided = -1;
    if (condition_) {
      const int raw = b.input("condition", condition_field_.width, condition_field_.steps);
      guided = b.input("guided", 1);
      condition = build_flat(b, condition_->build_apply(b, raw));
    }
    b.output("prediction", net_.build(b, x, time, condition, guided));
    b.output("data", x_.build_undo(b, x));
    b.set_metadata(nn::kProcessKey, process_.numbers().to_text());
    if (teacher_) b.set_metadata(nn::kSamplerKey, nn::to_text(sampler_));
    return std::move(b).build();
  }

  static void add_diffusion_keys(ConfigSchema& schema) {
    schema.add("model.schedule", std::string("cosine"), "of the noise: cosine or linear");
    add_keys(schema, "v");
  }
  static void add_flow_keys(ConfigSchema& schema) { add_keys(schema, "velocity"); }

 private:
  GenerativeModel(const ModelSetup& setup, Parts parts)
      : Model(setup),
        process_(std::move(parts.numbers), parts.weight, setup.options),
        x_(normaliser(parameters_, setup, 0)),
        net_(parameters_, parts.sizes),
        drop_(setup.config.get<double>("model.condition_drop")) {
    if (parts.sizes.condition > 0) {
      condition_field_ = setup.fields[1];
      condition_.emplace(normaliser(parameters_, setup, 1));
    }
  }

  static void add_keys(ConfigSchema& schema, const char* prediction) {
    schema.add("model.prediction", std::string(prediction), "what the network predicts: x0, v or velocity")
        .add("model.levels", 1000, "of noise")
        .add("model.loss_weight", std::string("uniform"), "of the levels: uniform or min_snr")
        .add("model.network", std::string("auto"), "mlp or transformer; auto: mlp for one step, else transformer")
        .add("model.hidden", 128, "width of the hidden layers")
        .add("model.blocks", 3)
        .add("model.heads", 4, "of the transformer's attention")
        .add("model.condition", false, "learn p(x | condition) from the field 'condition'")
        .add("model.condition_drop", 0.1, "fraction of samples that are learnt without it, for guidance")
        .add("model.teacher", std::string(), "folder of a trained run of this model: distil it into fewer steps")
        .add("model.distillation", std::string("progressive"), "progressive or consistency")
        .add("model.student_steps", 4, "distillation: steps of the sampler of this model")
        .add("model.teacher_steps", 32, "distillation: steps of the teacher's sampler");
  }

  Process process_;
  Normaliser x_;
  DenoiserNet net_;
  double drop_;
  Field condition_field_;
  std::optional<Normaliser> condition_;
  std::unique_ptr<Teacher> teacher_;
  nn::SamplerOptions sampler_;  // Of a student.
};

}  // namespace

std::vector<ModelInfo> generative_models() {
  return {
      {"diffusion",
       "generates x from noise: Gaussian diffusion, optionally by a condition; distils a trained run",
       {"x"},
       ToyKind::kMixture,
       GenerativeModel::add_diffusion_keys,
       GenerativeModel::create<false>,
       {"condition"}},
      {"flow",
       "generates x from noise: flow matching on straight lines, otherwise as diffusion",
       {"x"},
       ToyKind::kMixture,
       GenerativeModel::add_flow_keys,
       GenerativeModel::create<true>,
       {"condition"}},
  };
}

}  // namespace zoe::train
