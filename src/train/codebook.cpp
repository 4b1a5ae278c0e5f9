// SPDX-License-Identifier: MIT
#include "train/codebook.h"

namespace zoe::train {

at::Tensor categorical(const at::Tensor& logits, std::int64_t classes) {
  return at::softmax(logits.view({logits.size(0), -1, classes}), -1).flatten(1);
}

at::Tensor sample_categorical(const at::Tensor& logits, std::int64_t classes, double scale) {
  const at::Tensor noise = -at::log(-at::log(at::rand_like(logits).clamp(1e-7, 1 - 1e-7)));
  return categorical(logits + scale * noise, classes);
}

at::Tensor perplexity(const at::Tensor& probabilities, std::int64_t classes) {
  const at::Tensor mean = probabilities.detach().view({probabilities.size(0), -1, classes}).mean(0);
  return (-(mean * (mean + 1e-10).log()).sum(-1)).exp().mean();
}

SpaceTimeEncoder::SpaceTimeEncoder(Parameters& parameters, const std::string& name, std::int64_t in,
                                   std::int64_t hidden, std::int64_t codes, int steps, std::int64_t time_hidden,
                                   double dropout)
    : space(parameters, name + ".space", {in, hidden, hidden, codes}, Activation::kElu, dropout),
      time(parameters, name + ".time", {steps, time_hidden, time_hidden, 1}, Activation::kElu) {}

at::Tensor SpaceTimeEncoder::operator()(const at::Tensor& x, bool training) const {
  return time(space(x, training).transpose(1, 2), training).squeeze(2);
}

VectorQuantiser::VectorQuantiser(Parameters& parameters, const std::string& name, std::int64_t codes,
                                 std::int64_t width, double decay)
    : codes_(parameters.buffer(name + ".codes", at::rand({codes, width}, at::kFloat) - 0.5)),
      counts_(parameters.buffer(name + ".counts", at::zeros({codes}, at::kFloat))),
      sums_(parameters.buffer(name + ".sums", at::zeros({codes, width}, at::kFloat))),
      decay_(decay) {}

at::Tensor VectorQuantiser::nearest(const at::Tensor& z) const {
  // |z - c|^2 less |z|^2, which is the same for all codes.
  return (codes_.square().sum(1) - 2 * at::matmul(z.to(codes_.scalar_type()), codes_.t())).argmin(1);
}

int VectorQuantiser::build_distance(GraphBuilder& builder, int z) const {
  return builder.linear(z, "distance", dims_of(codes_), floats_of(-2 * codes_), floats_of(codes_.square().sum(1)));
}

VectorQuantiser::Out VectorQuantiser::operator()(const at::Tensor& z, bool training) {
  at::Tensor index;
  {
    const c10::NoGradGuard no_gradients;
    index = nearest(z);
    if (training) {
      last_z_ = z.detach().to(codes_.scalar_type());
      last_index_ = index;
    }
  }
  const at::Tensor code = codes_.index_select(0, index);
  return {z + (code - z).detach(), index, at::mse_loss(z, code)};
}

// at::bincount would wait for a device, and a step could then not be recorded (StepGraph).
at::Tensor VectorQuantiser::counts(const at::Tensor& index) const {
  return at::zeros({codes_.size(0)}, codes_.options())
      .index_add_(0, index, at::ones({index.size(0)}, codes_.options()));
}

at::Tensor VectorQuantiser::shares(const at::Tensor& index) const {
  return counts(index) / static_cast<double>(index.numel());
}

at::Tensor VectorQuantiser::usage(const at::Tensor& index) const {
  return (shares(index) > 0).to(codes_.scalar_type()).mean();
}

at::Tensor VectorQuantiser::perplexity(const at::Tensor& index) const {
  const at::Tensor share = shares(index);
  return (-(share * (share + 1e-10).log()).sum()).exp();
}

void VectorQuantiser::update(Collective& collective) {
  if (!last_z_.defined()) return;
  at::Tensor uses = counts(last_index_);
  at::Tensor sums = at::zeros_like(sums_).index_add_(0, last_index_, last_z_);
  collective.average(uses);
  collective.average(sums);
  counts_.lerp_(uses, 1 - decay_);
  sums_.lerp_(sums, 1 - decay_);
  const at::Tensor typical = counts_.mean();
  // Long unused: less than a hundredth of the mean frequency.
  const at::Tensor dead = (counts_ < 0.01 * typical).unsqueeze(1);
  const at::Tensor fresh =
      last_z_.index_select(0, at::randint(last_z_.size(0), {codes_.size(0)}, last_index_.options()));
  codes_.copy_(at::where(dead, fresh, sums_ / counts_.clamp_min(1e-10).unsqueeze(1)));
  counts_.copy_(at::where(dead.squeeze(1), typical, counts_));
  collective.broadcast(codes_);
  collective.broadcast(counts_);
  sums_.copy_(codes_ * counts_.unsqueeze(1));
}

}  // namespace zoe::train
