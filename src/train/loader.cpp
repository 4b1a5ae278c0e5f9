// SPDX-License-Identifier: MIT
#include "train/loader.h"

#include <numeric>

#include "zoe/core/random.h"

#include "train/class_order.h"
#include "train/epoch_order.h"
#include "train/finite.h"
#include "train/run_order.h"
#include "train/weighted_buckets.h"

namespace zoe::train {
namespace {

constexpr std::size_t kMaxResidentCpuBytes = std::size_t{1} << 30, kMaxResidentGpuBytes = std::size_t{24} << 30;
constexpr std::size_t kResidentChunk = 4096;

std::vector<Extent> extents_of(const BatchSource& source, Split split) {
  std::vector<Extent> all(source.num_samples(split));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = source.extent(split, i);
  return all;
}

// [batch, rows, width]; tokens are [batch, frames, joints, width].
std::vector<std::int64_t> shape_of(const Field& field, std::int64_t count, Extent padded) {
  if (field.rows == Rows::kTokens) return {count, padded.frames, padded.joints, field.width};
  return {count, field.num_rows(padded), field.width};
}

}  // namespace

Result<Loader> Loader::create(const BatchSource& source, std::vector<std::size_t> fields, const Settings& settings,
                              const Ranks& ranks, at::Device device) {
  const std::size_t total = source.num_samples(Split::kTraining);
  if (total == 0) return Error{ErrorCode::kInvalid, "the data has no training samples"};
  Loader loader(source, std::move(fields), ranks, device);
  ZOE_TRY(loader.choose_order(settings));
  ZOE_TRY(loader.plan_validation(settings));
  std::size_t bytes = 0;
  for (const std::size_t field : loader.fields_) bytes += total * source.fields()[field].size() * sizeof(float);
  const std::size_t most = device.is_cpu() ? kMaxResidentCpuBytes : kMaxResidentGpuBytes;
  const bool resident = !source.ragged() && settings.resident != "off" && (settings.resident == "on" || bytes <= most);
  if (resident) ZOE_TRY(loader.load_resident());
  return loader;
}

Result<void> Loader::choose_order(const Settings& settings) {
  ZOE_TRY_ASSIGN(std::vector<SampleClass> classes, sample_classes(*source_, settings.balance));
  if (settings.run_length > 1) {
    const auto length = static_cast<std::size_t>(settings.run_length), batch = static_cast<std::size_t>(settings.batch);
    if (source_->ragged() || !classes.empty())
      return Error{ErrorCode::kUsage,
                   "model.rollout draws consecutive samples: it cannot be used with data.balance or "
                   "weighted data"};
    if (source_->num_samples(Split::kTraining) < length)
      return Error{ErrorCode::kInvalid, "the data has fewer samples than model.rollout"};
    if (batch / length % static_cast<std::size_t>(ranks_.size) != 0)
      return Error{ErrorCode::kUsage, "the runs of model.rollout in train.batch do not divide evenly over the ranks"};
    order_ = std::make_unique<RunOrder>(source_->num_samples(Split::kTraining), batch, length, settings.seed);
  } else if (source_->ragged()) {
    ZOE_TRY_ASSIGN(buckets_,
                   make_buckets(extents_of(*source_, Split::kTraining), {.tokens = settings.tokens,
                                                                         .frame_sizes = settings.frame_sizes,
                                                                         .joint_sizes = settings.joint_sizes,
                                                                         .num_ranks = ranks_.size,
                                                                         .multiple = settings.size_multiple}));
    if (classes.empty()) {
      order_ = std::make_unique<BucketOrder>(buckets_, settings.seed);
    } else {
      buckets_ = fit_batches(std::move(buckets_), classes, ranks_.size);
      order_ = std::make_unique<WeightedBucketOrder>(buckets_, classes, settings.seed);
    }
  } else if (!classes.empty()) {
    order_ = std::make_unique<ClassOrder>(std::move(classes), static_cast<std::size_t>(settings.batch), settings.seed);
  } else {
    order_ = std::make_unique<EpochOrder>(source_->num_samples(Split::kTraining),
                                          static_cast<std::size_t>(settings.batch), settings.seed);
  }
  return {};
}

Result<void> Loader::plan_validation(const Settings& settings) {
  const std::size_t total = source_->num_samples(Split::kValidation);
  if (total == 0) return {};
  const auto add = [&](const std::vector<std::size_t>& samples, std::size_t batch, int bucket, Extent padded) {
    for (std::size_t first = 0; first < samples.size(); first += batch) {
      const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = static_cast<std::ptrdiff_t>(std::min(batch, samples.size() - first));
      validation_.push_back({Split::kValidation, bucket, padded, {begin, begin + count}});
    }
  };
  if (!source_->ragged()) {
    std::vector<std::size_t> all(total);
    std::iota(all.begin(), all.end(), std::size_t{0});
    add(all, static_cast<std::size_t>(settings.batch), 0, {});
    return {};
  }
  ZOE_TRY_ASSIGN(const std::vector<Bucket> buckets,
                 make_buckets(extents_of(*source_, Split::kValidation), {.tokens = settings.tokens,
                                                                         .frame_sizes = settings.frame_sizes,
                                                                         .joint_sizes = settings.joint_sizes,
                                                                         .num_ranks = 1,
                                                                         .multiple = settings.size_multiple}));
  for (std::size_t i = 0; i < buckets.size(); ++i)
    add(buckets[i].samples, buckets[i].batch, static_cast<int>(i), buckets[i].size);
  Random(1).shuffle(validation_);  // train.validation_batches must not take the smallest only.
  return {};
}

Result<void> Loader::load_resident() {
  const std::size_t total = source_->num_samples(Split::kTraining);
  for (const std::size_t field : fields_) {
    const Field& f = source_->fields()[field];
    resident_.push_back(
        at::empty({static_cast<std::int64_t>(total), f.steps, f.width}, at::TensorOptions(device_).dtype(at::kFloat)));
  }
  for (std::size_t first = 0; first < total; first += kResidentChunk) {
    Request request;
    request.samples.resize(std::min(kResidentChunk, total - first));
    std::iota(request.samples.begin(), request.samples.end(), first);
    ZOE_TRY_ASSIGN(const LoadedBatch part, read(request));
    for (std::size_t i = 0; i < part.fields.size(); ++i)
      resident_[i].narrow(0, static_cast<std::int64_t>(first), part.num_samples).copy_(part.fields[i]);
  }
  return {};
}

Loader::Request Loader::request(std::int64_t step) {
  const StepSamples samples = order_->at(step, ranks_.rank, ranks_.size);
  Request request{Split::kTraining, samples.bucket, {}, {samples.samples.begin(), samples.samples.end()}};
  if (!buckets_.empty()) request.padded = buckets_[static_cast<std::size_t>(samples.bucket)].size;
  return request;
}

Result<LoadedBatch> Loader::read(const Request& request) const {
  const std::span<const Field> all = source_->fields();
  const bool pinned = device_.is_cuda();
  const auto count = static_cast<std::int64_t>(request.samples.size());
  std::vector<at::Tensor> tensors;
  std::vector<std::span<float>> outputs;
  for (const Field& field : all) {
    tensors.push_back(
        at::empty(shape_of(field, count, request.padded), at::TensorOptions().dtype(at::kFloat).pinned_memory(pinned)));
    outputs.emplace_back(tensors.back().data_ptr<float>(), static_cast<std::size_t>(tensors.back().numel()));
  }
  ZOE_TRY(source_->read_padded(request.split, request.samples, request.padded, outputs));
  for (const std::size_t field : fields_)
    ZOE_TRY(check_finite(all[field], request.split, request.samples, outputs[field]));
  LoadedBatch batch;
  batch.bucket = request.bucket;
  batch.num_samples = count;
  for (const std::size_t field : fields_) batch.fields.push_back(tensors[field].to(device_, /*non_blocking=*/true));
  if (source_->ragged()) {
    batch.padded_tokens = count * request.padded.tokens();
    for (const std::size_t sample : request.samples) batch.tokens += source_->extent(request.split, sample).tokens();
  }
  return batch;
}

Result<LoadedBatch> Loader::training(std::int64_t step) {
  if (!resident_.empty()) {
    const std::span<const std::size_t> samples = order_->at(step, ranks_.rank, ranks_.size).samples;
    LoadedBatch batch;
    batch.num_samples = static_cast<std::int64_t>(samples.size());
    at::Tensor index =
        at::empty({batch.num_samples}, at::TensorOptions().dtype(at::kLong).pinned_memory(device_.is_cuda()));
    std::copy(samples.begin(), samples.end(), index.data_ptr<std::int64_t>());
    index = index.to(device_, /*non_blocking=*/true);
    for (const at::Tensor& all : resident_) batch.fields.push_back(all.index_select(0, index));
    return batch;
  }
  const auto start = [&](std::int64_t at) {
    ahead_ = std::async(std::launch::async, [this, wanted = request(at)] { return read(wanted); });
    ahead_step_ = at;
  };
  if (!ahead_.valid() || ahead_step_ != step) start(step);
  Result<LoadedBatch> batch = ahead_.get();
  start(step + 1);
  return batch;
}

Result<LoadedBatch> Loader::validation(std::size_t batch) { return read(validation_[batch]); }

}  // namespace zoe::train
