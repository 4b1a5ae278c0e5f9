// SPDX-License-Identifier: MIT
#include "train/turn.h"

#include <ATen/autocast_mode.h>

namespace zoe::train {
namespace {

// bf16 matrix products on CUDA during the lifetime of the object.
class Autocast {
 public:
  explicit Autocast(bool on) : on_(on) {
    if (on) set(true);
  }
  ~Autocast() {
    if (!on_) return;
    at::autocast::clear_cache();
    set(false);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  static void set(bool on) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
    at::autocast::set_autocast_enabled(at::kCUDA, on);
    at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
#else
    at::autocast::set_enabled(on);
    at::autocast::set_autocast_gpu_dtype(at::kBFloat16);
#endif
  }
  bool on_;
};

std::vector<std::size_t> weights_of(const Model& model, std::size_t turn) {
  const std::string prefix = model.turns()[turn].prefix;
  std::vector<std::size_t> which;
  const std::vector<NamedTensor>& all = model.parameters().weights();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name.starts_with(prefix)) which.push_back(i);
  }
  ZOE_CHECK(!which.empty(), "a turn without weights");
  return which;
}

Settings with_own_rates(Settings settings, const TurnSetting& turn) {
  if (turn.beta1 >= 0) settings.beta1 = turn.beta1;
  return settings;
}

}  // namespace

Turn::Turn(Model& model, std::size_t index, TurnSetting setting, const Settings& settings, at::Device device)
    : model_(model),
      index_(index),
      setting_(std::move(setting)),
      prefix_(index == 0 ? "" : setting_.name + "."),
      cuda_graph_(settings.cuda_graph),
      bf16_(settings.precision == "bf16" && device.is_cuda()),
      device_(device),
      weights_(model.parameters(), weights_of(model, index)),
      optimiser_(weights_, with_own_rates(settings, setting_)),
      may_record_(settings.cuda_graph != "off" && StepGraph::available(device)) {
  const std::string prefix = model.turns()[index].prefix;
  for (const NamedTensor& weight : model.parameters().weights()) {
    if (!weight.name.starts_with(prefix)) others_.push_back(weight.tensor);
  }
}

void Turn::compute(const Batch& batch) {
  model_.training = true;
  weights_.gradients.zero_();
  for (at::Tensor& weight : others_) weight.set_requires_grad(false);  // No gradients that nothing uses.
  Losses losses;
  {
    const Autocast autocast(bf16_);
    losses = model_.turn_loss(index_, batch);
  }
  losses.total.backward();
  for (at::Tensor& weight : others_) weight.set_requires_grad(true);
  std::vector<at::Tensor> row{losses.total.detach().to(at::kFloat)};
  names_.clear();
  for (const auto& [name, value] : losses.values) {
    names_.push_back(name);
    row.push_back(value.detach().to(at::kFloat));
  }
  const at::Tensor now = at::stack(row);
  if (!row_.defined()) {
    row_ = now.clone();
    sums_ = at::zeros_like(row_);
  }
  row_.copy_(now);
}

void Turn::update() {
  optimiser_.apply();
  sums_.add_(row_);
}

Result<void> Turn::record(const StepWork& work, Warnings& warnings) {
  auto recorded = std::make_unique<Recorded>(device_);
  for (const at::Tensor& tensor : work.batch) recorded->batch.push_back(tensor.clone());
  const auto gradients = [&] { compute(recorded->batch); };
  work.seed();
  if (const Result<void> rehearsed = recorded->graph.rehearse(gradients); !rehearsed) {
    may_record_ = false;
    const std::string reason = "the step is not launched as one CUDA graph: ";
    if (cuda_graph_ == "on") return Error{ErrorCode::kUnsupported, reason + rehearsed.error().message};
    warnings.push_back({reason + rehearsed.error().message, {}});
    return {};
  }
  std::vector<std::pair<StepGraph*, std::function<void()>>> parts{{&recorded->graph, gradients}};
  if (!update_graph_) {
    update_graph_ = std::make_unique<StepGraph>(device_);
    parts.emplace_back(update_graph_.get(), [&] { update(); });
  }
  for (const auto& [graph, part] : parts) {
    if (const Result<void> done = graph->record(part); !done)
      return Error{ErrorCode::kUnsupported, "the step cannot be recorded as a CUDA graph (" + done.error().message +
                                                "): use train.cuda_graph=off"};
  }
  recorded_.emplace(work.bucket, std::move(recorded));
  return {};
}

Result<void> Turn::step(const StepWork& work, Collective& collective, Warnings& warnings) {
  if (work.record && may_record_ && !recorded_.contains(work.bucket)) ZOE_TRY(record(work, warnings));
  work.seed();
  optimiser_.set_rates(work.rates);
  const auto found = recorded_.find(work.bucket);
  if (found != recorded_.end()) {
    Recorded& recorded = *found->second;
    for (std::size_t i = 0; i < work.batch.size(); ++i) recorded.batch[i].copy_(work.batch[i], true);
    recorded.graph.replay();
  } else {
    compute(work.batch);
  }
  collective.average(weights_.gradients);
  if (update_graph_)
    update_graph_->replay();
  else
    update();
  ++num_summed_;
  return {};
}

std::vector<std::pair<std::string, double>> Turn::means(Collective& collective) const {
  if (num_summed_ == 0) return {};
  at::Tensor means = sums_ / static_cast<double>(num_summed_);
  collective.average(means);
  means = means.cpu();
  std::vector<std::pair<std::string, double>> all{{prefix_ + "loss", means[0].item<double>()}};
  for (std::size_t i = 0; i < names_.size(); ++i)
    all.emplace_back(prefix_ + names_[i], means[static_cast<std::int64_t>(i) + 1].item<double>());
  return all;
}

void Turn::clear() {
  if (sums_.defined()) sums_.zero_();
  num_summed_ = 0;
}

}  // namespace zoe::train
