// SPDX-License-Identifier: MIT
#include "train/loader.h"

#include <numeric>

#include "train/finite.h"

namespace zoe::train {
namespace {

constexpr std::size_t kMaxResidentCpuBytes = std::size_t{1} << 30, kMaxResidentGpuBytes = std::size_t{24} << 30;
constexpr std::size_t kChunk = 4096;

}  // namespace

Result<Loader> Loader::create(const BatchSource& source, std::vector<std::size_t> fields, const Settings& settings,
                              const Ranks& ranks, at::Device device) {
  const std::size_t total = source.num_samples(Split::kTraining);
  if (total == 0) return Error{ErrorCode::kInvalid, "the data has no training samples"};
  Loader loader(source, std::move(fields), EpochOrder(total, static_cast<std::size_t>(settings.batch), settings.seed),
                ranks, device);
  std::size_t bytes = 0;
  for (const std::size_t field : loader.fields_) bytes += total * source.fields()[field].size() * sizeof(float);
  const std::size_t most = device.is_cpu() ? kMaxResidentCpuBytes : kMaxResidentGpuBytes;
  if (settings.resident == "off" || (settings.resident == "auto" && bytes > most)) return loader;
  for (const std::size_t field : loader.fields_) {
    const Field& f = source.fields()[field];
    loader.resident_.push_back(
        at::empty({static_cast<std::int64_t>(total), f.steps, f.width}, at::TensorOptions(device).dtype(at::kFloat)));
  }
  for (std::size_t first = 0; first < total; first += kChunk) {
    std::vector<std::size_t> samples(std::min(kChunk, total - first));
    std::iota(samples.begin(), samples.end(), first);
    const auto count = static_cast<std::int64_t>(samples.size());
    ZOE_TRY_ASSIGN(const Batch part, loader.read(Split::kTraining, std::move(samples)));
    for (std::size_t i = 0; i < part.size(); ++i)
      loader.resident_[i].narrow(0, static_cast<std::int64_t>(first), count).copy_(part[i]);
  }
  return loader;
}

Result<Batch> Loader::read(Split split, std::vector<std::size_t> samples) const {
  const std::span<const Field> all = source_->fields();
  const bool pinned = device_.is_cuda();
  std::vector<at::Tensor> tensors;
  std::vector<std::span<float>> outputs;
  for (const Field& field : all) {
    tensors.push_back(at::empty({static_cast<std::int64_t>(samples.size()), field.steps, field.width},
                                at::TensorOptions().dtype(at::kFloat).pinned_memory(pinned)));
    outputs.emplace_back(tensors.back().data_ptr<float>(), static_cast<std::size_t>(tensors.back().numel()));
  }
  ZOE_TRY(source_->read(split, samples, outputs));
  for (const std::size_t field : fields_) ZOE_TRY(check_finite(all[field], split, samples, outputs[field]));
  Batch batch;
  for (const std::size_t field : fields_) batch.push_back(tensors[field].to(device_, /*non_blocking=*/true));
  return batch;
}

Result<Batch> Loader::training(std::int64_t step) {
  if (!resident_.empty()) {
    const std::span<const std::size_t> samples = order_.samples(step, ranks_.rank, ranks_.size);
    at::Tensor index = at::empty({static_cast<std::int64_t>(samples.size())},
                                 at::TensorOptions().dtype(at::kLong).pinned_memory(device_.is_cuda()));
    std::copy(samples.begin(), samples.end(), index.data_ptr<std::int64_t>());
    index = index.to(device_, /*non_blocking=*/true);
    Batch batch;
    for (const at::Tensor& all : resident_) batch.push_back(all.index_select(0, index));
    return batch;
  }
  const auto start = [&](std::int64_t at) {
    const std::span<const std::size_t> samples = order_.samples(at, ranks_.rank, ranks_.size);
    ahead_ = std::async(std::launch::async, [this, list = std::vector<std::size_t>(samples.begin(), samples.end())] {
      return read(Split::kTraining, list);
    });
    ahead_step_ = at;
  };
  if (!ahead_.valid() || ahead_step_ != step) start(step);
  Result<Batch> batch = ahead_.get();
  start(step + 1);
  return batch;
}

Result<Batch> Loader::validation(std::size_t first, std::size_t count) {
  std::vector<std::size_t> samples(std::min(count, num_validation() - first));
  std::iota(samples.begin(), samples.end(), first);
  return read(Split::kValidation, std::move(samples));
}

}  // namespace zoe::train
